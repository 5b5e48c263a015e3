"""Changing what is known: corrections, the vocabulary, and undoing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import click
import msgspec

from application.knowledge.correct import Corrected, Correction, Verdict
from domain.errors import InvalidInput, shown
from domain.identity.ids import FactId, Revision
from domain.identity.permissions import Action, permit
from domain.ingestion.typed_triples import stated_object
from entrypoints.cli import merging
from entrypoints.cli.acting import Call, acting
from entrypoints.cli.output import Output, listing, sentence
from entrypoints.json_text import from_json
from entrypoints.views.corrections import corrected_bound
from entrypoints.views.vocabulary import Policy, VocabularyEffect, vocabulary_view
from entrypoints.wording import fault_in

_DONE = {Verdict.CONFIRM: "confirmed", Verdict.DENY: "denied", Verdict.REPLACE: "replaced"}
_COLUMNS = {
    "name": "predicate", "cardinality": "values", "succession": "succession", "qualifiers": "for each",
    "inverse_of": "inverse of", "synonyms": "also", "replaced_by": "replaced by", "own": "own",
}  # fmt: skip


@click.command()
@click.argument("fact_id", type=click.UUID)
@click.option("--confirm", "verdict", flag_value=Verdict.CONFIRM, type=Verdict, help="It is so.")
@click.option("--deny", "verdict", flag_value=Verdict.DENY, type=Verdict, help="It is not so.")
@click.option("--to", "target", help="What holds instead: a name, or JSON as the object of a typed triple.")
@click.option("--from", "valid_from", help="Since when, as a date or 'open'; else as long as the fact holds now.")
@click.option("--until", "valid_to", help="Until when, as a date or 'open'.")
@click.option("--saw", type=click.IntRange(min=0), help="The revision that you read the fact at; else the present one.")
@click.option("--propose", is_flag=True, help="Only propose it; a curator decides.")
@click.option("--reason")
@acting
async def correct(
    call: Call,
    fact_id: UUID,
    verdict: Verdict | None,
    target: str | None,
    valid_from: str | None,
    valid_to: str | None,
    saw: int | None,
    propose: bool,
    reason: str | None,
) -> Output:
    """Confirm a fact, deny it, or say what holds instead. A person's word outranks what was observed before it."""
    if (verdict is not None) + (target is not None) != 1:
        raise click.UsageError("name one of --confirm, --deny and --to")
    correction = Correction(
        FactId(fact_id),
        verdict or Verdict.REPLACE,
        await call.seen(saw),
        stated_object(_target(target)) if target is not None else None,
        corrected_bound(valid_from, "valid_from"),
        corrected_bound(valid_to, "valid_to"),
        reason,
    )
    if propose:
        waiting = await call.app.knowledge.propose_correction(call.access, correction)
        told = f"proposed as {waiting.proposal_id}; a curator decides: assay proposals approve {waiting.proposal_id}"
        return sentence(msgspec.to_builtins(waiting), told)
    done: Corrected = await call.app.knowledge.correct(call.access, correction)
    told = f"{_DONE[correction.verdict]} at revision {done.revision}; {done.standings_changed} standings changed"
    holds = (f"fact {done.fact_id} holds now",) if done.fact_id is not None else ()
    return sentence(msgspec.to_builtins(done), told, *holds, f"take it back with: assay undo {done.revision}")


def _target(text: str) -> object:
    if not text.lstrip().startswith("{"):
        return text
    try:
        return from_json(text)
    except msgspec.DecodeError as error:
        raise InvalidInput(f"--to is a name or a JSON object, not {shown(text)}: {error}", field="to") from None


@click.command()
@click.argument("revision", type=click.IntRange(min=1))
@click.option("--reason")
@acting
async def undo(call: Call, revision: int, reason: str | None) -> Output:
    """Put back what the mutation of a revision did, as a new mutation. What was built on it is named and refused."""
    done = await call.app.knowledge.undo(call.access, Revision(revision), reason)
    told = f"undid revision {done.undid} ({done.kind}) at revision {done.revision}"
    return sentence(
        msgspec.to_builtins(done), f"{told}; {done.assertions} assertions, {done.standings_changed} standings changed"
    )


@click.group()
def vocabulary() -> None:
    """Predicates and how their facts live together: list, set, remove, suggest, suggestions."""


for command in merging.COMMANDS:
    vocabulary.add_command(command)


@vocabulary.command("list")
@click.option("--own", is_flag=True, help="Only those that the organization set itself.")
@acting
async def list_vocabulary(call: Call, own: bool) -> Output:
    """List every predicate with its policy."""
    permit(call.access, Action.READ)
    async with call.unit_of_work(call.access) as tx:
        found = vocabulary_view(await tx.predicates.policies())
    rows: list[dict[str, Any]] = [msgspec.to_builtins(policy) for policy in found if policy.own or not own]
    return listing(rows, _COLUMNS, empty="no policy was set; the built-in vocabulary holds")


@vocabulary.command("set")
@click.argument("policies", nargs=-1, required=True)
@click.option("--dry-run", is_flag=True, help="Only say what it would do.")
@click.option("--confirm", multiple=True, help="A predicate whose large change you have looked at; may be repeated.")
@click.option("--reason")
@acting
async def set_policies(
    call: Call, policies: Sequence[str], dry_run: bool, confirm: Sequence[str], reason: str | None
) -> Output:
    """Set policies, each a JSON object: '{"name": "has mascot", "cardinality": "one"}'."""
    wanted = [_policy(text).policy() for text in policies]
    access = await call.administration_access()
    changed = await call.app.knowledge.change_vocabulary(
        access, wanted, reason=reason, dry_run=dry_run, confirmed=confirm
    )
    return _effect(VocabularyEffect.of(changed))


@vocabulary.command("remove")
@click.argument("predicates", nargs=-1, required=True)
@click.option("--dry-run", is_flag=True, help="Only say what it would do.")
@click.option("--confirm", multiple=True, help="A predicate whose large change you have looked at; may be repeated.")
@click.option("--reason")
@acting
async def remove_policies(
    call: Call, predicates: Sequence[str], dry_run: bool, confirm: Sequence[str], reason: str | None
) -> Output:
    """Take away the organization's own policies; the built-in ones hold again, where there are any."""
    access = await call.administration_access()
    changed = await call.app.knowledge.change_vocabulary(
        access, (), remove=predicates, reason=reason, dry_run=dry_run, confirmed=confirm
    )
    return _effect(VocabularyEffect.of(changed))


def _policy(text: str) -> Policy:
    try:
        return from_json(text, Policy)
    except msgspec.ValidationError as error:
        fault = fault_in(error, Policy)
        raise InvalidInput(f"a policy is a JSON object with a name, not {shown(text)}: {fault}") from None
    except msgspec.DecodeError as error:
        raise InvalidInput(f"a policy is a JSON object with a name, not {shown(text)}: {error}") from None


def _effect(effect: VocabularyEffect) -> Output:
    when = f"at revision {effect.revision}" if effect.revision is not None else "nothing was changed (dry run)"
    counts = f"{effect.gained} gained, {effect.lost} lost, {effect.disputed} newly disputed, {effect.settled} settled"
    lines = [f"{when}: {effect.facts} facts placed anew, {effect.moved} assertions moved; {counts}"]
    for name in ("gained", "lost", "disputed", "settled"):
        lines += [f"  {name}: {fact.sentence} ({fact.fact_id})" for fact in getattr(effect, f"{name}_facts")[:10]]
    return sentence(msgspec.to_builtins(effect), *lines)


COMMANDS = (correct, undo, vocabulary)
