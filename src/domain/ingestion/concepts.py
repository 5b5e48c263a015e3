"""A concept as a source states it, and the claims that this makes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from domain.errors import InvalidInput, shown
from domain.ingestion.sensitive import require_name
from domain.knowledge.assertion import Claim, ClaimKind, Mention
from domain.knowledge.concept import CONCEPT, HAS_KIND, HAS_TERM, MAX_TERM, MAX_TERMS, ConceptKind, relation_name
from domain.knowledge.objects import TextValue, folded
from domain.resolution.names import normal_name


@dataclass(frozen=True, slots=True)
class StatedConcept:
    """A concept that one place of a source puts forward. ``put`` is how the source's word counts.

    Raises InvalidInput for a label that is empty or too long, and for terms that are too many or too long.
    """

    label: str
    kind: ConceptKind
    terms: tuple[str, ...] = ()
    confidence: float = 1.0
    put: ClaimKind = ClaimKind.CLAIM
    observed_at: datetime | None = None

    def __post_init__(self) -> None:
        self.mention()
        if len(self.terms) > MAX_TERMS:
            raise InvalidInput(f"a concept has at most {MAX_TERMS} search terms, not {len(self.terms)}", field="terms")
        for term in self.terms:
            if len(term) > MAX_TERM:
                raise InvalidInput(
                    f"a search term has at most {MAX_TERM} characters, not {len(term)}: {shown(term)}", field="terms"
                )

    def mention(self) -> Mention:
        """The label as a name."""
        return Mention(require_name(self.label.strip(), "label"), CONCEPT)

    def stated(self) -> Claim:
        """That the source puts the concept forward: its evidence is the quote."""
        return self._claim(HAS_KIND, TextValue(self.kind.value))

    def termed(self) -> list[Claim]:
        """Each search term once, without the label itself."""
        return [self._claim(HAS_TERM, TextValue(term)) for term in _distinct(self.terms, self.label)]

    def related(self, relation: str, target: str) -> Claim:
        """A relation to the concept of another label. Raises InvalidInput for an unknown one, and for one to itself."""
        name = relation_name(relation)
        other = Mention(require_name(target.strip(), "relation"), CONCEPT)
        require_two(self.mention(), other)
        return self._claim(name, other)

    def _claim(self, predicate: str, target: Mention | TextValue) -> Claim:
        return Claim(self.mention(), predicate, target, self.confidence, kind=self.put, observed_at=self.observed_at)


def require_two(subject: Mention, target: Mention) -> None:
    """Refuse a relation of a concept to itself. Raises InvalidInput."""
    if normal_name(subject.surface) == normal_name(target.surface):
        raise InvalidInput(f"{shown(subject.surface)} is related to itself; name two concepts", field="object")


def _distinct(terms: Iterable[str], label: str) -> list[str]:
    kept: dict[str, str] = {}
    for term in terms:
        if term.strip() and folded(term) != folded(label):
            kept.setdefault(folded(term), term.strip())
    return [*kept.values()]
