"""Readers: files → documents, one package for each family of formats."""

from foundry.readers.formats import READERS_VERSION, SUPPORTED, read, shows_its_kind
