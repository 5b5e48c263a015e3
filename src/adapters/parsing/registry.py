"""Which parser reads what."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import PurePath

from adapters.parsing.conversation import conversation_in, looks_like_conversation, parse_conversation
from adapters.parsing.csv import parse_csv
from adapters.parsing.html import parse_html
from adapters.parsing.json_records import parse_json_lines, records_in
from adapters.parsing.json_values import JsonText
from adapters.parsing.markdown import parse_markdown
from adapters.parsing.pdf import parse_pdf
from adapters.parsing.text import decoded, normalized, parse_text
from domain.errors import DocumentUnreadable, InvalidInput, LimitExceeded, shown
from domain.ingestion.parsed import ParsedDocument

CONVERSATION = "application/vnd.assay.conversation+json"
_Parse = Callable[[bytes], ParsedDocument]


def parse_json(data: bytes) -> ParsedDocument:
    """A conversation where the JSON has that shape, else records. Raises InvalidInput or DocumentUnreadable."""
    json = JsonText(normalized(decoded(data)))
    return conversation_in(json) if looks_like_conversation(json) else records_in(json)


_parse_tabs: _Parse = partial(parse_csv, delimiter="\t")

BY_CONTENT_TYPE: dict[str, _Parse] = {
    "text/plain": parse_text,
    "text/markdown": parse_markdown,
    "text/x-markdown": parse_markdown,
    "text/html": parse_html,
    "application/xhtml+xml": parse_html,
    "application/pdf": parse_pdf,
    "text/csv": parse_csv,
    "text/tab-separated-values": _parse_tabs,
    "application/json": parse_json,
    "application/x-ndjson": parse_json_lines,
    "application/jsonl": parse_json_lines,
    CONVERSATION: parse_conversation,
}
BY_EXTENSION: dict[str, _Parse] = {
    ".txt": parse_text,
    ".text": parse_text,
    ".log": parse_text,
    ".md": parse_markdown,
    ".markdown": parse_markdown,
    ".html": parse_html,
    ".htm": parse_html,
    ".xhtml": parse_html,
    ".pdf": parse_pdf,
    ".csv": parse_csv,
    ".tsv": _parse_tabs,
    ".json": parse_json,
    ".ndjson": parse_json_lines,
    ".jsonl": parse_json_lines,
}
_CONTROL = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_UNDECLARED = {"", "application/octet-stream", "binary/octet-stream", "application/x-unknown", "*/*"}


class ContentParsers:
    """Reads every accepted content type, up to ``max_bytes``."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes

    def parse(self, data: bytes, content_type: str, filename: str | None) -> ParsedDocument:
        """See ``DocumentParser``. A declared type that is unknown is never guessed around, save by the file name."""
        if len(data) > self._max_bytes:
            raise LimitExceeded(
                f"The document has {len(data)} bytes; at most {self._max_bytes} are read. Split it, or raise the limit."
            )
        if not data.strip():
            raise DocumentUnreadable("The document is empty. Check that the file was written before it was submitted.")
        parsed = _parser(data, content_type, filename)(data)
        if not parsed.text.strip() and not parsed.problems:
            raise DocumentUnreadable("The document has no text. Check that it is the right file.")
        return parsed


def _parser(data: bytes, content_type: str, filename: str | None) -> _Parse:
    declared = content_type.partition(";")[0].strip().lower()
    if declared in BY_CONTENT_TYPE:
        return BY_CONTENT_TYPE[declared]
    extension = PurePath(filename).suffix.lower() if filename else ""
    if extension in BY_EXTENSION:
        return BY_EXTENSION[extension]
    if declared in _UNDECLARED:
        return _sniffed(data, extension)
    if declared.startswith("text/"):
        return parse_text
    if declared.endswith("+json"):
        return parse_json
    raise _not_accepted(f"content type {shown(content_type)}")


def _sniffed(data: bytes, extension: str) -> _Parse:
    start = data[:1024].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if start.startswith(b"%pdf-"):
        return parse_pdf
    if start.startswith((b"<!doctype html", b"<html")):
        return parse_html
    try:
        text = normalized(decoded(data))
    except DocumentUnreadable:
        text = "\0"
    if _CONTROL.search(text):
        raise _not_accepted(f"document (extension {shown(extension)}, no known content)")
    return _text_or_json if JsonText(text).first() in {"{", "["} else parse_text


def _text_or_json(data: bytes) -> ParsedDocument:
    try:
        return parse_json(data)
    except InvalidInput:
        return parse_text(data)


def _not_accepted(what: str) -> InvalidInput:
    return InvalidInput(
        f"The {what} is not read. Accepted are {', '.join(sorted(BY_CONTENT_TYPE))}, and files ending in "
        f"{', '.join(sorted(BY_EXTENSION))}.",
        field="content_type",
    )
