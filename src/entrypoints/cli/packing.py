"""Context packs on the command line."""

from __future__ import annotations

from uuid import UUID

import click

from application.retrieval.packs import MAX_DAYS, PackRequest
from domain.retrieval.context_pack import MAX_BUDGET, Conflicts, ContextPack
from domain.retrieval.reading import FactFilter, ReadPoint
from entrypoints.cli.acting import Call, acting
from entrypoints.cli.choices import OneOf
from entrypoints.cli.output import Output, plain
from entrypoints.cli.reading import filter_options, point_options


@click.command()
@click.argument("question", required=False)
@click.option("--budget", type=click.IntRange(1, MAX_BUDGET), default=2_000, show_default=True, help="Tokens.")
@click.option("--model", help="The model whose tokens count, such as gpt-4o; else bytes do, a bound.")
@click.option("--conflicts", type=OneOf(Conflicts), default=Conflicts.INCLUDE.value, show_default=True)
@click.option("--passages", is_flag=True, help="Stretches of documents, too.")
@click.option("--predicate", "predicates", multiple=True, help="Only facts of these, in any spelling.")
@click.option("--store", is_flag=True, help="Keep it, with the snapshot that it was read by.")
@click.option("--days", type=click.FloatRange(0, MAX_DAYS, min_open=True), help="How long it is kept.")
@click.option("--id", "pack_id", type=click.UUID, help="Show a stored pack instead.")
@acting
@filter_options
@point_options
async def pack(
    call: Call,
    question: str | None,
    budget: int,
    model: str | None,
    conflicts: Conflicts,
    passages: bool,
    predicates: tuple[str, ...],
    store: bool,
    days: float | None,
    pack_id: UUID | None,
    chosen: FactFilter,
    point: ReadPoint,
) -> Output:
    """Answer a question within a token budget, as one fenced text with citations; or show a stored pack."""
    if (question is None) is (pack_id is None):
        raise click.UsageError("give a question, or the --id of a stored pack")
    packs = call.app.retrieval.packs
    if question is None:
        assert pack_id is not None
        return _told(await packs.stored(call.access, pack_id))
    request = PackRequest(question, budget, conflicts, passages, point, chosen, predicates, model, days)
    return _told(await (packs.store if store else packs.make)(call.access, request))


def _told(found: ContextPack) -> Output:
    counted = f"{found.size} tokens of {found.budget} ({found.tokenizer}{'' if found.exact else ', a bound'})"
    left = found.left_out
    lines = [
        f"{counted}; left out: {left.budget} for want of room, {left.conflicts} by --conflicts, "
        f"{left.duplicates} said already"
    ]
    if found.id is not None and found.expires_at is not None:
        lines.append(f"pack {found.id}, until {found.expires_at:%Y-%m-%d}; snapshot {found.snapshot_id}")
    lines += [f"note: {note}" for note in found.notes]
    return Output(found, (plain(found.text), *map(plain, lines)))


COMMANDS = (pack,)
