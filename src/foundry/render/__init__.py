"""Records → text that people and programs read, and the rules for the files it goes into."""
