"""Arguments that many tools share, with their descriptions and bounds."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, TypeAlias

from pydantic import Field

Scope: TypeAlias = Annotated[
    str | None,
    Field(
        description="Where to look or write: 'organization', 'personal', '<workspace>' or '<workspace>/<project>'. "
        "A scope also reads those around it. Left out: the reach of the key.",
        max_length=210,
    ),
]
AsOf: TypeAlias = Annotated[
    datetime | None,
    Field(
        description="Valid time: what was true in the world at this moment, e.g. '2024-03-01T00:00:00Z'. Left out: now."
    ),
]
KnownAt: TypeAlias = Annotated[
    int | None,
    Field(
        description="System time: what the record said at this revision (a number from an earlier result). "
        "Left out: the present record.",
        ge=0,
        le=2**62,
    ),
]
Limit: TypeAlias = Annotated[int, Field(description="How many results at most.", ge=1, le=100)]
