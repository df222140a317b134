"""The package foundry.readers.text."""
