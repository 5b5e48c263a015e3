"""Prompts are versioned files: a changed text is a new version, since recipes name it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).with_name("prompts")


@cache
def prompt_text(name: str, version: str) -> str:
    """The system prompt ``name`` in ``version``."""
    return (_FOLDER / f"{name}.{version}.md").read_text("utf-8")
