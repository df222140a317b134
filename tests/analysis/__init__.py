"""Languages, terms and sentences, through the package's public functions."""
