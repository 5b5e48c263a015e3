"""Where every service is, whoever runs it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

GraphEngine = Literal["falkordb", "neo4j", "postgres", "memory"]


@dataclass(frozen=True, slots=True)
class Services:
    """Addresses, resolved from the settings or from the embedded servers. ``notes`` say what was done without."""

    database: str = field(repr=False)
    worker_database: str | None = field(repr=False)
    administrator_database: str | None = field(repr=False)
    graph_engine: GraphEngine
    graph_url: str | None = field(repr=False)
    graph_user: str | None
    graph_password: str | None = field(repr=False)
    cache_url: str | None = field(repr=False)
    objects_folder: Path | None
    keys_folder: Path
    notes: tuple[str, ...] = ()
