"""What sign-in and isolation cost a read: ``GET /v1/facts`` with them, and with neither, in turn in one process.

With them: a key is verified, and every row passes the policies of its tenant. With neither: a stub says who calls, and
the database's administrator, whom no policy binds, runs the same statement with the organization and the scopes in its
filter, as an application does that keeps tenants apart by its own queries.
"""

from __future__ import annotations

import asyncio
import random
import statistics
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, cast

from pydantic import SecretStr

from benchmarks.audit_cost import _asked, _settings
from benchmarks.http_facts import CONNECTIONS, LIMIT, SHAPES, _issued, _questions
from benchmarks.report import Line, print_table
from benchmarks.servers import administrator, migrated_database, postgres
from benchmarks.timing import Side, Stopwatch, in_turn
from domain.ports.token_verifier import Credential
from entrypoints.api.app import create_api
from entrypoints.bootstrap import application
from entrypoints.sections.stores import DatabaseSettings
from entrypoints.telemetry import configure_logging
from tests.services.filled_record import fill, finish, prepare

ROUNDS, RESAMPLES = 12, 2_000
GOAL = 0.85


class _Stub:
    """In place of the sign-in: everybody is the one principal, and nothing is looked up."""

    def __init__(self, credential: Credential) -> None:
        self._credential = credential

    async def verify(self, *_: object) -> Credential:
        return self._credential


async def measure(facts: int, *, requests: int = 400) -> list[Line]:
    """Each shape in rounds in turn."""
    with postgres() as server, tempfile.TemporaryDirectory() as folder:
        database = await migrated_database(server)
        async with administrator(database) as connection:
            await prepare(connection)
            await fill(connection, {1: facts, 2: facts})
            await finish(connection)
            key = await _issued(connection)
            await connection.execute("VACUUM ANALYZE")
        settings = _settings(database, Path(folder))
        configure_logging(settings.telemetry.model_copy(update={"log_level": "error"}))
        unbound = settings.model_copy(update={"database": DatabaseSettings(url=SecretStr(database.administrator))})
        async with application(settings, look=False) as bound, application(unbound, look=False) as free:
            credential = await bound.verifier.verify(key)
            stubbed = replace(free, sign_ins=cast("Any", _Stub(credential)))
            sides_of = {"ours": (create_api(bound, settings), bound), "theirs": (create_api(stubbed, unbound), free)}
            lines = []
            for shape in SHAPES:
                asked = _questions(shape, facts, requests)
                work = {name: partial(_asked, api, asked, key, app) for name, (api, app) in sides_of.items()}
                sides = await in_turn(work, requests, ROUNDS, Stopwatch(server.process))
                lines.append(_line(shape, facts, requests, sides["ours"], sides["theirs"]))
    return lines


def _line(shape: str, facts: int, requests: int, ours: Side, theirs: Side) -> Line:
    low, high = interval(ours.rates, theirs.rates)
    spent = "; by processor time {:.2f} to {:.2f}".format(*interval(ours.cpu, theirs.cpu)) if ours.cpu else ""
    return Line(
        f"GET /v1/facts signed in under policies, {shape}", ours.rate, "/s", "stub sign-in, explicit filter",
        theirs.rate, GOAL, n=ROUNDS * requests, cpu_ratio=ours.cpu_ratio(theirs),
        conditions=f"two organizations of {facts:,} facts; the application without an HTTP server before it, "
        f"{CONNECTIONS} at a time, up to {LIMIT} facts an answer; {ROUNDS} rounds in turn; 95 % of resampled pairs of "
        f"rounds have a median ratio of {low:.2f} to {high:.2f}{spent}",
    )  # fmt: skip


def interval(ours: Sequence[float], theirs: Sequence[float]) -> tuple[float, float]:
    """The bootstrap interval (95 %) of the median ratio of rounds that ran beside each other."""
    ratios, draw = [a / b for a, b in zip(ours, theirs, strict=True)], random.Random(4)
    medians = sorted(statistics.median(draw.choices(ratios, k=len(ratios))) for _ in range(RESAMPLES))
    return medians[int(0.025 * RESAMPLES)], medians[int(0.975 * RESAMPLES) - 1]


if __name__ == "__main__":
    print_table(asyncio.run(measure(20_000)))
