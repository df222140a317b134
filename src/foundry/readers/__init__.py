"""Files → documents: which reader reads which file.

``read`` is the one way in. Whatever goes wrong with a file, hostile ones included,
comes out as a ``ReadError`` with a reason and the file's name. It writes nothing
and opens no address. Parsers can hang or crash: run them through ``ParserPool``.
"""

from foundry.readers.formats import READERS, READERS_VERSION, SUPPORTED, read

__all__ = ["READERS", "READERS_VERSION", "SUPPORTED", "read"]
