"""Readers of transcripts: captions, and text with a time on its lines."""
