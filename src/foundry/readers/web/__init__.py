"""The package foundry.readers.web."""
