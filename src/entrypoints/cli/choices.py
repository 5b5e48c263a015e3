"""Options that take one of an enumeration's values."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, TypeVar

import click

Member = TypeVar("Member", bound=StrEnum)


class OneOf(click.Choice[Member]):
    """Takes a member by its value, as the API does; click alone takes it by its name in Python."""

    def __init__(self, members: type[Member]) -> None:
        super().__init__([*members])

    def normalize_choice(self, choice: Any, ctx: click.Context | None) -> str:
        """What is compared, and what ``--help`` shows."""
        return super().normalize_choice(choice.value if isinstance(choice, StrEnum) else choice, ctx)
