"""One window, read whole: language, structure, prose, claims."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from spacy.language import Language
from spacy.tokens import Doc, Span

from adapters.extraction.offline.antecedents import REACH, Antecedents, Named
from adapters.extraction.offline.atoms import small_words, unparsed
from adapters.extraction.offline.claims import claims_in
from adapters.extraction.offline.clauses import Clause, clauses_of
from adapters.extraction.offline.dates import parse_period
from adapters.extraction.offline.declared import DeclaredNames
from adapters.extraction.offline.fields import FieldReader
from adapters.extraction.offline.language import is_english
from adapters.extraction.offline.mentions import Scene
from adapters.extraction.offline.names import Kind
from adapters.extraction.offline.nouns import nominal_statements
from adapters.extraction.offline.plain import PlainText, plain_text
from adapters.extraction.offline.relations import statements_of
from adapters.extraction.offline.statements import Statement
from adapters.extraction.offline.structure import Block, BlockForm, blocks_of
from adapters.extraction.offline.temporal import Extent, TimePhrase, time_phrases
from adapters.extraction.offline.titles import IDENTIFIER, event_in, kind_in
from adapters.extraction.offline.wellformed import is_fragment, states_something
from domain.ingestion.claims import Extraction, ExtractionWindow, Rejection, SpanClaim
from domain.knowledge.assertion import Mention

_KNOWN_LANGUAGES = ("en",)


def read_window(nlp: Language, window: ExtractionWindow) -> Extraction:
    """The claims of a window, which depend on that window alone.

    Without rules for its language these are what its fields say, with the rejection ``language_unknown``.
    """
    declared = (window.language or "").casefold().replace("_", "-").split("-")[0]
    if (not declared or declared in _KNOWN_LANGUAGES) and is_english(window.text):
        return _Reading(nlp, window, "en").extraction()
    if not any(char.isalnum() for char in window.text):
        return Extraction(())
    detail = f"the offline extractor reads English, not {declared or 'this language'}"
    fields = _Reading(nlp, window, declared or None).fields_only()
    return Extraction(fields, (Rejection("language_unknown", detail),))


class _Reading:
    def __init__(self, nlp: Language, window: ExtractionWindow, language: str | None) -> None:
        self._nlp, self._window = nlp, window
        self._declared = DeclaredNames(window.entities)
        self._fields = FieldReader(window, self._declared, language)
        self._antecedents = Antecedents()
        self._kinds: dict[str, Kind] = {}
        self._roles: dict[str, set[str]] = {}
        self._sentences = 0
        self._results: list[SpanClaim | Rejection] = []

    def fields_only(self) -> tuple[SpanClaim, ...]:
        """What the structure says in any language: lines and tables whose key the lexicon knows."""
        blocks = blocks_of(self._window.text, self._window.start == 0)
        self._fields.look_ahead(blocks)
        for block in blocks:
            if block.form is not BlockForm.PROSE or self._fields.is_bare_value(block):
                self._results.extend(self._fields.read(block))
        return _once(tuple(result for result in self._results if isinstance(result, SpanClaim)))

    def extraction(self) -> Extraction:
        """Everything: structure, then prose by its grammar, in the order of the text."""
        blocks = blocks_of(self._window.text, self._window.start == 0)
        self._fields.look_ahead(blocks)
        prose = [block for block in blocks if block.form is BlockForm.PROSE or self._fields.reads_as_prose(block)]
        plains = [plain_text(self._window.text, *block.body) for block in prose]
        small = small_words(self._window.text)
        docs = iter(self._nlp.pipe([unparsed(self._nlp, plain, self._declared, small) for plain in plains]))
        texts = iter(plains)
        for block in blocks:
            if block.form is BlockForm.PROSE or self._fields.reads_as_prose(block):
                plain, doc = next(texts), next(docs)
                if not self._fields.is_bare_value(block) and not self._fields.is_action(block):
                    self._results.extend(self._fields.banner(block))
                    self._speaker(self._fields.speaker_of(block))
                    self._read(plain, doc, block)
                    continue
            elif block.form is BlockForm.HEADING:
                self._new_section(block)
            self._results.extend(self._fields.read(block))
        claims = tuple(self._with_roles(result) for result in self._results if isinstance(result, SpanClaim))
        return Extraction(_once(claims), tuple(dict.fromkeys(r for r in self._results if isinstance(r, Rejection))))

    def _with_roles(self, found: SpanClaim) -> SpanClaim:
        """Who works for somebody is a person in every sentence, whatever the recogniser takes the name for."""
        claim = found.claim
        target = self._in_role(claim.object) if isinstance(claim.object, Mention) else claim.object
        return replace(found, claim=replace(claim, subject=self._in_role(claim.subject), object=target))

    def _in_role(self, mention: Mention) -> Mention:
        roles = self._roles.get(mention.surface, set())
        kind = self._kinds.get(mention.surface)
        sure = (kind is not None and kind.sure) or self._declared.kind_of(mention.surface) is not None
        return replace(mention, kind=next(iter(roles))) if len(roles) == 1 and not sure else mention

    def _new_section(self, block: Block) -> None:
        """No pronoun reaches over a heading; an incident that the heading names is what "the outage" stands for."""
        self._sentences += REACH + 1
        start, end = block.body
        for match in IDENTIFIER.finditer(self._window.text, start, end):
            kind = kind_in(match[0], self._declared)
            self._antecedents.add(
                Named(match[0], kind, kind is not None, False, *match.span(), self._sentences, True, "")
            )

    def _speaker(self, where: tuple[int, int] | None) -> None:
        """The speaker of a message is who "I" and "we" stand for until the next block."""
        self._antecedents.speaker = None
        if where is not None:
            name = self._window.text[slice(*where)]
            speaker = Named(name, "person", False, False, *where, self._sentences, False, name.casefold())
            self._antecedents.speaker = speaker
            self._antecedents.add(speaker)

    def _read(self, plain: PlainText, doc: Doc, block: Block) -> None:
        times = time_phrases(doc, self._window.reference_time)
        scene = Scene(
            plain,
            self._window.start,
            self._declared,
            times,
            self._antecedents,
            self._window.text,
            self._kinds,
            self._roles,
        )
        scene.title, scene.incident = self._fields.title, event_in(self._window.title)
        for sentence in doc.sents:
            self._sentences += 1
            scene.sentence = self._sentences
            scene.introduce(sentence)
            if not sentence.text.rstrip("\"'”’) ").endswith("?") and states_something(sentence):
                stamped = self._stamped(block, sentence) if sentence.start == 0 else []
                scene.opening = block.stamp[0] if block.stamp and sentence.start == 0 else None
                found = sentence_statements(sentence, [*times, *stamped])
                self._results.extend(claims_in(found, sentence, scene, self._window.reference_time))

    def _stamped(self, block: Block, sentence: Span) -> list[TimePhrase]:
        """The date that a line of a log opens with dates its first sentence."""
        if block.stamp is None:
            return []
        stamp = self._window.text[slice(*block.stamp)].strip("[] ")
        full = parse_period(f"{stamp.removesuffix('UTC').rstrip()}Z" if block.in_utc else stamp, None)
        period = full or parse_period(stamp[:10], None)
        return [] if period is None else [TimePhrase(0, -1, Extent.DURING, period, None, sentence.root)]


def sentence_statements(sentence: Span, times: list[TimePhrase]) -> Iterator[Statement]:
    """Everything that a sentence says, by nouns first, then verb by verb."""
    yield from nominal_statements(sentence)
    fragment = is_fragment(sentence)
    for clause in clauses_of(sentence):
        said = statements_of(clause, times)
        yield from (replace(one, loose=True) if fragment and _is_weak(one, clause) else one for one in said)


def _is_weak(statement: Statement, clause: Clause) -> bool:
    """In a fragment only a known predicate of a noun's own participle counts ("Acme, founded in 1990")."""
    return not statement.known or clause.verb.dep_ != "acl"


def _once(claims: tuple[SpanClaim, ...]) -> tuple[SpanClaim, ...]:
    """Without repeats of the same claim; the surest stays."""
    best: dict[tuple[object, ...], SpanClaim] = {}
    for found in claims:
        claim = found.claim
        about = claim.object if not hasattr(claim.object, "surface") else claim.object.surface
        key = (claim.subject.surface, claim.predicate, about, claim.polarity, claim.valid_from, claim.valid_to)
        if key not in best or best[key].claim.confidence < claim.confidence:
            best[key] = found
    return tuple(best.values())
