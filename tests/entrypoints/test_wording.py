"""What is wrong with a value is said in plain words."""

from __future__ import annotations

import msgspec
import pytest

from entrypoints.views.vocabulary import Policy
from entrypoints.wording import fault_in


@pytest.mark.parametrize(
    ("policy", "told"),
    [
        ({"name": ""}, "name: it needs at least 1 character"),
        ({"name": "x", "cardinality": "folly"}, "cardinality: it is one of: one, many"),
        ({"name": "x", "succession": "folly"}, "succession: it is one of: by_start, by_observation, never"),
        ({"name": "x", "synonyms": ["y"] * 51}, "synonyms: it needs at most 50 items"),
        ({"name": "x", "minimum_tier": 0}, "minimum_tier: it must be at least 1"),
        ({"name": "x", "time_to_live_seconds": 0}, "time_to_live_seconds: it must be at least 1"),
        ({"name": "x", "subject_kinds": [3]}, "subject_kinds.0: it must be a text, not a whole number"),
        ({"name": "x", "phrase": 3}, "phrase: it must be a text or null, not a whole number"),
        ({}, "object missing required field `name`"),
    ],
)
def test_a_fault_names_its_field_and_what_it_may_be(policy: dict[str, object], told: str) -> None:
    with pytest.raises(msgspec.ValidationError) as refused:
        msgspec.convert(policy, Policy)
    assert fault_in(refused.value, Policy) == told
