"""The package foundry.readers.transcripts."""
