"""Offering a fact to a wider scope."""

from __future__ import annotations

from uuid import UUID

import click
import msgspec

from domain.identity.ids import FactId
from entrypoints.cli.acting import Call, acting
from entrypoints.cli.output import Output, sentence


@click.command()
@click.argument("fact_id", type=click.UUID)
@click.option("--to", required=True, help="The wider scope: 'organization' or a workspace.")
@click.option("--reason", required=True, help="Why others need it.")
@acting
async def promote(call: Call, fact_id: UUID, to: str, reason: str) -> Output:
    """Propose that a wider scope takes over a verified fact; a curator there decides."""
    target = await call.app.resolve_access(call.credential, to)
    done = await call.app.knowledge.propose_promotion(call.access, target, FactId(fact_id), reason)
    cited = ", ".join(done.sources)
    return sentence(
        msgspec.to_builtins(done),
        f"proposed as {done.proposal_id}; a curator decides: assay proposals approve {done.proposal_id} --scope {to}",
        f"what goes along: “{done.sentence}”, cited from {cited}",
    )


COMMANDS = (promote,)
