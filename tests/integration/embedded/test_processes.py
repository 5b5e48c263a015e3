"""Which processes count as alive, and which one a record means."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from adapters.embedded.processes import ProcessRecord, is_running, start_mark, stop_process

LEAVE_ANOTHER_THREAD_BEHIND = """
import ctypes, sys, threading
threading.Thread(target=sys.stdin.read).start()
print("ready", flush=True)
ctypes.CDLL(None).pthread_exit(None)
"""

IGNORE_POLITE_REQUESTS = """
import signal, sys
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("ready", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def process(request: pytest.FixtureRequest) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-c", request.param]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        yield process
        process.kill()


def record_of(process: subprocess.Popen[bytes]) -> ProcessRecord:
    mark = start_mark(process.pid)
    assert mark is not None
    return ProcessRecord(process.pid, mark, 20_000, "1")


@pytest.mark.parametrize("process", [IGNORE_POLITE_REQUESTS], indirect=True)
def test_a_process_that_ignores_the_request_is_killed(process: subprocess.Popen[bytes]) -> None:
    stop_process(record_of(process), signal.SIGTERM, limit_s=0.1)
    assert process.wait() == -signal.SIGKILL


@pytest.mark.parametrize("process", [IGNORE_POLITE_REQUESTS], indirect=True)
def test_a_zombie_counts_as_dead(process: subprocess.Popen[bytes]) -> None:
    record = record_of(process)
    stop_process(record, signal.SIGKILL, limit_s=30.0)
    assert process.returncode is None  # not waited for yet
    assert not is_running(record)


@pytest.mark.parametrize("process", [IGNORE_POLITE_REQUESTS], indirect=True)
def test_a_process_with_another_start_is_a_stranger_and_left_alone(process: subprocess.Popen[bytes]) -> None:
    stop_process(ProcessRecord(process.pid, "an earlier start", 20_000, "1"), signal.SIGKILL, limit_s=0.1)
    assert process.poll() is None


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("process", [LEAVE_ANOTHER_THREAD_BEHIND], indirect=True)
def test_a_process_whose_first_thread_ended_is_alive_while_another_one_runs(process: subprocess.Popen[bytes]) -> None:
    record = record_of(process)
    while ") Z " not in Path(f"/proc/{process.pid}/stat").read_text(encoding="utf-8"):
        assert process.poll() is None
    assert is_running(record)
    stop_process(record, signal.SIGKILL, limit_s=30.0)
    assert not is_running(record)
