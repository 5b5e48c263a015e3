"""Predicates that may be one: looking for them, and listing what waits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import click
from rich.text import Text

from application.knowledge.merge_suggestions import merge_suggestions
from domain.knowledge.near_synonyms import Merge
from entrypoints.cli.acting import Call, acting
from entrypoints.cli.output import Output, plain
from entrypoints.views.merges import MergesView, MergeView


@click.command()
@click.option("--limit", type=click.IntRange(1, 50), default=20, show_default=True, help="How many to propose.")
@acting
async def suggest(call: Call, limit: int) -> Output:
    """Look for predicates that may be one, and propose to merge them. Nothing merges until a person approves it."""
    access = await call.administration_access()
    done = MergesView.of_run(await call.app.knowledge.suggest_merges(access, limit))
    left = f"{done.waiting} wait already, {done.decided} were decided and have no more evidence since"
    without = "" if done.by_meaning else "; no embedding model answered, so words and facts counted alone"
    told = f"{len(done.proposed)} proposed, of {done.predicates} predicates looked at; {left}{without}"
    return Output(done, (plain(told), *_told(done.proposed)))


@click.command()
@click.option("--state", type=click.Choice(["pending", "approved", "rejected"]), default="pending", show_default=True)
@click.option("--limit", type=click.IntRange(1, 200), default=50, show_default=True)
@acting
async def suggestions(call: Call, state: str, limit: int) -> Output:
    """List the suggestions to merge predicates, with everything that says so and what speaks against it."""
    found = [MergeView.of_suggestion(each) for each in await merge_suggestions(
        call.unit_of_work, await call.administration_access(), state, limit
    )]  # fmt: skip
    return Output(found, tuple(_told(found)) or (plain("no such suggestions"),))


def _told(found: Sequence[MergeView]) -> Iterator[Text]:
    for number, each in enumerate(found, 1):
        lead = f"{number:2}. "
        indent = " " * len(lead)
        kind = "is" if each.merge is Merge.SYNONYM else "is the reverse of"
        text = Text(lead).append(f"{each.source} {kind} {each.target}", style="bold").append(f"  {each.score:.2f}")
        for line in _lines(each):
            text.append(plain(f"\n{indent}{line}").plain)
        if each.state == "pending":
            text.append(
                f"\n{indent}decide with: assay proposals approve {each.proposal_id} --scope organization", style="dim"
            )
        yield text


def _lines(each: MergeView) -> Iterator[str]:
    cosine = f" (cosine {each.cosine:.2f})" if each.cosine is not None else ""
    yield (
        f"words {each.name:.2f}, meaning {each.meaning:.2f}{cosine}, "
        f"{each.shared} of {each.of} facts have the same ends"
    )
    against = [f"{each.different} of {each.sampled} have other ends at the same time"] if each.different else []
    against += ["the kinds of their ends never meet"] if each.kinds_fit is False else []
    against += [f"opposite words: {' and '.join(each.opposites)}"] if each.opposites else []
    against += ["one says what was and the other what is; merged, both read the same"] if each.tenses_differ else []
    if against:
        yield "against it: " + "; ".join(against)
    if each.effect is None:
        yield f"{each.facts} facts would move; too many to try here: look at a dry run"
    else:
        e = each.effect
        yield (
            f"{each.facts} facts would move ({e.moved} assertions): {e.gained} gained, {e.lost} lost, "
            f"{e.disputed} newly disputed, {e.settled} settled"
        )
    for example in each.alike:
        yield f"  alike: {example.sentence or '(erased)'}"
    for example in each.apart:
        yield f"  apart: {example.sentence or '(erased)'}"


COMMANDS = (suggest, suggestions)
