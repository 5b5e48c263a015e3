"""Units of measure: one name for each, whatever way it was written."""

from __future__ import annotations

import unicodedata

_NAMES = {
    "%": ("percent", "per cent", "pct", "percents"),
    "USD": ("$", "us$", "usd", "dollar", "dollars", "us dollar", "us dollars", "u.s. dollars"),
    "EUR": ("€", "eur", "euro", "euros"),
    "GBP": ("£", "gbp", "pound sterling", "pounds sterling"),
    "JPY": ("¥", "jpy", "yen"),
    "VND": ("₫", "vnd", "vnđ", "đồng", "dong"),
    "CHF": ("chf", "swiss franc", "swiss francs"),
    "CNY": ("cny", "rmb", "yuan", "renminbi"),
    "INR": ("₹", "inr", "rupee", "rupees"),
    "AUD": ("aud", "a$"),
    "CAD": ("cad", "c$"),
    "ms": ("msec", "millisecond", "milliseconds"),
    "s": ("sec", "secs", "second", "seconds"),
    "min": ("mins", "minute", "minutes"),
    "h": ("hr", "hrs", "hour", "hours"),
    "day": ("days",),
    "week": ("weeks",),
    "month": ("months",),
    "year": ("years", "yr", "yrs"),
    "km": ("kilometre", "kilometres", "kilometer", "kilometers"),
    "kg": ("kilogram", "kilograms", "kilo", "kilos"),
    "B": ("byte", "bytes"),
    "KB": ("kilobyte", "kilobytes"),
    "MB": ("megabyte", "megabytes"),
    "GB": ("gigabyte", "gigabytes"),
    "TB": ("terabyte", "terabytes"),
}
_BY_SPELLING = {spelling: name for name, spellings in _NAMES.items() for spelling in spellings}


def unit_name(unit: str | None) -> str | None:
    """The unit's one name: ``$`` and "dollars" are ``USD``. None for none or blank.

    A unit that is not listed keeps its case, since ``Mb`` is not ``MB``; only its spaces and its Unicode form change.
    """
    if unit is None:
        return None
    text = " ".join(unicodedata.normalize("NFC", unit).split())
    return _BY_SPELLING.get(text.casefold(), text) or None
