"""Erasing, certificates and legal holds."""

from __future__ import annotations

import asyncio
from pathlib import Path
from uuid import UUID

import click

from application.erasure import queries
from domain.erasure.naming import NamingChoice, NamingPlan, NamingWish
from domain.erasure.targets import Target, TargetKind
from domain.errors import InvalidInput
from domain.identity.ids import EntityId
from domain.ports.erasure import ErasureId, ErasureRow, HoldId, HoldRow
from entrypoints.cli.acting import Call, acting, json_option
from entrypoints.cli.output import Output, listing, sentence
from entrypoints.cli.sources import source_named

KINDS = tuple(kind.value for kind in TargetKind)
CHOICES = tuple(choice.value for choice in NamingChoice)
MAX_CERTIFICATE = 1_000_000
"""Bytes of a file that can be a certificate."""
why = click.option("--reason", required=True, help="Why; the journal and the certificate say it.")


@click.group()
def erasure() -> None:
    """Take content out for good: document, source, entity; list, certificate, verify, keys, rotate-key."""


@erasure.command("document")
@click.argument("document_id", type=click.UUID)
@why
@acting
async def erase_document(call: Call, document_id: UUID, reason: str) -> Output:
    """Erase a document with everything that was drawn from it and nobody else says."""
    return await _erased(call, Target(TargetKind.DOCUMENT, document_id), reason)


@erasure.command("source")
@click.argument("source")
@why
@acting
async def erase_source(call: Call, source: str, reason: str) -> Output:
    """Erase every document of a source, by name or id, and destroy the key of its bytes."""
    return await _erased(call, Target(TargetKind.SOURCE, await source_named(call, source)), reason)


@erasure.command("entity")
@click.argument("entity_id", type=click.UUID)
@click.option("--reason", help="Why; the journal and the certificate say it. Without the name.")
@click.option("--documents", type=click.Choice(CHOICES), help="What becomes of documents that name it.")
@click.option("--also", multiple=True, help="A further spelling of its name; may be repeated.")
@click.option("--dry-run", is_flag=True, help="Only show its names, and the documents that have them.")
@acting
async def erase_entity(
    call: Call, entity_id: UUID, reason: str | None, documents: str | None, also: tuple[str, ...], dry_run: bool
) -> Output:
    """Erase everything about a person or a thing: facts on either side, names, documents or the names in them.

    Documents that name it: black_out keeps them without the names, erase_own erases those about it alone and blacks out
    the names in the others, erase erases them all.
    """
    wish = NamingWish(NamingChoice(documents) if documents else None, also)
    if dry_run:
        return _planned(await call.app.erasure.plan(call.access, EntityId(entity_id), wish))
    if reason is None:
        raise InvalidInput("an erasure needs a reason", field="reason")
    return await _erased(call, Target(TargetKind.ENTITY, entity_id), reason, wish)


@erasure.command("list")
@click.option("--limit", type=click.IntRange(1, 1_000), default=50, show_default=True)
@acting
async def list_erasures(call: Call, limit: int) -> Output:
    """List erasures, newest first."""
    rows = [_row(row) for row in await queries.erasures(call.unit_of_work, call.access, None, limit)]
    columns = {"id": "id", "kind": "kind", "target_id": "of", "state": "state", "requested_at": "asked"}
    return listing(rows, columns, empty="nothing was erased here")


@erasure.command("certificate")
@click.argument("erasure_id", type=click.UUID)
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Write it to a file.")
@acting
async def certificate(call: Call, erasure_id: UUID, out: Path | None) -> Output:
    """Show the signed certificate of an erasure, or write it to a file."""
    data = await queries.certificate(call.unit_of_work, call.access, ErasureId(erasure_id))
    if out is None:
        return sentence(data.decode(), data.decode())
    await asyncio.to_thread(out.write_bytes, data)
    return sentence({"file": str(out)}, f"wrote the certificate to {out}")


@erasure.command("verify")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--public-key", help="The key that must have signed it, hexadecimal: `assay erasure keys` shows it.")
@click.option(
    "--keys",
    "keys_file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="What `assay erasure keys --json` or /v1/signing-keys said: one of those must have signed it.",
)
@json_option
def verify(file: Path, public_key: str | None, keys_file: Path | None) -> Output:
    """Verify a certificate. It needs no Assay that runs, and no key but the public one."""
    # It brings the cryptography package, which no other command needs.
    from entrypoints.bootstrap.signing import signer

    with file.open("rb") as opened:
        data = opened.read(MAX_CERTIFICATE)
    if keys_file is not None:
        with keys_file.open("rb") as opened:
            public_key = queries.key_of(data, opened.read(MAX_CERTIFICATE))
    found = queries.verified(data, signer(), public_key)
    by = "the given key" if public_key else f"the key {found.public_key.hex()}, which the file names itself"
    told = {"valid": True, "key_id": found.key_id, "public_key": found.public_key.hex(), **found.statement}
    return sentence(told, f"the certificate is whole and signed by {by}")


