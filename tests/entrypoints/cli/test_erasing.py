"""Erasing, certificates and legal holds on the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from adapters.system.signer import Ed25519Signer
from domain.erasure.certificate import FORMAT, Certificate, signed_bytes
from tests.entrypoints.cli.conftest import Cli

pytestmark = pytest.mark.services
SEED = bytes(range(32))


def test_a_document_is_held_then_erased(workspace: Callable[..., Any]) -> None:
    name = f"Quaxolotl {uuid4().hex[:8]}"
    receipt = workspace("triples", "-", input=f'{{"subject": "{name}", "predicate": "owns", "object": "Brik"}}\n')
    document = receipt["document_id"]
    hold = workspace("holds", "place", "document", document, "--reason", "litigation")
    assert hold["id"] in [one["id"] for one in workspace("holds", "list")]
    workspace("holds", "lift", hold["id"], "--reason", "settled")
    erased = workspace("erasure", "document", document, "--reason", "asked for")
    assert (erased["state"], erased["removed"]["fact"]) == ("open", 1)
    assert erased["id"] in [one["id"] for one in workspace("erasure", "list")]
    assert workspace("facts", "--subject", name) == []
    keys = workspace("erasure", "keys")
    assert [len(key["public_key"]) for key in keys] == [64] * len(keys)


def test_everything_about_somebody_is_planned_then_erased(workspace: Callable[..., Any]) -> None:
    name = f"Quaxolotl {uuid4().hex[:8]}"
    workspace("triples", "-", input=f'{{"subject": "{name}", "predicate": "owns", "object": "Brik"}}\n')
    (fact,) = workspace("facts", "--subject", name)
    entity = fact["subject"]["id"]
    plan = workspace("erasure", "entity", entity, "--dry-run")
    assert (plan["names"], plan["documents"]) == ([name], [])
    erased = workspace("erasure", "entity", entity, "--reason", "asked for")
    assert erased["removed"]["fact"] == 1
    assert workspace("facts", "--subject", name) == []


def test_a_certificate_of_an_old_key_is_verified_by_the_list_of_keys(cli: Cli, tmp_path: Path) -> None:
    signer = Ed25519Signer()
    statement = {"format": FORMAT, "reason": "asked for"}
    signed = Certificate(statement, "key 1", signer.public_key(SEED), signer.sign(SEED, signed_bytes(statement)))
    file, keys = tmp_path / "certificate.json", tmp_path / "keys.json"
    file.write_bytes(signed.to_bytes())
    old = {"key_id": "key 1", "public_key": signer.public_key(SEED).hex(), "signs": False}
    new = {"key_id": "key 2", "public_key": signer.public_key(bytes(32)).hex(), "signs": True}
    keys.write_text(json.dumps([old, new]))
    assert cli.run("erasure", "verify", str(file), "--keys", str(keys)).exit_code == 0
    keys.write_text(json.dumps({"items": [new]}))
    assert "names the key 'key 1', which is not in the list" in (
        cli.run("erasure", "verify", str(file), "--keys", str(keys)).output
    )
    keys.write_text(json.dumps([{**new, "key_id": "key 1"}]))
    assert "signed by another key" in cli.run("erasure", "verify", str(file), "--keys", str(keys)).output
    keys.write_text("{}")
    assert "no list of signing keys" in cli.run("erasure", "verify", str(file), "--keys", str(keys)).output


def test_a_certificate_is_verified_without_an_assay_and_a_changed_one_is_refused(cli: Cli, tmp_path: Path) -> None:
    signer = Ed25519Signer()
    statement = {"format": FORMAT, "reason": "gefragt, nämlich", "revision": 7}
    signed = Certificate(statement, "key 1", signer.public_key(SEED), signer.sign(SEED, signed_bytes(statement)))
    file = tmp_path / "certificate.json"
    file.write_bytes(signed.to_bytes())
    key = signer.public_key(SEED).hex()
    good = cli.run("erasure", "verify", str(file), "--public-key", key)
    assert (good.exit_code, "whole and signed by the given key" in good.output) == (0, True)
    assert cli.run("erasure", "verify", str(file)).exit_code == 0
    assert cli.run("erasure", "verify", str(file), "--public-key", "00" * 32).exit_code == 2
    changed = json.loads(file.read_bytes())
    changed["certificate"]["revision"] = 8
    file.write_text(json.dumps(changed))
    assert cli.run("erasure", "verify", str(file)).exit_code == 2
    file.write_text("{}")
    assert "is no certificate" in cli.run("erasure", "verify", str(file)).output
