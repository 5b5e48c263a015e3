"""What is kept of who came and what they did."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from domain.audit.line import LEAST_DAYS, MOST_DAYS
from entrypoints.sections.values import Section


class AuditSettings(Section):
    """Lines are kept for ``days`` unless an organization has a number of its own; without ``reads``, reads have none.

    A key's or token's first use in ``sign_in_minutes`` is a sign-in.
    """

    days: Annotated[int, Field(ge=LEAST_DAYS, le=MOST_DAYS)] = 365
    reads: bool = True
    sign_in_minutes: Annotated[float, Field(gt=0.0, le=10_080.0)] = 60.0
