"""Stores measured side by side."""
