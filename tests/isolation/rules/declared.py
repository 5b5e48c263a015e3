"""The words of the rules: what a route or a tool needs, and where it takes ids."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from domain.identity.permissions import Action


@dataclass(frozen=True, slots=True)
class Id:
    """A place in a request that takes the id of an object of this kind."""

    kind: str


@dataclass(frozen=True, slots=True)
class Entry:
    """What one route or tool needs.

    ``action`` says the least role; None is a route that asks for no principal, with the reason in ``why``. ``asked``
    are query parameters of a route or arguments of a tool, ``body`` is sent as JSON; both may hold an ``Id``.
    ``unsteady`` is the reason why its answer to one caller changes by itself.
    """

    action: Action | None
    asked: Mapping[str, Any] = field(default_factory=dict)
    body: Any = None
    why: str = ""
    unsteady: str = ""
    echoes: bool = False
    """It lists ids that its organization asked for, of whoever they are: those it had before."""
    lines: bool = False
    """The body is a file or JSON lines."""


def kinds_in(value: Any) -> Iterator[str]:
    """The kinds of ids that a request takes, in order."""
    if isinstance(value, Id):
        yield value.kind
    elif isinstance(value, Mapping):
        for part in value.values():
            yield from kinds_in(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from kinds_in(part)


def filled_in(value: Any, ids: Mapping[str, str]) -> Any:
    """The request with an id of its kind in each place."""
    if isinstance(value, Id):
        return ids[value.kind]
    if isinstance(value, Mapping):
        return {name: filled_in(part, ids) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [filled_in(part, ids) for part in value]
    return value
