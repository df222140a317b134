"""Languages, terms and sentences, through the face of the package."""
