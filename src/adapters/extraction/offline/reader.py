"""One window, read whole: language, structure, prose, claims."""

from __future__ import annotations

from collections.abc import Iterator

from spacy.language import Language
from spacy.tokens import Doc, Span

from adapters.extraction.offline.antecedents import Antecedents, Named
from adapters.extraction.offline.atoms import unparsed
from adapters.extraction.offline.claims import claims_in
from adapters.extraction.offline.clauses import clauses_of
from adapters.extraction.offline.declared import DeclaredNames
from adapters.extraction.offline.fields import FieldReader
from adapters.extraction.offline.language import is_english
from adapters.extraction.offline.mentions import Scene
from adapters.extraction.offline.names import Kind
from adapters.extraction.offline.nouns import nominal_statements
from adapters.extraction.offline.plain import PlainText, plain_text
from adapters.extraction.offline.relations import statements_of
from adapters.extraction.offline.statements import Statement
from adapters.extraction.offline.structure import BlockForm, blocks_of
from adapters.extraction.offline.temporal import TimePhrase, time_phrases
from domain.ingestion.claims import Extraction, ExtractionWindow, Rejection, SpanClaim

_KNOWN_LANGUAGES = ("en",)


def read_window(nlp: Language, window: ExtractionWindow) -> Extraction:
    """The claims of a window, which depend on that window alone."""
    declared = (window.language or "").casefold().replace("_", "-").split("-")[0]
    if (declared and declared not in _KNOWN_LANGUAGES) or not is_english(window.text):
        if not any(char.isalnum() for char in window.text):
            return Extraction(())
        detail = f"the offline extractor reads English, not {declared or 'this language'}"
        return Extraction((), (Rejection("language_unknown", detail),))
    return _Reading(nlp, window).extraction()


class _Reading:
    def __init__(self, nlp: Language, window: ExtractionWindow) -> None:
        self._nlp, self._window = nlp, window
        self._declared = DeclaredNames(window.entities)
        self._fields = FieldReader(window, self._declared)
        self._antecedents = Antecedents()
        self._kinds: dict[str, Kind] = {}
        self._sentences = 0
        self._results: list[SpanClaim | Rejection] = []

    def extraction(self) -> Extraction:
        blocks = blocks_of(self._window.text, self._window.start == 0)
        self._fields.look_ahead(blocks)
        prose = [block for block in blocks if block.form is BlockForm.PROSE or self._fields.reads_as_prose(block)]
        plains = [plain_text(self._window.text, *block.body) for block in prose]
        docs = iter(self._nlp.pipe([unparsed(self._nlp, plain, self._declared) for plain in plains]))
        texts = iter(plains)
        for block in blocks:
            if block.form is BlockForm.PROSE or self._fields.reads_as_prose(block):
                plain, doc = next(texts), next(docs)
                if not self._fields.is_bare_value(block):
                    self._speaker(self._fields.speaker_of(block))
                    self._read(plain, doc)
                    continue
            self._results.extend(self._fields.read(block))
        claims = tuple(result for result in self._results if isinstance(result, SpanClaim))
        return Extraction(_once(claims), tuple(dict.fromkeys(r for r in self._results if isinstance(r, Rejection))))

    def _speaker(self, where: tuple[int, int] | None) -> None:
        """The speaker of a message is who "I" and "we" stand for until the next block."""
        self._antecedents.speaker = None
        if where is not None:
            name = self._window.text[slice(*where)]
            speaker = Named(name, "person", False, False, *where, self._sentences, False, name.casefold())
            self._antecedents.speaker = speaker
            self._antecedents.add(speaker)

    def _read(self, plain: PlainText, doc: Doc) -> None:
        times = time_phrases(doc, self._window.reference_time)
        scene = Scene(
            plain, self._window.start, self._declared, times, self._antecedents, self._window.text, self._kinds
        )
        scene.title = self._fields.title
        for sentence in doc.sents:
            self._sentences += 1
            scene.sentence = self._sentences
            scene.introduce(sentence)
            if not sentence.text.rstrip("\"'”’) ").endswith("?"):
                found = sentence_statements(sentence, times)
                self._results.extend(claims_in(found, sentence, scene, self._window.reference_time))


def sentence_statements(sentence: Span, times: list[TimePhrase]) -> Iterator[Statement]:
    """Everything that a sentence says, by nouns first, then verb by verb."""
    yield from nominal_statements(sentence)
    for clause in clauses_of(sentence):
        yield from statements_of(clause, times)


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
