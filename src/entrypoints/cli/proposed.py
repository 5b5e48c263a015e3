"""What a proposal would do, in a line that a person can decide by."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from domain.errors import SHOWN
from domain.ports.documents import ProposalRow

_QUIET = frozenset({"name", "reviewed"})
_DEFAULTS = {"cardinality": "many", "succession": "by_start", "minimum_tier": 4}


def proposed(row: ProposalRow) -> str:
    """What would come of it when it is approved."""
    said = row.payload
    if row.kind == "document":
        return f"read the document {_short(said.get('title')) or row.target_id}"
    if "suggestion" in said:
        return _merge(said["suggestion"])
    if row.kind == "correction":
        return _correction(said)
    if row.kind == "entity_edit":
        return _edit(said)
    if row.kind == "promotion":
        return _promotion(said)
    if row.kind == "vocabulary":
        return _vocabulary(said)
    return _fields(said) or f"{row.kind.replace('_', ' ')} {row.target_id or row.id}"


def _merge(said: Any) -> str:
    how = "the reverse of" if said["merge"] == "inverse" else "the same as"
    return (
        f"keep {said['source']} as {how} {said['target']}: {said['facts']} facts move; alike {said['score']:.0%}, "
        f"{said['shared']} of {said['of']} facts have the same ends, {said['different']} other ones"
    )


def _correction(said: Mapping[str, Any]) -> str:
    if "verdict" not in said:
        return "(erased)"
    fact = f"“{_short(said.get('sentence')) or said['fact_id']}”"
    done = {"confirm": f"confirm {fact}", "deny": f"deny {fact}"}.get(said["verdict"])
    if done is None:
        target = said["object"] or {}
        done = f"replace the object of {fact} by {_short(target.get('name', target.get('value')))}"
    bounds = [(word, _day(said.get(key))) for word, key in (("from", "valid_from"), ("until", "valid_to"))]
    return _because("".join([done, *(f", {word} {day}" for word, day in bounds if day)]), said.get("reason"))


def _promotion(said: Mapping[str, Any]) -> str:
    if "sentence" not in said:
        return "(erased)"
    cited = ", ".join(map(_short, said.get("sources", ())))
    told = f"take over “{_short(said['sentence'])}” from a {said['from']} scope, cited there from {cited}"
    return _because(told, said.get("reason"))


def _edit(said: Mapping[str, Any]) -> str:
    if "entity_id" not in said:
        return "(erased)"
    changes = []
    for key, words in (("name", "call it"), ("kind", "make it a"), ("description", "describe it as")):
        if said.get(key):
            changes.append(f"{words} {_short(said[key])}")
    for key, words in (("aliases", "also called"), ("not_aliases", "no longer called")):
        if said.get(key):
            changes.append(f"{words} {', '.join(map(_short, said[key]))}")
    return _because(f"{_short(said.get('called')) or said['entity_id']}: {'; '.join(changes)}", said.get("reason"))


def _vocabulary(said: Mapping[str, Any]) -> str:
    before = {policy["name"]: policy for policy in said.get("before", ())}
    changes = [_policy(policy, before.get(policy["name"], {})) for policy in said.get("policies", ())]
    changes += [f"take away the own policy of {name}" for name in said.get("remove", ())]
    return _because("; ".join(changes), said.get("because"))


def _policy(policy: Mapping[str, Any], before: Mapping[str, Any]) -> str:
    """What of a policy is new."""
    different = []
    for key, value in policy.items():
        old = before.get(key, _DEFAULTS.get(key))
        if key not in _QUIET and value != old and (value or old):
            different.append(f"{key.replace('_', ' ')} {_value(value)}" + (f" (was {_value(old)})" if old else ""))
    return f"{policy['name']}: {', '.join(different) or 'as it is'}"


def _fields(said: Mapping[str, Any]) -> str:
    return ", ".join(f"{key.replace('_', ' ')} {_value(value)}" for key, value in said.items() if value)


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return _fields(value)
    if isinstance(value, Iterable) and not isinstance(value, str):
        return ", ".join(map(_value, value)) or "none"
    return _short(value) or "none"


def _day(bound: Any) -> str:
    if not bound:
        return ""
    return str(bound["value"])[:10] if bound.get("value") else str(bound.get("state", ""))


def _because(done: str, reason: Any) -> str:
    return f"{done}, because: {_short(reason)}" if reason else done


def _short(value: Any) -> str:
    """On one line, cut where it is long."""
    text = " ".join(str(value).split()) if value is not None else ""
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
