"""Suggestions to merge predicates on the command line."""

from __future__ import annotations

from uuid import uuid4

import pytest

from tests.entrypoints.cli.conftest import Cli

pytestmark = pytest.mark.services


def test_a_merge_is_suggested_listed_and_rejected(cli: Cli) -> None:
    verb = uuid4().hex.translate(str.maketrans("0123456789", "ghijklmnop"))[:10] + "t"
    lines = [
        f'{{"subject": "{verb} {n}", "predicate": "{word}", "object": "Ship {verb} {n}"}}'
        for word in (f"{verb}s", f"{verb}ed")
        for n in range(3)
    ]
    cli.json("triples", "-", "--scope", "organization", input="\n".join(lines) + "\n")
    told = cli.run("vocabulary", "suggest", "--limit", "50").output
    assert f"{verb.upper()}ED is {verb.upper()}S" in told or f"{verb.upper()}S is {verb.upper()}ED" in told
    (found,) = [each for each in cli.json("vocabulary", "suggestions") if verb.upper() in each["source"]]
    assert (found["merge"], found["shared"], found["effect"]["moved"]) == ("synonym", 3, 3)
    listed = cli.run("vocabulary", "suggestions").output
    assert "3 of 3 facts have the same ends" in listed
    assert "against it: one says what was and the other what is; merged, both read the same" in " ".join(listed.split())
    cli.json("proposals", "reject", found["proposal_id"], "--scope", "organization", "--reason", "two verbs")
    again = cli.json("vocabulary", "suggest", "--limit", "50")
    assert verb.upper() not in str(again["proposed"])
    rejected = cli.json("vocabulary", "suggestions", "--state", "rejected")
    assert "two verbs" in [each["reason"] for each in rejected]
