"""Passages of sources as a reader sees them: on their pages, and as text with marks."""
