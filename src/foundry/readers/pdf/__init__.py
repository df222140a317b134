"""Reads PDFs: layout, headings, running lines, tables, OCR."""
