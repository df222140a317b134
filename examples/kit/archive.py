"""Office files are ZIP archives: write them again without the moment of writing."""

from __future__ import annotations

import io
import zipfile
from typing import Any

EPOCH = (1980, 1, 1, 0, 0, 0)


def settle_archive(data: bytes) -> bytes:
    """The same archive with every entry dated 1 January 1980, in the same order."""
    stream = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(data)) as old,
        zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for entry in old.infolist():
            info = zipfile.ZipInfo(entry.filename, EPOCH)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o600 << 16
            new.writestr(info, old.read(entry))
    return stream.getvalue()


def drop_thumbnail(package: Any) -> None:
    """Leave out the picture that the libraries' empty templates carry."""
    relations = getattr(package, "rels", None) or package._rels  # noqa: SLF001 - python-pptx
    for key, relation in list(relations.items()):
        if relation.reltype.endswith("/thumbnail"):
            relations.pop(key)
