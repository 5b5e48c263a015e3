"""Claims from a document's structure: "Key: value" lines, front matter, tables, section values and action items.

They are said of the nearest heading that is a name, else of the document's title. Only keys that the lexicon knows
count, so that a list of remarks does not turn into facts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from adapters.extraction.offline.actions import action_item
from adapters.extraction.offline.banners import banner_in
from adapters.extraction.offline.declared import DeclaredNames
from adapters.extraction.offline.field_values import Value, objects_of, stripped
from adapters.extraction.offline.lexicon import LEXICON
from adapters.extraction.offline.structure import Block, BlockForm, Span
from adapters.extraction.offline.titles import IDENTIFIER, kind_in, named_in
from domain.ingestion.claims import ExtractionWindow, Rejection, SpanClaim
from domain.knowledge.assertion import MAX_EXCERPT, MAX_NAME, Claim, ClaimKind, Mention
from domain.knowledge.objects import Literal, TextValue
from domain.knowledge.time import UNKNOWN_BOUND, Precision, TimeBound

_NAME = re.compile(r"[A-Z][\w’'.-]*(?: [A-Z][\w’'.-]*){0,3}")
_CLOCK = re.compile(r"\s*[\[(]?\d[\d:TZ ./-]*(?:[AaPp][Mm])?[\])]?$")
_STATUS_LINK = re.compile(
    r"(?P<status>superseded|replaced|deprecated|supersedes|replaces)(?: by)?\s+(?P<name>\S.*)", re.IGNORECASE
)
_NEXT_SENTENCE = re.compile(r"(?<=\w\w)[.!?]\s+(?=[A-Z])")
_CONFIDENCE = 0.9
_ACTS = frozenset({"SUPERSEDES", "REPLACES"})
"""What a document does by being decided: it holds from the document's own date."""
_SUPERSEDED = "Superseded"
_KEY_HEADERS = frozenset({"field", "key", "property", "attribute", "item", "name", ""})
_SPOKEN_WORDS = 3


