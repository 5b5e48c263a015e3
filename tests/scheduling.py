"""In which order the test files run, and which of them share a worker's servers."""

from __future__ import annotations

import pytest
from xdist.scheduler import LoadScopeScheduling

SERVERS = {
    "tests/contracts/test_neo4j_memory_engine.py": "Neo4j",
    "tests/integration/projection/test_projection_neo4j.py": "Neo4j",
    "tests/integration/projection/test_engines_agree.py": "Neo4j",
    "tests/integration/complaints/": "Neo4j",
    "tests/integration/test_neo4j_server.py": "Neo4j",
    "tests/integration/erasure/test_complete.py": "Neo4j",
    "tests/entrypoints/cli/": "the command line's servers",
    "tests/entrypoints/mcp/": "the filled organization",
    "tests/contracts/test_s3_object_store.py": "SeaweedFS",
    "tests/isolation/": "the two organizations",
    "tests/integration/retrieval/test_plans.py": "the filled record",
    "tests/integration/retrieval/test_contradiction_plans.py": "the filled record",
}
"""Files that belong to one worker, since their fixtures take long to start; every other file is a group of its own."""

FIRST = (
    "Neo4j",
    "the filled record",
    "tests/e2e/test_killed_servers.py",
    "tests/e2e/test_run.py",
    "tests/contracts/test_offline_claim_extractor.py",
    "tests/integration/worker/test_worker.py",
    "tests/integration/worker/test_killed_workers.py",
    "the command line's servers",
    "the filled organization",
    "the two organizations",
    "tests/contracts/test_multilingual_embedder.py",
    "tests/contracts/test_openai_embedder.py",
)
"""The groups that take longest, so that no worker is left alone with one at the end."""


def group_of(nodeid: str) -> str:
    """The group of a test: its tests run in one worker, one after the other."""
    file = nodeid.partition("::")[0]
    return next((group for beginning, group in SERVERS.items() if file.startswith(beginning)), file)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The long groups first; the order is otherwise as it was."""
    places = {group: place for place, group in enumerate(FIRST)}
    items.sort(key=lambda item: places.get(group_of(item.nodeid), len(FIRST)))


class ByGroup(LoadScopeScheduling):
    """Hands out groups in their order to whichever worker is free."""

    def _split_scope(self, nodeid: str) -> str:
        return group_of(nodeid)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> ByGroup:
    """What ``-n`` schedules with."""
    config.option.loadscopereorder = False
    return ByGroup(config, log)
