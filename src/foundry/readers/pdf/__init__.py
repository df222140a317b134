"""The package foundry.readers.pdf."""
