"""The embedded PostgreSQL with all its safety on, as a user of Assay gets it."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import asyncpg
import pytest

from adapters.embedded.errors import EmbeddedUnavailable
from adapters.embedded.postgres import EmbeddedPostgres, PostgresAddress
from adapters.embedded.processes import ProcessRecord, is_running, read_record, start_mark, write_record

pytestmark = pytest.mark.services


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedPostgres]:
    server = EmbeddedPostgres(tmp_path_factory.mktemp("with space") / "postgres")
    yield server
    server.stop()


@pytest.fixture
def address(server: EmbeddedPostgres) -> PostgresAddress:
    return server.start()


@pytest.fixture
def stranger() -> Iterator[subprocess.Popen[bytes]]:
    """A process that has nothing to do with any server."""
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        yield process
        process.kill()


def recorded(server: EmbeddedPostgres) -> ProcessRecord:
    record = server.running()
    assert record is not None
    return record


async def fetch_value(address: PostgresAddress, sql: str) -> object:
    connection = await asyncpg.connect(address.dsn)
    try:
        return await connection.fetchval(sql)
    finally:
        await connection.close()


async def test_it_is_postgresql_18_with_checksums_and_the_extensions(address: PostgresAddress) -> None:
    wanted = "'vector', 'pg_trgm', 'unaccent', 'btree_gin'"
    found = await fetch_value(address, f"SELECT count(*) FROM pg_available_extensions WHERE name IN ({wanted})")
    assert found == 4
    assert await fetch_value(address, "SELECT current_setting('server_version_num')::int / 10000") == 18
    assert await fetch_value(address, "SELECT current_setting('data_checksums')") == "on"
    assert await fetch_value(address, "SELECT current_setting('fsync')") == "on"


async def test_a_wrong_password_is_refused(address: PostgresAddress) -> None:
    with pytest.raises(asyncpg.InvalidPasswordError):
        await asyncpg.connect(replace(address, password="wrong").dsn)


async def test_it_listens_on_loopback_only(address: PostgresAddress) -> None:
    assert address.host == "127.0.0.1"
    assert await fetch_value(address, "SELECT current_setting('listen_addresses')") == "127.0.0.1"
    assert await fetch_value(address, "SELECT current_setting('unix_socket_directories')") == ""


def test_a_second_start_joins_the_running_server(server: EmbeddedPostgres, address: PostgresAddress) -> None:
    before = recorded(server)
    assert server.start() == address
    assert recorded(server) == before


def test_a_server_whose_starter_died_before_it_wrote_the_record_is_joined(
    server: EmbeddedPostgres, address: PostgresAddress
) -> None:
    before = recorded(server)
    (server.folder / "process.json").unlink()
    assert server.start() == address
    assert (recorded(server).pid, recorded(server).port) == (before.pid, before.port)


async def test_kill_9_keeps_committed_rows_and_the_port(server: EmbeddedPostgres, address: PostgresAddress) -> None:
    connection = await asyncpg.connect(address.dsn)
    await connection.execute("CREATE TABLE kept (n int); INSERT INTO kept SELECT generate_series(1, 1000)")
    killed = recorded(server).pid
    os.kill(killed, signal.SIGKILL)
    assert server.start() == address
    assert recorded(server).pid != killed
    connection.terminate()
    assert await fetch_value(address, "SELECT sum(n) FROM kept") == 500_500


async def test_a_lock_file_that_names_a_stranger_is_cleared(
    server: EmbeddedPostgres, address: PostgresAddress, stranger: subprocess.Popen[bytes]
) -> None:
    os.kill(recorded(server).pid, signal.SIGKILL)
    lock = server.folder / "data" / "postmaster.pid"
    lines = lock.read_text(encoding="utf-8").split("\n")
    lock.write_text("\n".join([str(stranger.pid), *lines[1:]]), encoding="utf-8")
    assert server.start() == address
    assert await fetch_value(address, "SELECT 1") == 1
    assert stranger.poll() is None


def test_stop_ends_the_server_and_a_start_takes_the_same_port(
    server: EmbeddedPostgres, address: PostgresAddress
) -> None:
    record = recorded(server)
    server.stop()
    assert not is_running(record)
    assert server.running() is None
    server.stop()
    assert server.start() == address


def test_stop_leaves_a_stranger_under_the_same_id_alone(tmp_path: Path, stranger: subprocess.Popen[bytes]) -> None:
    write_record(tmp_path, ProcessRecord(stranger.pid, "another boot:1", 20_000, "18.6"))
    server = EmbeddedPostgres(tmp_path)
    assert server.running() is None
    server.stop()
    assert start_mark(stranger.pid) is not None


def test_secrets_logs_and_folders_are_closed_to_others(server: EmbeddedPostgres, address: PostgresAddress) -> None:
    assert address.password not in repr(address)
    assert {entry.name: stat.S_IMODE(entry.stat().st_mode) for entry in server.folder.iterdir()} == {
        "data": 0o700,
        "process.json": 0o600,
        "server.log": 0o600,
        "start.lock": 0o600,
        "superuser.password": 0o600,
    }
    assert (server.folder / "superuser.password").read_text(encoding="utf-8") == address.password


def test_a_half_made_data_folder_is_made_again(tmp_path: Path) -> None:
    draft = tmp_path / "data.new-0123abcd"
    draft.mkdir()
    (draft / "PG_VERSION").write_text("18\n", encoding="utf-8")
    server = EmbeddedPostgres(tmp_path, fast_and_unsafe=True)
    try:
        server.start()
        assert (tmp_path / "data" / "PG_VERSION").read_text(encoding="utf-8") == "18\n"
        assert not draft.exists()
    finally:
        server.stop()


def test_a_setting_that_postgres_refuses_is_named_in_the_reason(tmp_path: Path) -> None:
    server = EmbeddedPostgres(tmp_path, settings={"shared_buffers": "plenty"}, fast_and_unsafe=True)
    with pytest.raises(EmbeddedUnavailable, match='invalid value for parameter "shared_buffers": "plenty"'):
        server.start()
    assert not is_running(read_record(tmp_path))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has to change to another account")
def test_root_without_user_namespaces_runs_it_as_nobody_and_says_so() -> None:
    said: list[str] = []
    with tempfile.TemporaryDirectory() as parent:
        home = Path(parent) / "postgres"
        server = EmbeddedPostgres(home, fast_and_unsafe=True, user_namespace=False, parent_may_open=True)
        try:
            server.start(said.append)
        except EmbeddedUnavailable as error:
            pytest.skip(error.reason)
        finally:
            server.stop()
        assert said == [
            f"PostgreSQL does not run as root and user namespaces are blocked here: it runs as nobody, who owns {home}"
        ]
        assert home.stat().st_uid != 0


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has to change to another account")
def test_a_parent_that_nobody_cannot_enter_is_named(tmp_path: Path) -> None:
    (tmp_path / "closed").mkdir(mode=0o700)
    server = EmbeddedPostgres(tmp_path / "closed" / "postgres", user_namespace=False)
    with pytest.raises(EmbeddedUnavailable, match=f"cannot enter {tmp_path / 'closed'}; chmod o\\+x"):
        server.start()
    assert not (tmp_path / "closed" / "postgres" / "data").exists()


def test_a_plain_user_can_run_it(tmp_path: Path) -> None:
    """Root takes another user number for this test; anybody else is a plain user already."""
    script = (
        "import os, sys; from pathlib import Path; from adapters.embedded.postgres import EmbeddedPostgres\n"
        "server = EmbeddedPostgres(Path(sys.argv[1]), fast_and_unsafe=True)\n"
        "try: print(os.geteuid() != 0, server.start().host)\n"
        "finally: server.stop()"
    )
    namespace = ["unshare", "-U", "--map-user=1000", "--map-group=1000"] if os.geteuid() == 0 else []
    done = subprocess.run(
        [*namespace, sys.executable, "-c", script, str(tmp_path / "plain user")],
        env={**os.environ, "PYTHONPATH": str(Path("src").absolute())},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("True 127.0.0.1\n", "")
