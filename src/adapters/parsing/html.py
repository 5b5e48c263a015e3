"""HTML: the words a reader sees, with a blank line between blocks."""

from __future__ import annotations

import re
import warnings

from bs4 import BeautifulSoup, MarkupResemblesLocatorWarning, XMLParsedAsHTMLWarning
from bs4.element import NavigableString, PageElement, PreformattedString, Tag
from bs4.exceptions import ParserRejectedMarkup

from adapters.parsing.text import decoded, normalized, storable
from domain.errors import DocumentUnreadable
from domain.ingestion.parsed import ParsedDocument

_UNSEEN = frozenset(
    {"script", "style", "nav", "template", "noscript", "head", "title", "svg", "math", "iframe", "object", "canvas"}
)
_BLOCKS = frozenset({
    "address", "article", "aside", "blockquote", "body", "caption", "dd", "details", "dialog", "div", "dl", "dt",
    "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "html",
    "legend", "main", "ol", "p", "pre", "section", "summary", "table", "tbody", "tfoot", "thead", "ul",
})  # fmt: skip
_LINES = frozenset({"br", "li", "tr"})
_CELLS = frozenset({"td", "th"})
_SPACE = re.compile(r"[ \t\n\r\f]+")
_CHARSET = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([a-z0-9_-]{1,40})""", re.IGNORECASE)
_DECLARABLE = re.compile(
    r"(?:windows|cp)-?125[0-8]|iso-8859-\d{1,2}|gb(?:k|2312|18030)|big5|shift_jis|euc-(?:jp|kr)|koi8-[ru]"
)
_DECLARED_WITHIN = 1024
_OPEN_TAG = re.compile(r"<(?=(?:[a-zA-Z/?]|!(?!--))[^<>]*<)")
_COMMENT, _COMMENT_END = "<!--", "-->"
_RESCANNED_CHARACTERS = 20_000_000


def parse_html(data: bytes) -> ParsedDocument:
    """The visible text, without scripts, styles and navigation; the title is <title>, else the first <h1>.

    A declared encoding is honoured when the bytes are not UTF-8. Raises DocumentUnreadable.
    """
    soup = _soup(_defused(_markup(data)))
    return ParsedDocument(text=normalized(storable(_visible(soup))), title=_title(soup))


def _markup(data: bytes) -> str:
    declared = _CHARSET.search(data[:_DECLARED_WITHIN])
    name = declared[1].decode("ascii").lower() if declared else ""
    if not _DECLARABLE.fullmatch(name):
        return decoded(data)
    try:
        return decoded(data)
    except DocumentUnreadable:
        return decoded(data, encoding=name)


def _defused(markup: str) -> str:
    """``markup`` without what makes html.parser slow: it reads on to the end for each tag or comment left open.

    Only where that would add up to much, which no honest page does, their "<" is taken for text.
    """
    if len(markup) * sum(1 for _ in _OPEN_TAG.finditer(markup)) > _RESCANNED_CHARACTERS:
        markup = _OPEN_TAG.sub("&lt;", markup)
    head, end, tail = markup.rpartition(_COMMENT_END)
    if len(tail) * tail.count(_COMMENT) > _RESCANNED_CHARACTERS:
        markup = head + end + tail.replace(_COMMENT, "&lt;!--")
    return markup


def _soup(markup: str) -> BeautifulSoup:
    with warnings.catch_warnings():
        # Short or XML-like documents are fine: neither warning says anything to who submitted them.
        warnings.simplefilter("ignore", MarkupResemblesLocatorWarning)
        warnings.simplefilter("ignore", XMLParsedAsHTMLWarning)
        try:
            return BeautifulSoup(markup, "html.parser")
        except (ParserRejectedMarkup, RecursionError, ValueError):
            raise DocumentUnreadable(
                "The document is not readable as HTML. Check that the file is complete, or submit its text."
            ) from None


def _title(soup: BeautifulSoup) -> str | None:
    for name in ("title", "h1"):
        tag = soup.find(name)
        words = " ".join(normalized(storable(tag.get_text(" "))).split()) if tag else ""
        if words:
            return words
    return None


def _visible(soup: BeautifulSoup) -> str:
    """Walk the tree without recursion: hostile pages nest deeper than the interpreter's stack."""
    page = _Page()
    waiting: list[PageElement | str] = [soup]
    while waiting:
        node = waiting.pop()
        if isinstance(node, str) and not isinstance(node, NavigableString):
            page.close(node)
        elif isinstance(node, Tag):
            if node.name not in _UNSEEN:
                page.open(node.name)
                waiting.append(node.name)
                waiting.extend(reversed(node.contents))
        elif isinstance(node, NavigableString) and not isinstance(node, PreformattedString):
            page.say(str(node))
    return page.text()


class _Page:
    """Collects words; a break that is due is written before the next ones, so that breaks never pile up."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._due = ""
        self._preformatted = 0

    def open(self, name: str) -> None:
        self._preformatted += name == "pre"
        self._break(name)

    def close(self, name: str) -> None:
        self._break(name)
        self._preformatted -= name == "pre"

    def say(self, words: str) -> None:
        if self._preformatted:
            self._write(words)
            return
        collapsed = _SPACE.sub(" ", words)
        if collapsed.startswith(" "):
            self._want(" ")
        if collapsed.strip(" "):
            self._write(collapsed.strip(" "))
            if collapsed.endswith(" "):
                self._want(" ")

    def text(self) -> str:
        return "".join(self._parts).strip("\n ")

    def _break(self, name: str) -> None:
        if name in _BLOCKS:
            self._want("\n\n")
        elif name in _LINES:
            self._want("\n")
        elif name in _CELLS:
            self._want("\t")

    def _want(self, gap: str) -> None:
        strength = ("", " ", "\t", "\n", "\n\n")
        if strength.index(gap) > strength.index(self._due):
            self._due = gap

    def _write(self, words: str) -> None:
        if self._parts:
            self._parts.append(self._due)
        self._due = ""
        self._parts.append(words)
