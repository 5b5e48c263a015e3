"""Snapshots and packs on the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest

from tests.entrypoints.cli.conftest import Cli

pytestmark = pytest.mark.services


def test_a_snapshot_is_made_verified_and_read_by(cli: Cli, workspace: Callable[..., Any]) -> None:
    name = f"Velt {uuid4().hex[:8]}"
    line = {"subject": name, "predicate": "owns", "object": "Globex"}
    workspace("triples", "-", input=json.dumps(line) + "\n")
    made = workspace("snapshots", "create", "before", "--reason", "the audit")
    workspace("triples", "-", input=json.dumps(line | {"object": "Umbra"}) + "\n")
    assert [f["object"]["name"] for f in workspace("facts", "--subject", name, "--snapshot", made["id"])] == ["Globex"]
    assert len(workspace("facts", "--subject", name)) == 2
    verified = workspace("snapshots", "verify", made["id"])
    assert (verified["name"], verified["digest"]) == ("before", made["digest"])
    assert workspace("snapshots", "show", made["id"])["standings"] == made["standings"]
    assert [row["id"] for row in workspace("snapshots", "list", "--limit", "1")] == [made["id"]]
    assert cli.run("snapshots", "show", str(uuid4())).exit_code == 4


def test_a_pack_is_made_stored_and_shown_again(cli: Cli, workspace: Callable[..., Any]) -> None:
    name = f"Velt {uuid4().hex[:8]}"
    workspace("triples", "-", input=json.dumps({"subject": name, "predicate": "owns", "object": "Globex"}) + "\n")
    stored = workspace("pack", f"what does {name} own", "--budget", "900", "--store")
    assert stored["size"] <= 900
    assert workspace("pack", "--id", stored["id"])["text"] == stored["text"]
    small = cli.run("pack", f"what does {name} own", "--budget", "1")
    assert small.exit_code == 2
    assert "the least that would do is" in small.output
    assert cli.run("pack").exit_code == 2
