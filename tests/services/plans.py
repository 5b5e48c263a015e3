"""The plans that a statement and everything inside its functions really ran with, as the application role."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import asyncpg

from adapters.postgres.pool import register_types
from adapters.postgres.provision import APPLICATION, SEARCH_PATH
from tests.services.database import Database


@dataclass
class PlanWatcher:
    """A connection that thinks it is the application: policies bind it, and ``auto_explain`` reports every plan."""

    connection: asyncpg.Connection
    messages: list[str] = field(default_factory=list)

    async def run(self, statement: str, *arguments: object) -> list[dict[str, Any]]:
        """The plans of one run, the innermost first. Run twice before, so that what is planned once a session is."""
        for _ in range(2):
            await self.connection.fetch(statement, *arguments)
        self.messages.clear()
        await self.connection.fetch(statement, *arguments)
        await asyncio.sleep(0)  # the listener is called from the loop
        return [json.loads(text[text.index("{") :]) for text in self.messages if "plan:" in text]


async def watch_plans(database: Database) -> PlanWatcher:
    """Log in as the administrator, load the extension, then become the application role."""
    connection = await asyncpg.connect(
        database.administrator,
        server_settings={"search_path": SEARCH_PATH, "hnsw.iterative_scan": "relaxed_order", "hnsw.ef_search": "100"},
    )
    await register_types(connection)
    await connection.execute(
        "LOAD 'auto_explain'; SET auto_explain.log_min_duration = 0; SET auto_explain.log_nested_statements = on;"
        "SET auto_explain.log_analyze = on; SET auto_explain.log_timing = off; SET auto_explain.log_format = json;"
        "SET client_min_messages = log"
    )
    await connection.execute(f"SET ROLE {APPLICATION}")
    watcher = PlanWatcher(connection)
    connection.add_log_listener(lambda _, message: watcher.messages.append(message.message))
    watcher.messages.clear()
    return watcher


def nodes(plan: Any) -> Iterator[dict[str, Any]]:
    """Every node of a plan."""
    if isinstance(plan, dict):
        if "Node Type" in plan:
            yield plan
        for value in plan.values():
            yield from nodes(value)
    elif isinstance(plan, list):
        for value in plan:
            yield from nodes(value)


def indexes(plans: list[dict[str, Any]]) -> set[str]:
    """The indexes that the plans scan."""
    return {node["Index Name"] for plan in plans for node in nodes(plan) if "Index Name" in node}


def rows_read(plans: list[dict[str, Any]], table: str) -> int:
    """How many rows of a table were fetched, those that a filter then removed included."""
    total = 0
    for plan in plans:
        for node in nodes(plan):
            if node.get("Relation Name", "").startswith(table):
                removed = node.get("Rows Removed by Filter", 0) + node.get("Rows Removed by Index Recheck", 0)
                total += round((node["Actual Rows"] + removed) * node["Actual Loops"])
    return total
