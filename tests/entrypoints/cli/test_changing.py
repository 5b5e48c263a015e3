"""Corrections, the vocabulary and undoing on the command line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest

from tests.entrypoints.cli.conftest import Cli

pytestmark = pytest.mark.services


def test_a_fact_is_corrected_and_the_correction_undone(workspace: Callable[..., Any]) -> None:
    name = f"Brik {uuid4().hex[:8]}"
    workspace("triples", "-", input=f'{{"subject": "{name}", "predicate": "headquartered in", "object": "Lyon"}}\n')
    (fact,) = workspace("facts", "--subject", name)
    done = workspace("correct", fact["id"], "--to", "Hanoi", "--from", "2020", "--reason", "moved")
    (now,) = workspace("facts", "--subject", name)
    assert (now["object"]["name"], now["corrected"]) == ("Hanoi", True)
    undone = workspace("undo", str(done["revision"]))
    assert undone["undid"] == done["revision"]
    assert [f["object"]["name"] for f in workspace("facts", "--subject", name)] == ["Lyon"]


def test_the_verdicts_exclude_each_other_and_a_wrong_object_is_named(cli: Cli) -> None:
    nobody = "00000000-0000-7000-8000-000000000000"
    both = cli.run("correct", nobody, "--deny", "--to", "Hanoi")
    assert (both.exit_code, "name one of --confirm, --deny and --to" in both.output) == (2, True)
    wrong = cli.run("correct", nobody, "--to", "{nothing}")
    assert (wrong.exit_code, "--to is a name or a JSON object" in wrong.output) == (2, True)
    assert cli.run("correct", nobody, "--deny").exit_code == 4


def test_a_policy_is_tried_set_listed_and_removed(cli: Cli) -> None:
    name = "MASCOT_" + uuid4().hex.translate(str.maketrans("0123456789", "ghijklmnop"))[:8].upper()
    policy = f'{{"name": "{name}", "cardinality": "one"}}'
    assert "nothing was changed (dry run)" in cli.run("vocabulary", "set", policy, "--dry-run").output
    assert name not in [p["name"] for p in cli.json("vocabulary", "list", "--own")]
    assert cli.json("vocabulary", "set", policy)["revision"] is not None
    assert name in [p["name"] for p in cli.json("vocabulary", "list", "--own")]
    assert cli.json("vocabulary", "remove", name)["revision"] is not None
    assert name not in [p["name"] for p in cli.json("vocabulary", "list")]
    assert cli.run("vocabulary", "set", "{}").exit_code == 2
