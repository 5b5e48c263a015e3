"""Named SQL statements from ``queries/*.sql``: each follows a ``-- name: …`` line."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

_HEADER = re.compile(r"^-- name: (\w+)\s*$", re.MULTILINE)


@cache
def statements(aggregate: str) -> dict[str, str]:
    """The statements of one file by name. Raises ValueError for a name that appears twice."""
    text = files("adapters.postgres").joinpath("queries", f"{aggregate}.sql").read_text("utf-8")
    parts = _HEADER.split(text)[1:]
    names = parts[::2]
    if len(set(names)) != len(names):
        raise ValueError(f"{aggregate}.sql names a statement twice")
    return {name: body.strip() for name, body in zip(names, parts[1::2], strict=True)}


def aggregates() -> list[str]:
    """The names of all files."""
    return sorted(
        e.name[:-4] for e in files("adapters.postgres").joinpath("queries").iterdir() if e.name.endswith(".sql")
    )
