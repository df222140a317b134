"""Readers: files → documents, one package for each family of formats."""

from foundry.readers.formats import READERS, READERS_VERSION, SUPPORTED, read

__all__ = ["READERS", "READERS_VERSION", "SUPPORTED", "read"]