class FieldReader:
    """Follows the headings of one window and reads its fields in order."""

    def __init__(self, window: ExtractionWindow, declared: DeclaredNames, language: str | None) -> None:
        self._window = window
        self._declared = declared
        self._language = language
        self._in_actions = False
        self._text = window.text
        self._title = self._named(window.title, None) if window.title else None
        self._subject = self._title
        self._section: str | None = None
        self._opening = window.start == 0
        at = window.reference_time if window.dated else None
        self._dated = UNKNOWN_BOUND if at is None else TimeBound.stated(at, Precision.DAY)

    def look_ahead(self, blocks: Sequence[Block]) -> None:
        """Take the title from the front matter or the first heading when the window brings none."""
        for block in blocks if self._title is None else ():
            if (block.front and self._key(block.key) == "title") or (
                block.form is BlockForm.HEADING and block.level == 1
            ):
                self._title = self._subject = self._named(self._text[slice(*block.body)], block.body[0])
                return

    @property
    def title(self) -> Mention | None:
        """What "this document" stands for."""
        return self._title

    def speaker_of(self, block: Block) -> Span | None:
        """Where the speaker's name stands when the line is a message, "Speaker: text"."""
        if not self.reads_as_prose(block) or block.key is None or block.front:
            return None
        start, end = block.key
        if self._text[self._text.rfind("\n", 0, start) + 1 : start].strip():
            return None  # a bullet or a bold word opens a remark, not a message
        name = _CLOCK.sub("", self._text[start:end])
        plain = _NAME.fullmatch(name) and name.casefold() not in LEXICON.words["field_subject_headings"]
        return (start, start + len(name)) if plain and name.casefold() not in LEXICON.words["junk_keys"] else None

    def reads_as_prose(self, block: Block) -> bool:
        """Whether a line with an unknown key carries a sentence."""
        if block.form is not BlockForm.FIELD or block.front or self._key(block.key) in LEXICON.fields:
            return False
        start, end = block.body
        return len(self._text[start:end].split()) >= _SPOKEN_WORDS

    def is_bare_value(self, block: Block) -> bool:
        """Whether a paragraph is only the value of its section, like "Accepted" under "Status"."""
        start, end = block.body
        value = self._text[start:end].strip()
        if block.form is BlockForm.HEADING:
            return False
        return self._section is not None and "\n" not in value and len(value) <= 80 and not value.endswith((".", ":"))

    def is_action(self, block: Block) -> bool:
        """Whether a paragraph or a point stands under "Action items": it is read as items, not as what is so."""
        start, end = block.body
        return self._in_actions and block.stamp is None and len(self._text[start:end].split()) >= _SPOKEN_WORDS

    def banner(self, block: Block) -> list[SpanClaim]:
        """What a paragraph before the first section says of the document: "Superseded by ADR-7."."""
        found = banner_in(self._text, block.body, self._window.reference_time) if self._opening else None
        if found is None or self._title is None:
            return []
        claims: list[SpanClaim] = []
        if found.by:
            claims += self._claim(self._title, "HAS_STATUS", TextValue(found.status, self._language), found.span)
        for name in found.names:
            start = self._window.start + name.start
            other = Mention(name.text, kind_in(name.text, self._declared), start, start + len(name.text))
            first, second = (other, self._title) if found.by else (self._title, other)
            claims += self._claim(first, found.predicate, second, found.span, since=found.since)
        return claims

    def read(self, block: Block) -> list[SpanClaim | Rejection]:
        """The claims of one block that is not prose, and of a section's bare value."""
        section, self._section = self._section, None
        match block.form:
            case BlockForm.HEADING:
                self._heading(block)
                return []
            case BlockForm.FIELD:
                return [*self._field(self._key(block.key), block.body, block.span, self._subject, block)]
            case BlockForm.ROW:
                return [*self._row(block)]
            case BlockForm.ACTION:
                return [*self._action(block.body, block.span)]
            case BlockForm.PROSE if self.is_action(block):
                return [found for line in self._lines(block) for found in self._action(line, line)]
            case BlockForm.PROSE:
                return [*self._field(section or "", block.body, block.span, self._subject, block)]

    def _heading(self, block: Block) -> None:
        self._opening = self._opening and block.level == 1
        text = self._text[slice(*block.body)]
        key = stripped(text, 0).text.casefold()
        self._section = key if key in LEXICON.fields else None
        self._in_actions = key in LEXICON.words["action_headings"]
        if key in LEXICON.words["field_subject_headings"] or key in LEXICON.fields or self._in_actions:
            if block.level <= 2:
                self._subject = self._title
        elif block.level == 1:
            self._title = self._subject = self._named(text, block.body[0])
        elif IDENTIFIER.match(text) or _NAME.fullmatch(text) or text.split()[-1].casefold() in LEXICON.things:
            self._subject = self._named(text, block.body[0])

    def _named(self, text: str, offset: int | None) -> Mention | None:
        """The entity that a title names: its identifier where it opens with one."""
        value = named_in(text)
        name = value.text
        if not name or len(name) > MAX_NAME:
            return None
        start = None if offset is None else self._window.start + offset + value.start
        end = None if start is None else start + len(name)
        return Mention(name, kind_in(name, self._declared), start, end, antecedent=True)

    def _lines(self, block: Block) -> Iterator[Span]:
        start, end = block.body
        for line in re.finditer(r"[^\n]+", self._text[start:end]):
            if line[0].strip() and not line[0].rstrip().endswith(":"):
                yield start + line.start(), start + line.end()

    def _key(self, span: Span | None) -> str:
        words = self._text[slice(*span)] if span else ""
        return " ".join(re.sub(r"[_*-]+", " ", words).split()).casefold()

    def _field(
        self, key: str, body: Span, span: Span, subject: Mention | None, block: Block
    ) -> Iterator[SpanClaim | Rejection]:
        value = stripped(self._text[slice(*body)], body[0])
        if key not in LEXICON.fields or not value.text:
            return
        if subject is None:
            yield Rejection("subject_missing", f"{self._text[slice(*span)][:200]!r} stands under no heading or title")
            return
        meaning, form = LEXICON.fields[key]
        if form == "text":
            value = Value(_NEXT_SENTENCE.split(value.text)[0], value.start)
        if meaning.predicate == "HAS_STATUS" and (link := _STATUS_LINK.fullmatch(value.text)):
            yield from self._status(link, value, span, subject)
            return
        for target in objects_of(value, form, self._window, self._declared, self._language):
            if isinstance(target, Mention) and meaning.inverse:
                yield from self._claim(target, meaning.predicate, subject, span)
            elif not meaning.inverse:
                yield from self._claim(subject, meaning.predicate, target, span)
                if meaning.predicate == "SUPERSEDES" and isinstance(target, Mention) and subject == self._title:
                    yield from self._over(target, span)

    def _status(self, link: re.Match[str], value: Value, span: Span, subject: Mention) -> Iterator[SpanClaim]:
        status = link["status"].casefold()
        predicate = "REPLACES" if status.startswith("replace") else "SUPERSEDES"
        yield from self._claim(subject, "HAS_STATUS", TextValue(link["status"], self._language), span)
        named = stripped(link["name"], value.start + link.start("name"))
        for target in objects_of(named, "entities", self._window, self._declared, self._language):
            if isinstance(target, Mention):
                first, second = (subject, target) if status in ("supersedes", "replaces") else (target, subject)
                yield from self._claim(first, predicate, second, span)

    def _over(self, other: Mention, span: Span) -> Iterator[SpanClaim]:
        """A record that a dated one supersedes has that status from then on."""
        if self._dated != UNKNOWN_BOUND and other.kind == "document":
            status = TextValue(_SUPERSEDED, self._language)
            yield from self._claim(other, "HAS_STATUS", status, span, since=self._dated)

    def _row(self, block: Block) -> Iterator[SpanClaim | Rejection]:
        headers = [self._key(cell) for cell in block.header]
        if len(block.cells) != len(headers) or len(headers) < 2:
            return
        if len(headers) == 2 and headers[0] in _KEY_HEADERS and headers[1] not in LEXICON.fields:
            yield from self._field(self._key(block.cells[0]), block.cells[1], block.span, self._subject, block)
            return
        name = stripped(self._text[slice(*block.cells[0])], block.cells[0][0])
        if name.text and len(name.text) <= 80:
            start = self._window.start + name.start
            subject = Mention(name.text, self._declared.kind_of(name.text), start, start + len(name.text))
            for header, cell in zip(headers[1:], block.cells[1:], strict=True):
                yield from self._field(header, cell, block.span, subject, block)

    def _action(self, body: Span, span: Span) -> Iterator[SpanClaim | Rejection]:
        value = stripped(self._text[slice(*body)], body[0])
        item = action_item(value, self._declared, self._window.reference_time)
        subject = self._subject
        if item.who is not None:
            start = self._window.start + item.who.start
            kind = self._declared.kind_of(item.who.text)
            subject = Mention(item.who.text, kind, start, start + len(item.who.text))
        if subject is None:
            yield Rejection("subject_missing", f"{value.text[:200]!r} names nobody and stands under no title")
        elif item.what:
            details = {"due": item.due} if item.due else {}
            yield from self._claim(subject, "HAS_ACTION_ITEM", TextValue(item.what, self._language), span, details)

    def _claim(
        self,
        subject: Mention,
        predicate: str,
        target: Mention | Literal,
        span: Span,
        qualifiers: dict[str, str] | None = None,
        since: TimeBound = UNKNOWN_BOUND,
    ) -> Iterator[SpanClaim]:
        excerpt = self._text[slice(*span)].strip()
        start = self._text.index(excerpt, span[0]) if excerpt else span[0]
        if not 0 < len(excerpt) <= MAX_EXCERPT:
            return
        if predicate in _ACTS and subject == self._title and since == UNKNOWN_BOUND:
            since = self._dated
        claim = Claim(
            subject, predicate, target, _CONFIDENCE, kind=ClaimKind.FACT, qualifiers=qualifiers or {}, valid_from=since
        )
        yield SpanClaim(claim, excerpt, self._window.start + start, self._window.start + start + len(excerpt))
