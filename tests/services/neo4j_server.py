"""One Neo4j community server for the test session, started when the first test asks for it.

It listens on one loopback port (bolt only, no HTTP) with a random password, reports no usage and keeps its data in
a temporary folder. ``ASSAY_TEST_NEO4J=off`` skips its tests, in CI too. Starting takes 10 to 20 seconds on two cores.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import neo4j
import pytest
from neo4j.exceptions import DriverError, Neo4jError

from tests.services.availability import service_missing
from tests.services.neo4j_jars import Neo4jUnavailable, neo4j_jars

START_SECONDS = 120
HASHINGS = 1024
# A short-lived server gains more from the quick compiler than from the optimising one: it starts in half the time.
JVM_FLAGS = ("-Xms320m", "-Xmn160m", "-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
SETTINGS = """\
server.bolt.listen_address=127.0.0.1:{port}
server.bolt.advertised_address=127.0.0.1:{port}
server.http.enabled=false
server.https.enabled=false
server.memory.pagecache.size=64m
dbms.usage_report.enabled=false
"""


@dataclass(frozen=True, slots=True)
class Neo4jAddress:
    """Where the session's server answers: a ``bolt://`` URI and the only user."""

    uri: str
    user: str
    password: str


@pytest.fixture(scope="session")
def neo4j_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Neo4jAddress]:
    """The address of an empty server that belongs to this session alone."""
    if os.environ.get("ASSAY_TEST_NEO4J", "").lower() == "off":
        pytest.skip("Neo4j is switched off by ASSAY_TEST_NEO4J=off")
    try:
        java, jars = _java(), neo4j_jars()
    except Neo4jUnavailable as error:
        service_missing("Neo4j", str(error))
    home = tmp_path_factory.mktemp("neo4j")
    address = _configure(home)
    process = _launch(java, jars, home)
    try:
        _wait_until_it_answers(process, address, home)
        yield address
    finally:
        _stop(process)


def _java() -> str:
    java = shutil.which("java")
    if java is None:
        raise Neo4jUnavailable("java is not installed (on Debian: apt-get install openjdk-17-jre-headless)")
    text = subprocess.run([java, "-version"], capture_output=True, text=True, check=False).stderr
    version = re.search(r'version "(\d+)', text)
    if version is None or int(version[1]) < 17:
        raise Neo4jUnavailable(f"it needs Java 17 or 21; {java} says {text.splitlines()[:1]}")
    return java


def _configure(home: Path) -> Neo4jAddress:
    """Write the settings and the password before the first start: the default password is never in force."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    (home / "conf").mkdir()
    (home / "data" / "dbms").mkdir(parents=True)
    (home / "conf" / "neo4j.conf").write_text(SETTINGS.format(port=port), encoding="utf-8")
    address = Neo4jAddress(f"bolt://127.0.0.1:{port}", "neo4j", secrets.token_hex(16))
    (home / "data" / "dbms" / "auth.ini").write_text(_initial_user(address), encoding="utf-8")
    return address


def _initial_user(address: Neo4jAddress) -> str:
    """What ``neo4j-admin dbms set-initial-password`` writes; it would start a Java of its own for that."""
    salt = secrets.token_bytes(32)
    digest = hashlib.sha256(salt + address.password.encode()).digest()
    for _ in range(HASHINGS - 1):
        digest = hashlib.sha256(digest).digest()
    return f"{address.user}:SHA-256,{digest.hex()},{salt.hex()},{HASHINGS}:\n"


def _launch(java: str, jars: Path, home: Path) -> subprocess.Popen[bytes]:
    command = [java, *JVM_FLAGS, "-cp", f"{jars}/*", "org.neo4j.server.CommunityEntryPoint"]
    command += [f"--home-dir={home}", f"--config-dir={home / 'conf'}", "--console-mode"]
    with (home / "console.log").open("wb") as console:
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=console, stderr=subprocess.STDOUT)


def _wait_until_it_answers(process: subprocess.Popen[bytes], address: Neo4jAddress, home: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while not _answers(address):
        if process.poll() is not None or time.monotonic() > deadline:
            console = (home / "console.log").read_text(encoding="utf-8", errors="replace")
            pytest.fail(f"Neo4j did not start (exit code {process.poll()}):\n{console[-3000:]}", pytrace=False)
        time.sleep(0.2)


def _answers(address: Neo4jAddress) -> bool:
    with neo4j.GraphDatabase.driver(address.uri, auth=(address.user, address.password)) as driver:
        try:
            # Not execute_query: it would try again for up to 30 seconds, longer each time.
            with driver.session(database="neo4j") as session:
                session.run("RETURN 1").consume()
        except (DriverError, Neo4jError):
            return False
    return True


def _stop(process: subprocess.Popen[bytes]) -> None:
    """Kill it: a clean shutdown takes seconds to write a checkpoint that nobody will read."""
    process.kill()
    process.wait()
