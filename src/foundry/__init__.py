"""Foundry: source-bounded answers and documents."""

__version__ = "0.1.0"
