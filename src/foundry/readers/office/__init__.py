"""The package foundry.readers.office."""
