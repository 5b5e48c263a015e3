"""Plain text, and the decoding that every text format starts with."""

from __future__ import annotations

import codecs
import re
import unicodedata

from domain.errors import DocumentUnreadable, shown
from domain.ingestion.parsed import ParsedDocument

_REMEDY = "Save the document as UTF-8 and submit it again."
_LINE_END = re.compile(r"\r\n?")
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
_UTF_32 = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)
_UTF_16 = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}


def parse_text(data: bytes) -> ParsedDocument:
    """The decoded text, as it is. Raises DocumentUnreadable."""
    return ParsedDocument(text=normalized(decoded(data)))


def decoded(data: bytes, encoding: str | None = None) -> str:
    """Text from UTF-8, or from UTF-16 with a byte order mark; from ``encoding`` where the format declares one.

    Raises DocumentUnreadable with the offset of the first bad byte.
    """
    if data.startswith(_UTF_32):
        raise DocumentUnreadable(f"The document is encoded as UTF-32, which is not read. {_REMEDY}")
    mark, name = _byte_order_mark(data)
    if not mark and encoding is not None:
        name = encoding
    try:
        text = data[len(mark) :].decode(name)
    except UnicodeDecodeError as error:
        offset = error.start + len(mark)
        raise DocumentUnreadable(
            f"The document is not {name}: the byte {shown(data[offset : offset + 1])} at offset {offset} "
            f"does not belong there. {_REMEDY}"
        ) from None
    if "\0" in text:
        raise DocumentUnreadable(
            f"The document has a NUL at character {text.index(chr(0))}, so it is not text. "
            f"If it is UTF-16 without a byte order mark: {_REMEDY.lower()}"
        )
    return text


def normalized(text: str) -> str:
    """``text`` in Unicode normal form C, with ``\\n`` as its only line end."""
    return unicodedata.normalize("NFC", _LINE_END.sub("\n", text))


def storable(text: str) -> str:
    """``text`` from a binary format, without the NULs and lone surrogates that no text store takes (U+FFFD instead)."""
    return _UNSTORABLE.sub("\ufffd", text)


def _byte_order_mark(data: bytes) -> tuple[bytes, str]:
    if data.startswith(codecs.BOM_UTF8):
        return codecs.BOM_UTF8, "utf-8"
    for mark, name in _UTF_16.items():
        if data.startswith(mark):
            return mark, name
    return b"", "utf-8"
