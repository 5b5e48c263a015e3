"""Statements to claims: names, typed objects, polarity, kind, confidence, valid time, asserter and evidence."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from spacy.tokens import Span, Token

from adapters.extraction.offline.antecedents import is_reference
from adapters.extraction.offline.attribution import Attribution, attribution_of
from adapters.extraction.offline.dates import period_name
from adapters.extraction.offline.evidence import excerpt_span
from adapters.extraction.offline.lexicon import LEXICON
from adapters.extraction.offline.mentions import Scene
from adapters.extraction.offline.names import is_proper, phrase_of
from adapters.extraction.offline.statements import Statement
from adapters.extraction.offline.temporal import Extent, bounds_of
from domain.ingestion.claims import Rejection, SpanClaim
from domain.knowledge.assertion import Claim, ClaimKind, Mention, Polarity
from domain.knowledge.core_vocabulary import CORE_VOCABULARY
from domain.knowledge.objects import Literal, NumberValue, TextValue
from domain.knowledge.predicate import MAX_PREDICATE, PredicatePolicy, Vocabulary, predicate_name
from domain.knowledge.time import UNKNOWN_BOUND, BoundState, Precision, TimeBound

_KNOWN, _OWN_WORDS, _MODAL, _REPORTED, _OPINION = 0.85, 0.65, 0.5, 0.7, 0.6
_LONG_SENTENCE = 45
_CORE = Vocabulary.of(CORE_VOCABULARY)


def claims_in(
    statements: Iterator[Statement], sentence: Span, scene: Scene, reference: datetime | None
) -> Iterator[SpanClaim | Rejection]:
    """What becomes of every statement of a sentence, in order."""
    for statement in statements:
        if not statement.loose and (result := _claim(statement, sentence, scene, reference)) is not None:
            yield result


def _claim(
    statement: Statement, sentence: Span, scene: Scene, reference: datetime | None
) -> SpanClaim | Rejection | None:
    predicate = _predicate(statement)
    kinds = LEXICON.kinds.get(statement.predicate, (None, None))
    attribution = attribution_of(statement.clause.verb if statement.clause else None)
    if predicate is None or (attribution is not None and attribution.denied):
        return None
    if statement.clause is not None and statement.clause.modality == "denied":
        return None
    subject = scene.mention(statement.subject, kinds[0])
    if subject is None:
        return _unnamed(statement.subject, sentence)
    amounts = not statement.known or LEXICON.has("numeric", predicate)
    target = scene.object_of(statement.object, sentence.doc, kinds[1], amounts)
    if target is None:
        return _unnamed(statement.object, sentence) if isinstance(statement.object, Token) else None
    if isinstance(target, NumberValue) and target.unit is None and not statement.known:
        return None
    if isinstance(target, TextValue) and kinds[1] is not None:
        return None
    policy = _CORE.policy(predicate)
    if not isinstance(target, Mention) and (policy.inverse_of is not None or policy.symmetric):
        return None
    if isinstance(target, Mention) and target.surface.casefold() == subject.surface.casefold():
        return None
    if LEXICON.has("technical", predicate):
        target = scene.without_guess(target, "organization", "person") if isinstance(target, Mention) else target
        subject = scene.without_guess(subject, "person")
    if LEXICON.has("led_by_people", predicate):
        subject = scene.without_guess(subject, "organization", "place")
    if not statement.known and subject.antecedent and (isinstance(target, TextValue) or _refers(target)):
        return None
    bounds = _bounds(statement, reference)
    if bounds is None:
        return Rejection("end_unknown", f"{sentence.text[:200]!r} is over, and nothing says what it is relative to")
    span = excerpt_span(statement, sentence, scene.plain, scene.opening)
    if span is None:
        return Rejection("excerpt_too_long", sentence.text[:200])
    claim = Claim(
        subject,
        predicate,
        target,
        _confidence(statement, subject, target, attribution, len(sentence)),
        Polarity.REFUTE if _refuted(statement) else Polarity.SUPPORT,
        _kind(statement, target, attribution),
        _asserter(attribution, scene),
        *bounds,
        qualifiers=_qualifiers(statement, policy),
    )
    return SpanClaim(claim, scene.window[span[0] : span[1]], scene.start + span[0], scene.start + span[1])


def _refers(target: Mention | Literal) -> bool:
    return isinstance(target, Mention) and target.antecedent


def _predicate(statement: Statement) -> str | None:
    words = statement.predicate.strip("_ ")
    if len(words) > MAX_PREDICATE or not any(char.isalnum() for char in words):
        return None
    return statement.predicate if statement.known else predicate_name(words)


def _unnamed(token: Token, sentence: Span) -> Rejection | None:
    """Worth telling for pronouns and descriptions only; other words simply name nothing."""
    if not is_reference(phrase_of(token)):
        return None
    return Rejection("no_antecedent", f"{token.text!r} in {sentence.text[:200]!r}")


def _qualifiers(statement: Statement, policy: PredicatePolicy) -> dict[str, str]:
    """The period that an amount is of, that something is over without a stated end, and how surely it is said."""
    details = {"ended": "true"} if _ended(statement) else {}
    if statement.clause is not None and statement.clause.modality is not None:
        details["modality"] = statement.clause.modality
    periods = [phrase.period for phrase in statement.times if phrase.extent is Extent.DURING]
    if "period" in policy.qualifiers and periods:
        details["period"] = period_name(periods[0])
    return details


def _ended(statement: Statement) -> bool:
    """Said to be over, or a post or a part that somebody or something only "was", with no time given."""
    clause = statement.clause
    if statement.ended or clause is None:
        return statement.ended
    lapsed = clause.lemma == "be" and clause.verb.tag_ == "VBD" and not statement.times
    return clause.ended or (lapsed and LEXICON.has("lapsing", statement.predicate))


def _refuted(statement: Statement) -> bool:
    if isinstance(statement.object, Token) and any(
        c.lower_ == "no" and c.dep_ == "det" for c in statement.object.children
    ):
        return statement.clause is None or not statement.clause.negated
    return statement.clause is not None and statement.clause.negated


def _bounds(statement: Statement, reference: datetime | None) -> tuple[TimeBound, TimeBound] | None:
    """Valid time; None where it is over but no end can be given. "No longer" ends at the reference."""
    start, end = UNKNOWN_BOUND, UNKNOWN_BOUND
    if not LEXICON.has("timeless", statement.predicate):
        start, end = bounds_of(statement.times, statement.starts_only)
        if statement.clause is not None and statement.clause.stopped:
            start, end = UNKNOWN_BOUND, start
    if _ended(statement) and end.state is BoundState.UNKNOWN:
        if reference is None:
            return None
        end = TimeBound.stated(reference, Precision.DAY)
        if start.value is not None and start.value >= reference:
            start = UNKNOWN_BOUND
    return start, end


def _kind(statement: Statement, target: Mention | Literal, attribution: Attribution | None) -> ClaimKind:
    """A fact only when a plain declarative with a known verb links two named or exact ends."""
    if attribution is not None:
        return ClaimKind.OPINION if attribution.opinion else ClaimKind.CLAIM
    plain = statement.clause is None or statement.clause.modality is None
    if plain and statement.known and not isinstance(target, TextValue):
        return ClaimKind.FACT
    return ClaimKind.CLAIM


def _confidence(
    statement: Statement, subject: Mention, target: Mention | Literal, attribution: Attribution | None, words: int
) -> float:
    value = _KNOWN if statement.known else _OWN_WORDS
    if attribution is not None:
        value = min(value, _OPINION if attribution.opinion else _REPORTED)
    if statement.clause is not None and statement.clause.modality is not None:
        return _MODAL
    value -= 0.1 * subject.antecedent + 0.1 * (isinstance(target, Mention) and target.antecedent)
    value -= 0.05 * isinstance(target, TextValue) + 0.05 * (words > _LONG_SENTENCE)
    return round(max(value, 0.3), 2)


def _asserter(attribution: Attribution | None, scene: Scene) -> str | None:
    if attribution is None or attribution.asserter is None:
        return None
    mention = scene.mention(attribution.asserter, None)
    if mention is not None:
        return mention.surface
    return attribution.asserter.text if is_proper(attribution.asserter) else None
