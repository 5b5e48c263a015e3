"""A predicate's policy as plain JSON values, for storage and for proposals."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from domain.knowledge.predicate import Cardinality, PredicatePolicy, Succession


def policy_json(policy: PredicatePolicy) -> dict[str, Any]:
    """The policy as plain JSON values; ``policy_of`` reads it."""
    return {
        "name": policy.name,
        "cardinality": policy.cardinality.value,
        "qualifiers": list(policy.qualifiers),
        "succession": policy.succession.value,
        "inverse_of": policy.inverse_of,
        "symmetric": policy.symmetric,
        "synonyms": list(policy.synonyms),
        "time_to_live_seconds": policy.time_to_live.total_seconds() if policy.time_to_live else None,
        "subject_kinds": sorted(policy.subject_kinds),
        "object_kinds": sorted(policy.object_kinds),
        "minimum_tier": policy.minimum_tier,
        "replaced_by": policy.replaced_by,
        "reviewed": policy.reviewed,
        "phrase": policy.phrase,
    }


def policy_of(data: Mapping[str, Any]) -> PredicatePolicy:
    """The policy that ``policy_json`` wrote."""
    seconds = data.get("time_to_live_seconds")
    return PredicatePolicy(
        name=data["name"],
        cardinality=Cardinality(data["cardinality"]),
        qualifiers=tuple(data["qualifiers"]),
        succession=Succession(data["succession"]),
        inverse_of=data["inverse_of"],
        symmetric=data["symmetric"],
        synonyms=tuple(data["synonyms"]),
        time_to_live=timedelta(seconds=seconds) if seconds is not None else None,
        subject_kinds=frozenset(data["subject_kinds"]),
        object_kinds=frozenset(data["object_kinds"]),
        minimum_tier=data["minimum_tier"],
        replaced_by=data["replaced_by"],
        reviewed=data["reviewed"],
        phrase=data["phrase"],
    )
