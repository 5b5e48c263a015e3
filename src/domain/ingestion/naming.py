"""Names and addresses that come in with documents: what is shown, and cannot pretend to be something else."""

from __future__ import annotations

import re
import unicodedata

from domain.errors import InvalidInput, shown

MAX_TITLE = 1_000
SCHEMES = ("http", "https", "file", "s3", "mailto", "urn")
_SCHEME = re.compile(r"\s*([A-Za-z][A-Za-z0-9+.-]+):")
"""Of two letters or more: one is the drive of a path."""
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def require_printable(name: str, field: str) -> None:
    """Refuse a name that holds what is not seen, or turns the order of what is. Raises InvalidInput."""
    if not name.isprintable():
        raise InvalidInput(f"{field} holds characters that are not seen: {shown(name)}; write it without", field=field)


def require_shown(text: str, field: str) -> None:
    """Refuse control characters, line ends and what turns the order of writing. Raises InvalidInput.

    Spaces and joiners of all kinds are fine: file names and titles have them.
    """
    if any(map(_is_hidden, text)):
        raise InvalidInput(
            f"{field} holds control characters, or ones that turn the order of writing: {shown(text)}; write it "
            "without",
            field=field,
        )


def require_title(title: str) -> None:
    """Refuse a title that is given and too long, or not shown as it is. Raises InvalidInput."""
    if len(title) > MAX_TITLE:
        raise InvalidInput(f"a title has at most {MAX_TITLE} characters, not {len(title)}", field="title")
    require_shown(title, "title")


def shown_title(title: str) -> str | None:
    """A title that was found in a document, as far as it is one."""
    clean = "".join(" " if _is_hidden(char) else char for char in title[: 2 * MAX_TITLE])
    return clean.strip()[:MAX_TITLE].rstrip() or None


def require_address(address: str, field: str) -> None:
    """Refuse an address that a reader's browser would run or not know. Ids without a scheme are fine."""
    require_shown(address, field)
    scheme = _SCHEME.match(address)
    if scheme is not None and scheme[1].lower() not in SCHEMES:
        raise InvalidInput(
            f"{field} is an address of {', '.join(SCHEMES)}, or an id without a scheme, not {shown(address)}",
            field=field,
        )


def _is_hidden(char: str) -> bool:
    return char in _TURNING or unicodedata.category(char) in ("Cc", "Zl", "Zp")
