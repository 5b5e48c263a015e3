"""How much may be asked for."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from domain.quotas.rates import Rates
from entrypoints.sections.values import Positive, Section

Units = Annotated[int, Field(ge=0, le=1_000_000_000)]


class QuotasSettings(Section):
    """Rates, in units a minute; 0 is no limit. docs/quotas.md says what counts, and what an organization may change."""

    principal_units: Units = 120_000
    organization_units: Units = 600_000
    read_units: Positive = 1
    write_units: Positive = 2
    heavy_units: Positive = 10
    heavy_at_once: Units = 64
    failed_sign_ins: Units = 600

    def rates(self) -> Rates:
        """For organizations without their own."""
        return Rates(
            principal=self.principal_units,
            organization=self.organization_units,
            read=self.read_units,
            write=self.write_units,
            heavy=self.heavy_units,
            heavy_at_once=self.heavy_at_once,
        )
