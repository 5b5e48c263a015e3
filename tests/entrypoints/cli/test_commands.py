"""Commands against real servers."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from tests.entrypoints.cli.conftest import Cli, imported_by

pytestmark = pytest.mark.services

TRIPLES = """\
{"subject": "Acme", "predicate": "owns", "object": "Brik"}
{"subject": "Acme", "predicate": "built by", "object": "Dane"}
{"subject": "Acme", "predicate": "OWNS", "object": 5}
"""
NOBODY = "00000000-0000-7000-8000-000000000000"


def test_a_folder_gives_every_file_a_receipt_and_a_second_run_changes_nothing(
    workspace: Callable[..., Any], tmp_path: Path
) -> None:
    folder = tmp_path / "some notes"
    (folder / "deeper").mkdir(parents=True)
    (folder / ".hidden").mkdir()
    (folder / ".hidden" / "secret.md").write_text("Acme owns Zed.")
    (folder / "acme.md").write_text("# Acme\n\nAcme Corporation was founded by Ann Lee in 1998.\n")
    (folder / "deeper" / "brik.txt").write_text("Brik Limited is headquartered in Hull.\n")

    first = workspace("ingest", str(folder), "--collection", "notes", "--wait")
    assert [file["record_key"] for file in first["files"]] == ["acme.md", "deeper/brik.txt"]
    assert first["totals"]["files"] == first["totals"]["completed"] == 2
    for file in first["files"]:
        assert file["items"] == file["stored"] + file["merged"] + file["queued"] + file["rejected"] > 0

    again = workspace("ingest", str(folder), "--collection", "notes", "--wait")
    assert again["totals"] == {
        "files": 2, "unchanged": 2, "items": 0, "stored": 0, "merged": 0, "queued": 0, "rejected": 0,
    }  # fmt: skip

    found = workspace("search", "Where is Brik headquartered?")
    assert found["hits"][0]["fact"]["sentence"] == "Brik Limited is headquartered in Hull"
    assert found["hits"][0]["fact"]["citation"]["excerpt"] == "Brik Limited is headquartered in Hull."
    assert [source["name"] for source in workspace("sources", "list")] == [str(folder.resolve())]
    assert [(c["name"], c["documents"]) for c in workspace("collections", "list")] == [("notes", 2)]


def test_a_file_that_cannot_be_read_is_named_and_the_others_are_kept(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "empty.md").touch()
    (tmp_path / "good.md").write_text(f"Report {uuid4()}: Acme owns Brik.")
    result = cli.run("ingest", str(tmp_path), "--json")
    assert result.exit_code == 2
    files = json.loads(result.stdout)["files"]
    assert [(Path(file["path"]).name, file["status"]) for file in files] == [
        ("empty.md", "refused"), ("good.md", "accepted"),
    ]  # fmt: skip
    assert files[0]["detail"] == "the document is empty; send its bytes or its text"


def test_triples_are_read_from_standard_input_and_a_bad_line_costs_no_other(workspace: Callable[..., Any]) -> None:
    receipt = workspace("triples", "-", "--source", "export", "--name", "october", input=TRIPLES)
    assert {name: receipt[name] for name in ("items", "stored", "merged", "queued", "rejected")} == {
        "items": 3, "stored": 2, "merged": 0, "queued": 0, "rejected": 1,
    }  # fmt: skip
    assert receipt["rejections"][0]["place"] == "line 3"
    again = workspace("triples", "-", "--source", "export", "--name", "october", input=TRIPLES)
    assert (again["stored"], again["merged"], again["rejected"]) == (0, 2, 1)
    assert workspace("receipt", again["receipt_id"]) == again
    newest = [each["receipt_id"] for each in workspace("receipts", "--limit", "2")]
    assert newest == [again["receipt_id"], receipt["receipt_id"]]


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        (("--subject", "acme", "--predicate", "owns"), ["Acme owns Brik"]),
        (("--subject", "Acme", "--object", "brik"), ["Acme owns Brik"]),
        (("--predicate", "owned by", "--subject", "Brik"), ["Acme owns Brik"]),
        (("--predicate", "OWNS", "--object", "Brik"), ["Acme owns Brik"]),
        (("--predicate", "owns"), ["Acme owns Brik"]),
        (("--object", "BRIK"), ["Acme owns Brik"]),
        (("--subject", "Nobody"), []),
    ],
)
def test_facts_are_found_by_pattern(
    workspace: Callable[..., Any], pattern: tuple[str, ...], expected: list[str]
) -> None:
    workspace("triples", "-", input=TRIPLES)
    assert [fact["sentence"] for fact in workspace("facts", *pattern)] == expected


def test_an_entity_its_surroundings_and_a_path(cli: Cli, workspace: Callable[..., Any]) -> None:
    lines = [("Acme", "owns", "Brik"), ("Brik", "owns", "Cole")]
    text = "\n".join(json.dumps({"subject": s, "predicate": p, "object": o}) for s, p, o in lines)
    workspace("triples", "-", input=text)
    cli.json("graph", "rebuild")
    assert cli.json("graph", "verify", "--deep")["buckets"] == []
    profile = workspace("entity", "brik")
    assert profile["totals"] == [{"predicate": "OWNS", "as_subject": 1, "as_object": 1}]
    around = workspace("neighbours", "Acme", "--hops", "2")
    assert [(near["hop"], near["fact"]["sentence"]) for near in around["facts"]] == [
        (1, "Acme owns Brik"), (2, "Brik owns Cole"),
    ]  # fmt: skip
    path = workspace("path", "Acme", "Cole")
    assert [fact["sentence"] for fact in path["facts"]] == ["Acme owns Brik", "Brik owns Cole"]
    (used,) = workspace("predicates")
    assert (used["predicate"], used["facts"], used["reviewed"], len(used["examples"])) == ("OWNS", 2, True, 2)
    explained = workspace("explain", path["facts"][0]["id"])
    assert [said["subject"] for said in explained["assertions"]] == ["Acme"]
    assert explained["grounds"]["epistemic_status"] == path["facts"][0]["epistemic_status"]
    assert [source["mass"] for source in explained["grounds"]["sources"]] == [explained["grounds"]["support_mass"]]
    assert cli.json("standings", "rebuild")["discrepancies"] == []


def test_retracting_a_source_by_name_takes_its_facts_back(workspace: Callable[..., Any]) -> None:
    workspace("triples", "-", "--source", "rumours", input=TRIPLES)
    assert workspace("retract", "source", "rumours", "--reason", "nobody stands by it")["assertions"] == 2
    assert workspace("facts", "--subject", "Acme") == []


def test_a_member_s_weak_document_waits_for_a_person(cli: Cli, tmp_path: Path) -> None:
    note = tmp_path / "note.md"
    note.write_text(f"{uuid4()}: Acme owns Brik.")
    member = cli.json("keys", "issue", "a member", "--role", "member")["key"]
    kept = cli.json("ingest", str(note), "--source", "gossip", "--kind", "research", key=member)["files"][0]
    assert kept["status"] == "proposed"
    waiting = cli.json("proposals", "list", "--kind", "document")
    refused = cli.run("proposals", "approve", waiting[0]["proposal_id"], key=member)
    assert (refused.exit_code, refused.stdout) == (3, "")
    assert cli.json("proposals", "approve", waiting[0]["proposal_id"])[0]["state"] == "approved"
    assert cli.json("receipt", kept["receipt_id"])["status"] == "accepted"


def test_what_was_rejected_is_listed_with_its_file_and_place(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("towns.csv").write_text(f"id,name,founded\n1,Hull {uuid4()},1299\n2,Lund,soon\n3,,1200,extra\n")
    column = {"column": "founded", "predicate": "founded", "object": "date"}
    Path("mapping.json").write_text(json.dumps({"subject": "name", "key": "id", "properties": [column]}))
    result = cli.run("ingest", "towns.csv", "--mapping", "mapping.json", "--wait")
    assert result.exit_code == 0, result.output
    listed = [line.split()[:4] for line in result.stdout.splitlines() if line.startswith("towns.csv")]
    assert listed == [
        ["towns.csv", "row", "3", "value_unreadable"],
        ["towns.csv", "row", "4", "field_count"],
    ]


def test_of_many_rejected_lines_the_first_of_each_code_are_shown_and_where_the_others_are(
    cli: Cli, workspace: Callable[..., Any]
) -> None:
    lines = '{"subject": "Acme"}\n' * 13
    result = cli.run("triples", "-", "--name", f"bad {uuid4()}", input=lines)
    assert result.exit_code == 2
    shown = result.stdout.splitlines()
    assert shown[2].split() == ["status", "refused"]
    assert [line.split()[1] for line in shown if line.startswith("line ")] == [str(n) for n in range(1, 11)]
    newest = cli.json("receipts", "--limit", "1")[0]["receipt_id"]
    assert shown[-1] == f"… and 3 more of invalid_input: assay receipt {newest}"
    whole = cli.run("receipt", newest).stdout.splitlines()
    assert len([line for line in whole if line.startswith("line ")]) == 13


def test_pending_assertions_are_listed_tried_and_decided(cli: Cli, workspace: Callable[..., Any]) -> None:
    source = f"rumours {uuid4()}"
    weak = workspace("triples", "-", "--source", source, "--kind", "research", "--tier", "4", input=TRIPLES)
    assert (weak["stored"], weak["queued"]) == (2, 0)
    member = cli.json("keys", "issue", "a reporter", "--role", "member")["key"]
    said = cli.json("triples", "-", "--source", source, "--kind", "research", input=TRIPLES, key=member)
    assert (said["stored"], said["queued"]) == (0, 2)
    waiting = cli.json("pending", "list", "--source", source)
    assert [each["sentence"] for each in waiting] == ["Acme owns Brik", "Acme was created by Dane"]
    assert cli.run("pending", "approve").exit_code == 2
    assert cli.run("pending", "approve", waiting[0]["assertion_id"], "--source", source).exit_code == 2
    tried = cli.json("pending", "approve", "--source", source, "--predicate", "owns", "--dry-run")
    assert (tried["decided"], [each["sentence"] for each in tried["sample"]]) == (1, ["Acme owns Brik"])
    assert cli.run("pending", "approve", waiting[0]["assertion_id"], key=member).exit_code == 3
    one = cli.json("assertion", waiting[0]["assertion_id"])
    assert (one["sentence"], one["fact_id"]) == ("Acme owns Brik", waiting[0]["fact_id"])
    assert (one["assertion"]["state"], one["assertion"]["source_name"]) == ("pending", source)
    assert "state        pending" in cli.run("assertion", waiting[0]["assertion_id"]).stdout
    assert cli.json("pending", "approve", waiting[0]["assertion_id"])["decided"] == 1
    assert cli.json("assertion", waiting[0]["assertion_id"])["assertion"]["state"] == "live"
    assert cli.json("pending", "reject", "--source", source)["decided"] == 1
    assert cli.json("pending", "list", "--source", source) == []


def test_a_revoked_key_is_refused(cli: Cli) -> None:
    issued = cli.json("keys", "issue", "short-lived", "--role", "viewer")
    assert cli.json("sources", "list", key=issued["key"]) is not None
    cli.json("keys", "revoke", issued["credential_id"])
    listed = {key["credential_id"]: key["revoked_at"] for key in cli.json("keys", "list")}
    assert listed[issued["credential_id"]] is not None
    assert cli.run("sources", "list", key=issued["key"]).exit_code == 3


def test_two_organizations_never_see_each_other(cli: Cli, workspace: Callable[..., Any]) -> None:
    receipt = workspace("triples", "-", input=TRIPLES)
    other = cli.json("organizations", "create", "Elsewhere", "--owner", "Eve")["key"]
    assert [organization["name"] for organization in cli.json("organizations", "list", key=other)] == ["Elsewhere"]
    assert cli.json("facts", "--subject", "Acme", key=other) == []
    assert cli.run("receipt", receipt["receipt_id"], key=other).exit_code == 4


def test_what_is_remembered_is_recalled_by_whom_it_belongs_to(cli: Cli) -> None:
    assert cli.json("remember", "The stand-up moved to nine o'clock.")["status"] == "accepted"
    assert cli.json("remember", "The stand-up moved to nine o'clock.")["status"] == "unchanged"
    assert cli.json("recall", "stand-up") is not None


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("receipt", NOBODY), 4, f"no receipt {NOBODY} in your scopes"),
        (("explain", NOBODY), 4, f"there is no fact {NOBODY}"),
        (("assertion", NOBODY), 4, f"there is no assertion {NOBODY}"),
        (("retract", "source", "nothing"), 4, "no source 'nothing' in your scopes; `assay sources list` shows them"),
        (("ingest", __file__, __file__, "--origin", "urn:x:1"), 2, "--origin is of one file, and 2 were named"),
        (("ingest", "/no/such/path"), 4, "there is no file or folder '/no/such/path'; correct the path"),
        (("facts",), 2, "name a subject, a predicate or an object; all three open is no question"),
        (("facts", "--subject", "Acme", "--as-of", "2024-05-01"), 2, "as_of"),
        (("facts", "--subject", "Acme", "--as-of", "yesterday"), 2, "'yesterday' is no time"),
        (("facts", "--object-literal", "five"), 2, "'five' is no literal"),
        (("search", " "), 2, "the query is empty; ask something"),
        (("search", "Acme", "--scope", "no such place"), 2, "'no such place' cannot be the name of a workspace"),
        (("search", "Acme", "--scope", "nowhere"), 4, "there is no scope 'nowhere' for this key"),
        (("search", "Acme", "--limit", "0"), 2, "Invalid value for '--limit'"),
        (("jobs", "retry", "1"), 4, "there is no failed job with such an id here"),
        (("jobs", "retry"), 2, "name the jobs by id, or say --all"),
        (("workspaces", "create", "personal"), 2, "'personal' has a meaning of its own; choose another name"),
        (("triples", "/no/such/file"), 2, "'/no/such/file' cannot be read: No such file or directory"),
    ],
)
def test_a_refusal_says_what_with_what_value_and_what_to_do(
    cli: Cli, arguments: tuple[str, ...], code: int, words: str
) -> None:
    result = cli.run(*arguments)
    assert (result.exit_code, result.stdout) == (code, "")
    assert words in result.stderr
    assert "Traceback" not in result.stderr


def test_a_wrong_key_is_refused_the_same_however_wrong(cli: Cli) -> None:
    for key in ("assay_", f"assay_{'x' * 43}", "nonsense"):
        result = cli.run("sources", "list", key=key)
        assert result.exit_code == 3
        assert result.stderr.startswith("assay: this key or session is not valid;")


def test_the_local_keys_can_be_read_by_nobody_else(cli: Cli) -> None:
    cli.json("sources", "list")
    for name in ("owner.key", "operator.key"):
        assert stat.S_IMODE(os.stat(cli.folder / name).st_mode) == 0o600


def test_migrating_what_is_up_to_date_applies_nothing(cli: Cli) -> None:
    assert cli.json("migrate") == {"applied": []}


def test_status_shows_what_runs(cli: Cli) -> None:
    assert {part["name"] for part in cli.json("status") if part["state"] == "running"} >= {"postgres"}


def test_a_command_loads_neither_graph_nor_parsers_when_it_needs_none(cli: Cli) -> None:
    heavy = {"graphiti_core", "falkordb", "neo4j", "openai", "boto3", "bs4", "pypdf", "spacy", "litestar", "mcp"}
    for arguments in (("receipts",), ("search", "Acme"), ("pending", "list")):
        assert imported_by(*arguments, environment=cli.environment) & heavy == set(), arguments


def test_a_revision_that_is_not_there_yet_is_refused(cli: Cli) -> None:
    for arguments in (
        ("search", "Acme"), ("facts", "--subject", "Acme"), ("entity", "Acme"), ("predicates",), ("neighbours", "Acme"),
        ("path", "Acme", "Brik"), ("explain", NOBODY),
    ):  # fmt: skip
        result = cli.run(*arguments, "--known-at", "1000000000", "--json")
        assert result.exit_code == 2, result.output
        problem = json.loads(result.stderr)
        assert (problem["code"], problem["field"]) == ("invalid_input", "known_at")
        assert "revision 1000000000 is not there yet, the last one is" in problem["detail"]


def test_known_at_may_be_a_time(cli: Cli) -> None:
    result = cli.run("facts", "--subject", "Acme", "--known-at", "2020-01-01T00:00:00+00:00", "--json")
    assert (result.exit_code, json.loads(result.stdout)) == (0, [])
    assert result.stderr == "read at revision 0, the last by 2020-01-01T00:00:00+00:00\n"
    for wrong in ("soon", "2126-01-01T00:00:00+00:00"):
        refused = cli.run("facts", "--subject", "Acme", "--known-at", wrong, "--json")
        assert (refused.exit_code, json.loads(refused.stderr)["field"]) == (2, "known_at")
