"""Proposals of every kind, in a line that a person can decide by."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from uuid import UUID

import pytest

from application.knowledge.correct import Correction, Verdict
from application.knowledge.propose_correction import correction_json
from domain.identity.ids import EntityId, FactId, PrincipalId, ProposalId, Revision
from domain.knowledge.assertion import Mention
from domain.knowledge.policy_wire import policy_json
from domain.knowledge.predicate import Cardinality, PredicatePolicy
from domain.ports.documents import ProposalRow
from domain.resolution.entity_edit import EntityEdit, edit_json
from entrypoints.cli.proposed import proposed

SOME = UUID("0190a5d4-7c1e-7b3a-9f00-5a1b2c3d4e5f")
ROW = ProposalRow(
    ProposalId(SOME),
    "document",
    SOME,
    {},
    PrincipalId(SOME),
    "Ann",
    "pending",
    None,
    datetime(2026, 1, 1, tzinfo=UTC),
    None,
)
LIKES = PredicatePolicy("LIKES")
MERGE = {
    "source": "LOVES", "target": "LIKES", "merge": "synonym", "score": 0.91, "facts": 7, "shared": 3, "of": 4,
    "different": 0,
}  # fmt: skip
CORRECTION = Correction(FactId(SOME), Verdict.REPLACE, Revision(3), Mention("Rome", "place"), reason="moved")


@pytest.mark.parametrize(
    ("kind", "payload", "told"),
    [
        ("document", {"title": "Minutes"}, "read the document Minutes"),
        ("document", {"title": None}, f"read the document {SOME}"),
        (
            "vocabulary",
            {
                "policies": [policy_json(replace(LIKES, cardinality=Cardinality.ONE))],
                "before": [policy_json(LIKES)],
                "because": "one at a time",
            },
            "LIKES: cardinality one (was many), because: one at a time",
        ),
        ("vocabulary", {"policies": [], "remove": ["LIKES"]}, "take away the own policy of LIKES"),
        (
            "vocabulary",
            {"suggestion": MERGE, "policies": [policy_json(LIKES)]},
            "keep LOVES as the same as LIKES: 7 facts move; alike 91%, 3 of 4 facts have the same ends, 0 other ones",
        ),
        (
            "correction",
            correction_json(CORRECTION) | {"sentence": "Acme is in Lyon"},
            "replace the object of “Acme is in Lyon” by Rome, because: moved",
        ),
        ("correction", {}, "(erased)"),
        (
            "entity_edit",
            edit_json(EntityEdit(EntityId(SOME), Revision(3), name="ACME", aliases=("A", "B"))) | {"called": "Acme"},
            "Acme: call it ACME; also called A, B",
        ),
        ("entity_edit", {}, "(erased)"),
        (
            "promotion",
            {"sentence": "Acme owns Globex", "from": "project", "sources": ["The plan", "A list"], "reason": "all ask"},
            "take over “Acme owns Globex” from a project scope, cited there from The plan, A list, because: all ask",
        ),
        ("promotion", {}, "(erased)"),
        ("assertion", {"subject": "Acme", "predicate": "OWNS"}, "subject Acme, predicate OWNS"),
    ],
)
def test_a_proposal_is_one_plain_line(kind: str, payload: dict[str, object], told: str) -> None:
    assert proposed(replace(ROW, kind=kind, payload=payload)) == told
