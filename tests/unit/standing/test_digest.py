from __future__ import annotations

import hashlib
from dataclasses import fields, replace
from datetime import timedelta, timezone
from itertools import permutations
from typing import Any
from uuid import UUID

import pytest

from domain.identity.ids import EntityId, FactId, GroupId
from domain.knowledge.assertion import ClaimKind
from domain.standing.assess import assess
from domain.standing.digest import BUCKETS, bucket, bucket_digests, standing_hash
from domain.standing.testimony import Lifecycle, Segment, Verification
from tests.unit.standing.testimonies import BY_START, HANOI, said, year

GROUP, SUBJECT = GroupId("o_" + "0" * 32), EntityId(UUID(int=9))
(SEGMENT,) = assess([said(HANOI, 2010, confidence=0.9, kind=ClaimKind.CLAIM)], BY_START)


def hashed(
    segment: Segment = SEGMENT, group: str = GROUP, predicate: str = "OWNS", form: str = "text:caf\u00e9"
) -> bytes:
    return standing_hash(GroupId(group), SUBJECT, predicate, form, segment)


CHANGES: list[dict[str, Any]] = [
    {"fact_id": FactId(UUID(int=1))},
    {"valid_from": None},
    {"valid_from": year(2011)},
    {"valid_to": year(2011)},
    {"lifecycle": Lifecycle.DISPUTED},
    {"support": False},
    {"refute": True},
    {"confidence": 0.1},
    {"support_mass": 0.1},
    {"refute_mass": 0.1},
    {"score": 0.1},
    {"reason": "other"},
    {"tier": 2},
    {"verification": Verification.HUMAN},
    {"observed_at": year(2021)},
    {"kind": ClaimKind.OPINION},
    {"corrected": True},
]


def test_every_field_of_a_segment_is_part_of_its_hash() -> None:
    assert {name for change in CHANGES for name in change} == {f.name for f in fields(Segment)}
    hashes = {hashed(replace(SEGMENT, **change)) for change in CHANGES}
    assert len(hashes | {hashed()}) == len(CHANGES) + 1


def test_scope_subject_predicate_and_object_are_part_of_the_hash() -> None:
    others = [hashed(group="o_1"), hashed(predicate="OWN"), hashed(form="text:cafe")]
    others.append(standing_hash(GROUP, EntityId(UUID(int=8)), "OWNS", "text:caf\u00e9", SEGMENT))
    assert len({hashed(), *others}) == 5


def test_a_float_that_differs_below_a_millionth_hashes_the_same() -> None:
    assert hashed(replace(SEGMENT, confidence=SEGMENT.confidence + 1e-9)) == hashed()


def test_a_time_in_another_zone_and_a_text_in_another_form_hash_the_same() -> None:
    assert SEGMENT.valid_from is not None
    moved = SEGMENT.valid_from.astimezone(timezone(timedelta(hours=7)))
    assert hashed(replace(SEGMENT, valid_from=moved)) == hashed()
    assert hashed(form="text:cafe\u0301") == hashed()


def test_an_empty_part_does_not_run_into_the_next() -> None:
    assert hashed(predicate="AB", form="C") != hashed(predicate="A", form="BC")


def test_a_bucket_is_the_last_byte_of_the_id() -> None:
    assert [bucket(UUID(int=n)) for n in (0, 255, 256, 0xABCD)] == [0, 255, 0, 0xCD]


def test_bucket_digests_do_not_depend_on_order_and_name_the_bucket_that_differs() -> None:
    pairs = [(UUID(int=n), bytes([n % 251]) * 32) for n in (1, 2, 257, 513)]
    digests = bucket_digests(pairs)
    assert len(digests) == BUCKETS
    assert all(bucket_digests(order) == digests for order in permutations(pairs))
    assert digests[0] == hashlib.sha256(b"").digest()
    changed = bucket_digests([*pairs[:2], (pairs[2][0], bytes(32)), pairs[3]])
    assert [n for n in range(BUCKETS) if changed[n] != digests[n]] == [1]


@pytest.mark.parametrize("n", [0, 1, 300])
def test_the_digest_of_a_bucket_is_sha256_over_sorted_ids_and_hashes(n: int) -> None:
    pairs = [(UUID(int=256 * k), bytes(32)) for k in range(n)]
    assert bucket_digests(pairs)[0] == hashlib.sha256(b"".join(i.bytes + h for i, h in pairs)).digest()
