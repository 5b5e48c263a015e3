"""English amounts as exact numbers with a unit."""

from __future__ import annotations

import re
from decimal import Decimal

from domain.knowledge.objects import NumberValue
from domain.knowledge.units import unit_name

_SCALES = {"thousand": 3, "k": 3, "million": 6, "m": 6, "mn": 6, "billion": 9, "bn": 9, "trillion": 12}
_COUNTING = "zero one two three four five six seven eight nine ten eleven twelve"
_WORDS: dict[str, int] = {word: value for value, word in enumerate(_COUNTING.split())}
_AMOUNT = re.compile(
    r"(?:(?P<hedge>about|around|approximately|some|nearly|over|more than|at least|up to|almost)\s)?"
    r"(?P<symbol>us\$|[$€£¥])?\s?(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|" + "|".join(_WORDS) + r")"
    r"(?:\s?(?P<scale>thousand|million|billion|trillion|bn|mn|[km])(?![a-z]))?"
    r"(?:\s?(?P<unit>%|per cent|percent|[a-z][a-z/]*(?:\s[a-z]+)?))?",
    re.IGNORECASE,
)


def parse_amount(text: str) -> NumberValue | None:
    """``$4.2 billion``, ``350,000 euros``, ``12 percent``, ``1,250 people``; None when it is not exactly that.

    A hedged amount ("about 40") is not exact and gives None too.
    """
    match = _AMOUNT.fullmatch(re.sub(r"\s+", " ", text.strip()))
    if match is None or match["hedge"]:
        return None
    digits = match["digits"].replace(",", "").casefold()
    value = Decimal(_WORDS[digits]) if digits in _WORDS else Decimal(digits)
    if scale := match["scale"]:
        value = value.scaleb(_SCALES[scale.casefold()])
    unit = match["unit"]
    if symbol := match["symbol"]:
        return NumberValue(_plain(value), unit_name(symbol)) if unit is None else None
    return NumberValue(_plain(value), unit_name(unit))


def _plain(value: Decimal) -> Decimal:
    """Without an exponent: 4.2 billion is 4200000000, not 4.2E+9."""
    return Decimal(format(value, "f"))
