"""Counting a text in the tokens of a model."""

from __future__ import annotations

from typing import Protocol


class TokenCounter(Protocol):
    """Counts plain text, in which nothing is a special token. ``name`` says by which vocabulary; never goes online."""

    @property
    def name(self) -> str: ...

    @property
    def exact(self) -> bool:
        """Whether ``count`` is the model's own number; else it is a bound that the number never exceeds."""
        ...

    def count(self, text: str) -> int:
        """How many tokens the text takes, at most where it is not exact; 0 for none."""
        ...


class TokenCounters(Protocol):
    """Finds the counter of a model."""

    def of(self, model: str | None) -> TokenCounter:
        """The model's own count where its vocabulary is at hand offline, else a bound."""
        ...
