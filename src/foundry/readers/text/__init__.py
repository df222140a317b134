"""Readers of plain text and Markdown, which leave the text as it is."""
