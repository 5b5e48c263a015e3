"""Private folders, secret files, and a lock between processes."""

from __future__ import annotations

import fcntl
import os
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from adapters.embedded.errors import EmbeddedUnavailable

LOCK_LIMIT_S = 180.0


def private_folder(path: Path) -> Path:
    """The folder, made if needed and closed to other users (0700; one that lets them pass but not read is left so)."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        path.mkdir(mode=0o700)
    except FileExistsError:
        if path.stat().st_mode & 0o066:
            path.chmod(0o700)
    return path


def write_private(path: Path, text: str) -> None:
    """Replace the file in one step; nobody but the owner can read it (0600), not even for a moment."""
    draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


def secret_in(path: Path) -> str:
    """The secret kept in the file; a new one of 256 bits is made when there is none. Call it under the lock."""
    try:
        found = path.read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        found = ""
    if found:
        return found
    made = secrets.token_urlsafe(32)
    write_private(path, made)
    return made


@contextmanager
def exclusive(path: Path, limit_s: float = LOCK_LIMIT_S) -> Iterator[None]:
    """Hold the lock file alone, among threads and processes; the kernel frees it when the holder dies.

    Raises ``EmbeddedUnavailable`` when somebody else holds it for ``limit_s`` seconds.
    """
    deadline = time.monotonic() + limit_s
    while True:
        descriptor = _try_lock(path)
        if descriptor is not None:
            break
        if time.monotonic() > deadline:
            raise EmbeddedUnavailable(
                f"another process has held {path} for {limit_s:g} s; wait for it or stop it, then try again"
            )
        time.sleep(0.02)
    try:
        yield
    finally:
        os.close(descriptor)


def _try_lock(path: Path) -> int | None:
    """The locked descriptor; None when it is taken, or when the file was deleted between opening and locking."""
    descriptor = None
    try:
        private_folder(path.parent)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.stat(path).st_ino == os.fstat(descriptor).st_ino:
            return descriptor
    except (BlockingIOError, FileNotFoundError):
        pass
    if descriptor is not None:
        os.close(descriptor)
    return None