@erasure.command("keys")
@acting
async def keys(call: Call) -> Output:
    """List the public keys of the organization's certificates."""
    found = await queries.signing_keys(call.app.ports.keys, call.app.erasure.signer, call.access)
    rows = [{"key_id": key.key_id, "public_key": key.public_key, "signs": key.signs} for key in found]
    return listing(rows, {"key_id": "id", "public_key": "public key", "signs": "signs"}, empty="")


@erasure.command("rotate-key")
@acting
async def rotate_key(call: Call) -> Output:
    """Sign with a new key from now on."""
    key_id = await queries.rotate_signing_key(call.app.ports.keys, call.access)
    return sentence({"key_id": key_id}, f"certificates are signed with {key_id} from now on")


@click.group()
def holds() -> None:
    """Legal holds, which forbid erasing: place, lift, list."""


@holds.command("place")
@click.argument("kind", type=click.Choice(KINDS))
@click.argument("target_id", type=click.UUID)
@why
@acting
async def place_hold(call: Call, kind: str, target_id: UUID, reason: str) -> Output:
    """Forbid the erasure of a document, a source or an entity."""
    hold = await call.app.erasure.holds.place(call.access, Target(TargetKind(kind), target_id), reason)
    return sentence(_hold(hold), f"the {hold.target} is under the legal hold {hold.id}")


@holds.command("lift")
@click.argument("hold_id", type=click.UUID)
@why
@acting
async def lift_hold(call: Call, hold_id: UUID, reason: str) -> Output:
    """End a legal hold."""
    hold = await call.app.erasure.holds.lift(call.access, HoldId(hold_id), reason)
    return sentence(_hold(hold), f"the {hold.target} is no longer under the legal hold {hold.id}")


@holds.command("list")
@click.option("--all", "lifted", is_flag=True, help="Those that were lifted, too.")
@acting
async def list_holds(call: Call, lifted: bool) -> Output:
    """List legal holds, newest first."""
    rows = [_hold(row) for row in await queries.holds(call.unit_of_work, call.access, lifted)]
    columns = {"id": "id", "kind": "kind", "target_id": "of", "reason": "reason", "placed_at": "placed"}
    return listing(rows, columns | ({"lifted_at": "lifted"} if lifted else {}), empty="there is no legal hold here")


async def _erased(call: Call, target: Target, reason: str, wish: NamingWish | None = None) -> Output:
    row = await call.app.erasure.erase(call.access, target, reason, wish)
    counts = ", ".join(f"{count} {kind}" for kind, count in sorted(row.counts.items()) if count)
    return sentence(
        _row(row),
        f"erased the {target} at revision {row.revision}: {counts}",
        f"the clean-up goes on; its certificate: assay erasure certificate {row.id}",
    )


def _planned(plan: NamingPlan) -> Output:
    there = [known.name for known in plan.names if not known.everywhere]
    data = {
        "names": list(plan.everywhere),
        "names_there": there,
        "documents": [{"document_id": d.document_id, "title": d.title, "alone": d.alone} for d in plan.documents],
    }
    lines = [f"names: {', '.join(plan.everywhere) or 'none that mean it anywhere'}"]
    if there:
        lines.append(f"only where it is known to be meant: {', '.join(there)}")
    lines += [
        f"{d.document_id}  {'about it alone' if d.alone else 'says other things, too'}  {d.title}"
        for d in plan.documents
    ]
    lines.append(f"say --documents {'|'.join(CHOICES)}" if plan.documents else "no document names it")
    return sentence(data, *lines)


def _row(row: ErasureRow) -> dict[str, object]:
    return {
        "id": row.id, "kind": row.target.kind.value, "target_id": row.target.id, "reason": row.reason,
        "state": row.state, "removed": dict(row.counts), "revision": row.revision, "requested_at": row.requested_at,
        "finished_at": row.finished_at, "restarts": row.restarts,
    }  # fmt: skip


def _hold(row: HoldRow) -> dict[str, object]:
    return {
        "id": row.id, "kind": row.target.kind.value, "target_id": row.target.id, "reason": row.reason,
        "placed_at": row.placed_at, "lifted_at": row.lifted_at, "lift_reason": row.lift_reason,
    }  # fmt: skip


COMMANDS = (erasure, holds)
