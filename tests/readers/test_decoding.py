import codecs

import pytest

from foundry.errors import ReadError
from foundry.readers.decoding import decode


@pytest.mark.parametrize(
    ("encoding", "mark"),
    [
        ("utf-8", codecs.BOM_UTF8),
        ("utf-16-le", codecs.BOM_UTF16_LE),
        ("utf-16-be", codecs.BOM_UTF16_BE),
        ("utf-32-le", codecs.BOM_UTF32_LE),
        ("utf-16-le", b""),
        ("utf-16-be", b""),
        ("utf-8", b""),
        ("cp1252", b""),
    ],
)
def test_text_is_read_in_its_encoding(encoding: str, mark: bytes) -> None:
    words = "De coëfficiënt is 3½ – zie “bijlage”.\r\n" * 3
    decoded = decode(mark + words.encode(encoding))
    assert decoded.text == words
    assert decoded.warning is None


def test_short_western_text_is_not_mistaken_for_another_alphabet() -> None:
    assert decode("één café".encode("latin-1")).text == "één café"


def test_a_guessed_encoding_is_reported() -> None:
    words = "Контроллер передаёт пакеты с постоянной скоростью. " * 5
    decoded = decode(words.encode("cp1251"))
    assert decoded.text == words
    assert decoded.warning
    assert "cp1251" in str(decoded.warning)


def test_a_few_broken_bytes_are_replaced_and_counted() -> None:
    decoded = decode("één twee drié ".encode() * 20 + b"\xff end")
    assert decoded.text.endswith("\ufffd end")
    assert decoded.warning
    assert "1 invalid byte sequence in UTF-8" in str(decoded.warning)


@pytest.mark.parametrize(
    ("data", "looks"),
    [
        (b"%PDF-1.7 ...", "a PDF"),
        (b"PK\x03\x04rest", "a zip file"),
        (bytes(range(256)) * 40, "zero bytes"),
        (bytes(range(1, 32)) * 40, "control characters"),
    ],
)
def test_binary_data_is_refused_with_what_it_looks_like(data: bytes, looks: str) -> None:
    with pytest.raises(ReadError, match=looks):
        decode(data)
