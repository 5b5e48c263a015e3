"""Secrets and personal data: what there is, what becomes of it, and how a text reads without it."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from domain.errors import InvalidInput, SensitiveName, shown


class SensitiveKind(StrEnum):
    """What a value is. The order is that of precedence: of two findings that overlap, the earlier kind counts."""

    PRIVATE_KEY = "private_key"
    ASSAY_KEY = "assay_key"
    JWT = "jwt"
    CLOUD_KEY = "cloud_key"
    TOKEN = "token"  # noqa: S105, the name of a kind
    PASSWORD = "password"  # noqa: S105, the name of a kind
    IBAN = "iban"
    CARD = "card"
    EMAIL = "email"
    PHONE = "phone"


class Treatment(StrEnum):
    """What becomes of a text with such a value.

    Redacted: the value is masked before anything reads it. Quarantined: nothing is read until a person approves.
    Allowed: it stays, and is counted.
    """

    REDACT = "redact"
    QUARANTINE = "quarantine"
    ALLOW = "allow"


SECRETS = frozenset(
    {
        SensitiveKind.PRIVATE_KEY,
        SensitiveKind.ASSAY_KEY,
        SensitiveKind.JWT,
        SensitiveKind.CLOUD_KEY,
        SensitiveKind.TOKEN,
        SensitiveKind.PASSWORD,
    }
)
"""What opens something to whoever holds it."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A value of a kind at ``[start, end)``, in code points."""

    kind: SensitiveKind
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class SensitivePolicy:
    """What becomes of each kind."""

    treatments: Mapping[SensitiveKind, Treatment]

    def of(self, kind: SensitiveKind) -> Treatment:
        """The treatment of a kind."""
        return self.treatments[kind]

    def over(self, wider: SensitivePolicy) -> SensitivePolicy:
        """Each kind redacted where either says so; else as this says. What was masked once is not brought back."""
        return SensitivePolicy(
            {k: Treatment.REDACT if wider.of(k) is Treatment.REDACT else t for k, t in self.treatments.items()}
        )

    def stated(self) -> dict[str, str]:
        """As JSON."""
        return {kind.value: treatment.value for kind, treatment in self.treatments.items()}


DEFAULT_POLICY = SensitivePolicy(
    MappingProxyType(
        {
            kind: Treatment.ALLOW if kind in (SensitiveKind.EMAIL, SensitiveKind.PHONE) else Treatment.REDACT
            for kind in SensitiveKind
        }
    )
)
"""Secrets and account numbers are of no use as knowledge; how to reach somebody is."""


def policy_of(*stated: Mapping[str, object] | None) -> SensitivePolicy:
    """The default, changed by each of ``stated`` in turn: kind to treatment as JSON. Raises InvalidInput."""
    treatments = dict(DEFAULT_POLICY.treatments)
    for layer in stated:
        for name, value in (layer or {}).items():
            try:
                kind = SensitiveKind(name)
            except ValueError:
                kinds = ", ".join(each.value for each in SensitiveKind)
                raise InvalidInput(f"{shown(name)} is none of the kinds {kinds}", field="sensitive") from None
            try:
                treatments[kind] = Treatment(str(value))
            except ValueError:
                ways = ", ".join(each.value for each in Treatment)
                raise InvalidInput(f"{kind}: {shown(value)} is none of {ways}", field="sensitive") from None
    return SensitivePolicy(treatments)


def without_overlaps(findings: Iterable[Finding]) -> list[Finding]:
    """In order of place; of those that overlap the earlier kind, then the longer one."""
    ranks = {kind: rank for rank, kind in enumerate(SensitiveKind)}
    kept: list[Finding] = []
    for found in sorted(findings, key=lambda f: (ranks[f.kind], f.start - f.end, f.start)):
        at = bisect_left(kept, found.end, key=lambda f: f.start)
        if at == 0 or kept[at - 1].end <= found.start:
            kept.insert(at, found)
    return kept


def masked(text: str, findings: Sequence[Finding], redacts: Callable[[SensitiveKind], bool]) -> str:
    """The text with a mask of the same length in the place of each value that is redacted, so that offsets hold."""
    parts, at = list[str](), 0
    for found in findings:
        if redacts(found.kind):
            parts += (text[at : found.start], mask(found.kind, found.end - found.start))
            at = found.end
    return "".join((*parts, text[at:])) if parts else text


def mask(kind: SensitiveKind, length: int) -> str:
    """What stands for a value: its kind in brackets where that fits, filled up with dots to the length."""
    label = f"[{kind.value}]"
    return label + "•" * (length - len(label)) if len(label) <= length else "•" * length


_LABELS = "|".join(kind.value for kind in SensitiveKind)
_MASK = re.compile(rf"•{{2,}}|(?:{_LABELS})\]•|\[(?:password|email|phone)\]")
"""Also a piece of one. Only values of these three kinds can be as short as their label."""


def holds_mask(text: str) -> bool:
    """Whether something in the text was masked, so that it is the name of nothing."""
    return _MASK.search(text) is not None


def require_name(name: str, field: str) -> str:
    """The name of an entity. Raises SensitiveName, without the value, for one that holds a mask."""
    if holds_mask(name):
        raise SensitiveName(
            f"{field} holds a masked secret or number, which is no name; name it by something else, or give the value "
            "as a text",
            field=field,
        )
    return name


def counted(findings: Iterable[Finding]) -> dict[str, int]:
    """How many of each kind."""
    return dict(sorted(Counter(found.kind.value for found in findings).items()))
