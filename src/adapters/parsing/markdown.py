"""Markdown: the text stays as it was written, so that offsets point into what its author knows."""

from __future__ import annotations

import re
from datetime import datetime
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.token import Token

from adapters.parsing.text import decoded, normalized
from domain.errors import InvalidInput
from domain.ingestion.copies import checked_origin
from domain.ingestion.parsed import ParsedDocument
from domain.ingestion.stated_values import parse_date
from domain.knowledge.time import Precision

_FRONT_MATTER = re.compile(r"---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_TITLE = re.compile(r"""^title[ \t]*:[ \t]*(?:"((?:[^"\\\n]|\\.)*)"|'((?:[^'\n]|'')*)'|([^\n]*))""", re.MULTILINE)
_DATE = re.compile(r"""^date[ \t]*:[ \t]*(["']?)([^\n]*?)\1[ \t]*(?:#.*)?$""", re.MULTILINE | re.IGNORECASE)
_ORIGIN = re.compile(r"""^origin[ \t]*:[ \t]*(["']?)(\S+?)\1[ \t]*(?:\s#.*)?$""", re.MULTILINE | re.IGNORECASE)
_COMMENT = re.compile(r"(?:^|\s)#.*")
_TITLE_WITHIN = 20_000
"""Characters in which the first heading is looked for; one further down names a part, not the document."""

_BLOCKS_ONLY = MarkdownIt("commonmark").disable("inline")
_INLINE = MarkdownIt("commonmark")


def parse_markdown(data: bytes) -> ParsedDocument:
    """The raw Markdown; the title is the front matter's, else the first heading; date and origin the front matter's.

    Raises DocumentUnreadable.
    """
    text = normalized(decoded(data))
    front = _FRONT_MATTER.match(text)
    body = text[front.end() :] if front else text
    title = (_front_matter_title(front[1]) if front else None) or _first_heading(body)
    if front is None:
        return ParsedDocument(text=text, title=title)
    return ParsedDocument(text, title, dated=_front_matter_date(front[1]), origin=_front_matter_origin(front[1]))


def _front_matter_date(front: str) -> datetime | None:
    """A day or a moment with its zone; nothing for what is neither, which the text still says."""
    if (found := _DATE.search(front)) is None:
        return None
    try:
        stated = parse_date(found[2])
    except InvalidInput:
        return None
    return stated.value if stated.precision in (Precision.DAY, Precision.SECOND) else None


def _front_matter_origin(front: str) -> str | None:
    """An address; nothing for what is none, which the text still says."""
    found = _ORIGIN.search(front)
    try:
        return checked_origin(found[2]) if found else None
    except InvalidInput:
        return None


def _front_matter_title(front: str) -> str | None:
    found = _TITLE.search(front)
    if found is None:
        return None
    double, single, plain = found.groups()
    if double is not None:
        value = re.sub(r"\\(.)", r"\1", double)
    elif single is not None:
        value = single.replace("''", "'")
    else:
        value = "" if plain.startswith((">", "|")) else _COMMENT.sub("", plain)  # no block scalars
    return value.strip() or None


def _first_heading(body: str) -> str | None:
    tokens = _BLOCKS_ONLY.parse(body[:_TITLE_WITHIN])
    for token, content in pairwise(tokens):
        if token.type == "heading_open" and content.content.strip():
            words = "".join(_words(part) for part in _INLINE.parseInline(content.content))
            return " ".join(words.split()) or None
    return None


def _words(token: Token) -> str:
    if token.children:
        return "".join(_words(child) for child in token.children)
    return " " if token.type in {"softbreak", "hardbreak"} else token.content
