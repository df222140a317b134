"""Readers of HTML, EPUB and e-mail."""
