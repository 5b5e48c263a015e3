"""Numbers that carry their own check: payment cards, bank accounts, telephone numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain

import phonenumbers
from stdnum import iban, luhn

from domain.ingestion.sensitive import Finding, SensitiveKind

_CARD_RUN = re.compile(r"(?<!\w)(?<!\d\.)\d(?:[ -]?\d){11,23}(?!\w)")
_DOTTED_CARD = re.compile(r"(?<!\w)(?<!\d\.)\d{4}(?:(?:\.\d{4}){3}(?:\.\d{3})?|\.\d{6}\.\d{4,5})(?!\w)(?!\.\d)")
"""Dots only in the groups that cards are printed in: in groups of three they write large numbers."""
_ISSUERS: tuple[tuple[re.Pattern[str], tuple[int, ...]], ...] = (
    (re.compile(r"4"), (13, 16, 19)),
    (re.compile(r"5[1-5]|2(?:22[1-9]|2[3-9]|[3-6]|7[01]|720)"), (16,)),
    (re.compile(r"3[47]"), (15,)),
    (re.compile(r"6(?:011|4[4-9]|5)"), (16, 19)),
    (re.compile(r"35(?:2[89]|[3-8])"), (16, 19)),
    (re.compile(r"3(?:0[0-5]|[689])"), (14, 16)),
    (re.compile(r"62"), (16, 17, 18, 19)),
    (re.compile(r"9704"), (16, 19)),
)
"""What the numbers of an issuer begin with, and how many digits they have (ISO/IEC 7812)."""
_IBAN_RUN = re.compile(r"(?<!\w)[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]){11,30}(?!\w)")
_PHONE_RUN = re.compile(r"(?<![\w.+/:#-])(?:\(?\+|\(?\d)[\d ().\u00a0-]{5,22}\d(?![\w:/-]|\.\d)")
_AMERICAN = re.compile(r"(?:1[ .-])?\(?[2-9]\d\d\)?[ .-]{1,2}[2-9]\d\d[ .-]\d{4}\Z")
_MOBILE = frozenset({phonenumbers.PhoneNumberType.MOBILE})


def cards(text: str) -> Iterator[Finding]:
    """Runs of digits that an issuer's number could be and whose last digit checks (Luhn)."""
    for run in chain(_CARD_RUN.finditer(text), _DOTTED_CARD.finditer(text)):
        places = [at for at in range(run.start(), run.end()) if text[at].isdigit()]
        digits = "".join(text[at] for at in places)
        for lengths in (lengths for issuer, lengths in _ISSUERS if issuer.match(digits)):
            for length in sorted(lengths, reverse=True):
                ends = length == len(digits) or (length < len(digits) and places[length] - places[length - 1] > 1)
                if ends and luhn.is_valid(digits[:length]) and len(set(digits[:length])) > 1:
                    yield Finding(SensitiveKind.CARD, run.start(), places[length - 1] + 1)
                    break


def bank_accounts(text: str) -> Iterator[Finding]:
    """IBANs whose country has that length and whose check digits hold (ISO 13616)."""
    for run in _IBAN_RUN.finditer(text):
        end = run.end()
        while end - run.start() >= 15:
            if iban.is_valid(text[run.start() : end].replace("-", "")):
                yield Finding(SensitiveKind.IBAN, run.start(), end)
                break
            end = max(text.rfind(" ", run.start(), end), 0)


def telephones(text: str, regions: Sequence[str]) -> Iterator[Finding]:
    """Numbers that the numbering plan of their country has; those without a country's code by ``regions``.

    A national number needs the form of one: a leading 0, or the grouping of North America; without any grouping it
    must be a mobile one.
    """
    for run in _PHONE_RUN.finditer(text):
        start, end = run.span()
        raw = text[start:end]
        if raw.count(")") > raw.count("("):
            raw, end = raw[: raw.index(")")], start + raw.index(")")
        if _is_telephone(raw.rstrip(" (-."), regions):
            yield Finding(SensitiveKind.PHONE, start, start + len(raw.rstrip(" (-.")))


def _is_telephone(raw: str, regions: Sequence[str]) -> bool:
    national = raw.lstrip("(")
    if national.startswith("+"):
        return _valid(raw, None) is not None
    grouped = any(char in " ().-\u00a0" for char in raw)
    if _AMERICAN.match(raw):
        return any(_valid(raw, region) for region in regions if region in ("US", "CA"))
    if not national.startswith("0"):
        return False
    found = [number for region in regions if (number := _valid(raw, region)) is not None]
    return any(grouped or phonenumbers.number_type(number) in _MOBILE for number in found)


def _valid(raw: str, region: str | None) -> phonenumbers.PhoneNumber | None:
    try:
        number = phonenumbers.parse(raw, region)
    except phonenumbers.NumberParseException:
        return None
    return number if phonenumbers.is_valid_number(number) else None
