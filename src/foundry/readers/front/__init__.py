"""What a document is called, and the names that it is about."""
