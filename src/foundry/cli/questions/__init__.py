"""The commands that search and answer."""
