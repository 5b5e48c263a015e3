"""A language model's look for values that were replaced."""

from __future__ import annotations

import click

from domain.ports.contradictions import TogetherCursor
from entrypoints.cli.acting import Call, acting
from entrypoints.cli.output import Output, sentence
from entrypoints.views.judging import EndView, JudgedView


@click.command()
@click.option("--predicate", "predicates", multiple=True, help="Only these; else all that take several values.")
@click.option("--limit", type=click.IntRange(min=1), help="Questions at most; else as many as configured.")
@click.option("--after", help="Where the run before ended.")
@acting
async def judge(call: Call, predicates: tuple[str, ...], limit: int | None, after: str | None) -> Output:
    """Let a language model look for values that were replaced. It only proposes; off unless a judge is configured."""
    place = TogetherCursor.parse(after) if after is not None else None
    run = JudgedView.of(await call.app.knowledge.judge_replacements(call.access, predicates, limit, place))
    lines = [f"{run.asked} questions, {len(run.suggested)} proposals"]
    for each in run.suggested:
        lines += _told(each)
    lines += [f"no proposal for {each.subject} {each.predicate}: {each.why}" for each in run.unused]
    lines += [f"stopped early: {run.stopped}"] if run.stopped else []
    lines += [f"more with: assay judge --after {run.next}"] if run.next else []
    return sentence(run, *lines)


def _told(each: EndView) -> list[str]:
    return [
        f"{each.older.sentence} ended {each.boundary:%Y-%m-%d}, since: {each.newer.sentence}",
        f"    “{each.older.quote or ''}”",
        f"    “{each.newer.quote or ''}”",
        f"    decide with: assay proposals approve {each.proposal_id}",
    ]


COMMANDS = (judge,)
