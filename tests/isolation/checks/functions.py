"""SECURITY DEFINER functions: fixed search path, a rule each, and called in one tenant with the ids of another."""

from __future__ import annotations

from uuid import UUID

import asyncpg

from tests.isolation.rules import functions as rules
from tests.isolation.two_organizations import NAME, Organization

ARGUMENTS = """
SELECT p.proname AS name, p.oid::regprocedure::text AS signature, p.proconfig AS settings,
       pg_get_userbyid(p.proowner) AS owner, has_function_privilege('public', p.oid, 'EXECUTE') AS open,
       array(SELECT format_type(t, NULL) FROM unnest(p.proargtypes) WITH ORDINALITY a (t, n) ORDER BY n) AS types,
       p.proargnames AS names, p.prorettype = 'trigger'::regtype AS trigger
FROM pg_proc p WHERE p.pronamespace = 'assay'::regnamespace AND p.prosecdef ORDER BY 2
"""


async def undeclared(connection: asyncpg.Connection) -> list[str]:
    """Functions without a rule, rules without a function, and functions that a caller could divert."""
    found = await connection.fetch(ARGUMENTS)
    names = {row["name"] for row in found}
    todo = "declare what it may look at, in tests/isolation/rules/functions.py"
    wrong = [f"{name}: {todo}" for name in sorted(names - rules.declared())]
    wrong += [f"{name}: it has a rule and is no SECURITY DEFINER function" for name in rules.declared() - names]
    for row in found:
        if "search_path=assay, public, pg_temp" not in (row["settings"] or []):
            wrong.append(f"{row['name']}: its search path is not fixed")
        if row["owner"] != "assay_owner" or row["open"]:
            wrong.append(f"{row['name']}: it belongs to {row['owner']}, or everybody may call it")
        if row["trigger"] != (row["name"] in rules.TRIGGERS):
            wrong.append(f"{row['name']}: only a trigger function is declared as one")
    return wrong


async def shown_to_others(
    application: asyncpg.Connection, ours: Organization, theirs: Organization, only: str | None = None
) -> list[str]:
    """What functions of the tenant show of another organization when they are called with its ids and words."""
    wrong = []
    scopes = await application.fetchval("SELECT string_agg(s, ',') FROM organization_scopes($1) s", UUID(ours.id))
    for row in await application.fetch(ARGUMENTS):
        if row["name"] not in rules.OF_THE_TENANT or only not in (None, row["name"]):
            continue
        values = ", ".join(
            f"{_literal(_value(name, type_, theirs))}::{type_}"
            for name, type_ in zip(row["names"] or (), row["types"], strict=False)
        )
        async with application.transaction():
            await application.execute("SELECT enter_tenant($1, $2, $2)", UUID(ours.id), scopes)
            try:
                async with application.transaction():
                    answer = str(await application.fetch(f"SELECT * FROM {row['name']}({values})"))
            except asyncpg.PostgresError as error:
                answer = f"{error} {error.detail}"
        # Some give back the words that they were asked with.
        leaks = [leak for leak in theirs.leaked(answer) if leak != theirs.canary]
        wrong += [f"{row['name']} shows {leaks[:3]}"] if leaks else []
    return wrong


def _value(name: str, type_: str, theirs: Organization) -> str:
    if type_ == "uuid":
        return str(theirs.ids["entity" if name == "p_entity" else "erasure"])
    if type_ == "uuid[]":
        ids = sorted(secret for secret in theirs.secrets if "_" not in secret)
        return "{" + ",".join(ids) + "}"
    if type_ == "text[]":
        words = [theirs.canary.lower(), NAME.lower(), "active", "fact", "claim"]
        return "{" + ",".join(words) + "}"
    if type_ == "halfvec":
        return "[" + ",".join(["0.5"] * 384) + "]"
    named = {"p_corpus": "facts", "p_kind": "fact", "p_source": "facts"}
    return {
        "text": named.get(name, theirs.canary),
        "bigint": str(theirs.ids["job"]) if name == "p_job" else "9223372036854775806",
        "bigint[]": "{" + str(theirs.ids["job"]) + "}",
        "integer": "50",
        "boolean": "false",
        "smallint[]": "{1,2,3,4}",
        "bytea": "\\x00",
        "bytea[]": "{}",
        "double precision": "3",
        "double precision[]": "{1,1,1,1,1}",
        "timestamp with time zone": "2100-01-01",
    }[type_]


def _literal(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"
