"""How a client names a scope: ``organization``, ``personal``, ``<workspace>`` or ``<workspace>/<project>``."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from domain.errors import InvalidInput, shown
from domain.identity.ids import GroupId

LONGEST = 100
"""Characters in the name of a workspace or project."""

_NAME = re.compile(r"[^\W_](?:[\w.-]*[^\W_])?\Z")
_GROUP = re.compile(r"[owpu][_:-]?[0-9a-f]{32}\Z")


class ScopeKind(StrEnum):
    """What sort of scope one is."""

    ORGANIZATION = "organization"
    WORKSPACE = "workspace"
    PROJECT = "project"
    PERSONAL = "personal"


_LETTERS = {
    ScopeKind.ORGANIZATION: "o",
    ScopeKind.WORKSPACE: "w",
    ScopeKind.PROJECT: "p",
    ScopeKind.PERSONAL: "u",
}
_WIDTHS = {
    kind: width
    for width, kind in enumerate((ScopeKind.PERSONAL, ScopeKind.PROJECT, ScopeKind.WORKSPACE, ScopeKind.ORGANIZATION))
}
"""How wide a kind of scope is, the narrowest first."""
_KINDS = {letter: kind for kind, letter in _LETTERS.items()}
_RESERVED = frozenset({ScopeKind.ORGANIZATION.value, ScopeKind.PERSONAL.value})


@dataclass(frozen=True, slots=True)
class ScopeName:
    """A parsed name. ``workspace`` and ``project`` are there for those kinds; a project has both."""

    kind: ScopeKind
    workspace: str | None = None
    project: str | None = None

    @classmethod
    def parse(cls, text: str) -> ScopeName:
        """Raises InvalidInput for what cannot be a name; a group_id is refused as such."""
        if text in _RESERVED:
            return cls(ScopeKind(text))
        parts = text.split("/")
        if len(parts) > 2:
            raise InvalidInput(
                f"{shown(text)} names no scope; use 'organization', 'personal', '<workspace>' or "
                "'<workspace>/<project>'",
                field="scope",
            )
        workspace, *rest = (checked_name(part, field="scope") for part in parts)
        return cls(ScopeKind.PROJECT, workspace, rest[0]) if rest else cls(ScopeKind.WORKSPACE, workspace)


def checked_name(text: str, *, field: str = "name") -> str:
    """The name of a workspace or project as it is kept: composed and in lower case. Raises InvalidInput.

    Letters and digits of any script, and ``-``, ``_`` and ``.`` between them, at most 100.
    """
    name = unicodedata.normalize("NFC", text).casefold()
    if _GROUP.match(name):
        raise InvalidInput(f"{shown(text)} is a group_id; a client names a scope by its path instead", field=field)
    if len(name) > LONGEST or not _NAME.match(name):
        raise InvalidInput(
            f"{shown(text)} cannot be the name of a workspace or project; use letters and digits with '-', '_' or '.' "
            f"between them, at most {LONGEST}",
            field=field,
        )
    if name in _RESERVED:
        raise InvalidInput(f"{shown(text)} has a meaning of its own; choose another name", field=field)
    return name


def group_id_of(kind: ScopeKind, unique: UUID) -> GroupId:
    """The opaque name of a new scope."""
    return GroupId(f"{_LETTERS[kind]}_{unique.hex}")


def narrowed(chain: tuple[GroupId, ...], within: ScopeKind) -> tuple[GroupId, ...]:
    """The scopes of a chain, narrowest first, that are no wider than a kind. Raises InvalidInput when none is."""
    kept = tuple(group for group in chain if _WIDTHS[kind_of(group)] <= _WIDTHS[within])
    if not kept:
        own = kind_of(chain[0])
        wider = ", ".join(kind.value for kind in _WIDTHS if _WIDTHS[kind] >= _WIDTHS[own])
        raise InvalidInput(
            f"the scope is wider than '{within.value}': its kind is {own.value}; read within {wider}", field="within"
        )
    return kept


def is_wider(one: ScopeKind, other: ScopeKind) -> bool:
    """Whether scopes of the first kind are wider than those of the second: a personal scope is the narrowest."""
    return _WIDTHS[one] > _WIDTHS[other]


def kind_of(group_id: GroupId) -> ScopeKind:
    """What sort of scope it is."""
    return _KINDS[group_id[0]]
