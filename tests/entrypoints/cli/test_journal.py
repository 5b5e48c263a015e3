"""Changes, timelines and the journal on the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from tests.entrypoints.cli.conftest import Cli

pytestmark = pytest.mark.services


@pytest.fixture
def moved(workspace: Callable[..., Any]) -> str:
    """A company that moved."""
    name = f"Brik {uuid4().hex[:8]}"
    for city, start in (("Lyon", "2010"), ("Hanoi", "2020")):
        line = {"subject": name, "predicate": "headquartered in", "object": city, "valid_from": start}
        workspace("triples", "-", input=json.dumps(line) + "\n")
    return name


def test_changes_and_timelines_tell_what_happened_and_why(workspace: Callable[..., Any], moved: str) -> None:
    lyon = next(f for f in workspace("facts", "--subject", moved, "--all-time") if f["object"]["name"] == "Lyon")
    entries = workspace("changes", "--fact", lyon["id"])
    assert [[step["opened"] for step in entry["did"]] for entry in entries] == [[True], [False, True]]
    assert [e["revision"] for e in workspace("journal", "list", "--entity", moved)] == [e["revision"] for e in entries]
    later = workspace("changes", "--fact", lyon["id"], "--since", str(entries[0]["revision"]))
    assert [entry["revision"] for entry in later] == [entries[1]["revision"]]
    told = workspace("timeline", moved)
    assert [(e["at"][:4], e["what"]) for e in told["events"]] == [
        ("2010", "began"), ("2020", "began"), ("2020", "succeeded"),
    ]  # fmt: skip
    assert len(workspace("timeline", lyon["id"])["entries"]) == 2


def test_an_unknown_thing_has_no_timeline_and_one_history_is_asked_for_at_a_time(cli: Cli) -> None:
    assert "nothing is known about" in cli.run("timeline", "Nobody at all").output
    nobody = "00000000-0000-7000-8000-000000000000"
    assert cli.run("changes", "--fact", nobody, "--source", nobody).exit_code == 2
    assert cli.run("changes", "--since", "soon").exit_code == 2


def test_the_journal_is_exported_under_an_anchor_that_later_holds_it(cli: Cli, moved: str, tmp_path: Path) -> None:
    export, anchor = tmp_path / "journal.ndjson", tmp_path / "anchor.json"
    done = cli.json("journal", "export", str(export), "--anchor", str(anchor))
    lines = [json.loads(line) for line in export.read_text().splitlines()]
    assert [line["revision"] for line in lines[:-1]] == list(range(1, done["entries"] + 1))
    assert lines[-1]["anchor"] == done["anchor"] == json.loads(anchor.read_text())["anchor"]
    assert all(before["hash"] == after["previous_hash"] for before, after in pairwise(lines[:-1]))
    for held in (export, anchor):
        assert cli.json("journal", "verify", "--anchor", str(held))["whole"]
    forged = lines[-1] | {"anchor": done["anchor"] | {"hash": "00" * 32}}
    anchor.write_text(json.dumps(forged))
    refused = cli.run("journal", "verify", "--anchor", str(anchor))
    assert refused.exit_code == 5
    assert "it is not the entry that the anchor names" in refused.output
    anchor.write_text("{}")
    assert cli.run("journal", "verify", "--anchor", str(anchor)).exit_code == 2
    assert "the journal is whole" in cli.run("journal", "verify").output


def test_a_read_point_holds_later_reads(workspace: Callable[..., Any], moved: str) -> None:
    made = workspace("read-point", "--as-of", "2015-01-01T00:00:00+00:00")
    held = ("facts", "--subject", moved, "--read-point", made["token"])
    (fact,) = workspace(*held)
    assert (fact["object"]["name"], fact["holds_to"]) == ("Lyon", None)
    assert workspace("entity", moved, "--read-point", made["token"])["facts"] == [fact]


def test_a_read_point_that_was_made_up_is_refused(cli: Cli) -> None:
    refused = cli.run("facts", "--subject", "x", "--read-point", "made up", "--json")
    assert (refused.exit_code, json.loads(refused.stderr)["field"]) == (2, "read_point")
