"""Readers of office formats: Word, PowerPoint, spreadsheets, OpenDocument, RTF."""
