"""Banners: what a record says of its own end, or of the end of others, before its first section."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

from adapters.extraction.offline.dates import DATE, parse_period
from adapters.extraction.offline.field_values import Value
from adapters.extraction.offline.plain import plain_text
from adapters.extraction.offline.titles import IDENTIFIER
from domain.knowledge.time import UNKNOWN_BOUND, TimeBound

_NAMES = rf"{IDENTIFIER.pattern}(?:(?:, and|,| and) {IDENTIFIER.pattern})*"
_BANNER = re.compile(
    rf"(?:(?P<done>[Ss]uperseded|[Rr]eplaced)(?: (?:on )?(?P<on>(?i:{DATE})))? by|(?P<does>[Ss]upersedes|[Rr]eplaces))"
    rf" (?P<names>{_NAMES})(?:,? (?:on|since|as of) (?P<since>(?i:{DATE})))?(?:\.(?=\s|$)|$)"
)


@dataclass(frozen=True, slots=True)
class Banner:
    """``by`` says that the names take the document's place, else it takes theirs. Offsets are the window's."""

    status: str
    by: bool
    names: tuple[Value, ...]
    since: TimeBound
    span: tuple[int, int]

    @property
    def predicate(self) -> str:
        """The relation from what is newer to what is older."""
        return "REPLACES" if self.status.casefold().startswith("replace") else "SUPERSEDES"


def banner_in(window: str, body: tuple[int, int], reference: datetime | None) -> Banner | None:
    """The banner that a paragraph opens with. It names records by identifiers, so that no remark is taken for one."""
    plain = plain_text(window, *body)
    if (match := _BANNER.match(plain.text)) is None:
        return None
    names = tuple(
        Value(name[0], plain.origin[name.start()])
        for name in IDENTIFIER.finditer(plain.text, match.start("names"), match.end("names"))
    )
    stated = match["on"] or match["since"]
    period = parse_period(stated, reference) if stated else None
    since = TimeBound.stated(period.start, period.precision) if period else UNKNOWN_BOUND
    done = match["done"]
    return Banner(done or match["does"], done is not None, names, since, plain.to_window(*match.span()))
