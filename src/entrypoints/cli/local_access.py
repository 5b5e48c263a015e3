"""The local operator's keys, kept in the embedded data folder: who may read the folder may act."""

from __future__ import annotations

import fcntl
import getpass
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from application.identity.create_organization import NewOrganization, Operator
from entrypoints.application import Application

OPERATOR = Operator("cli")
OWNER_KEY = "owner.key"
OPERATOR_KEY = "operator.key"
"""Files. The operator's key is for daily work and reaches one workspace, or all where there is only the owner's."""


@dataclass(frozen=True, slots=True)
class LocalKeys:
    """A key that reaches the whole local organization, and the one that is used when no scope is named."""

    owner: str
    operator: str


def read_local_keys(folder: Path) -> LocalKeys | None:
    """The kept keys; None when there are none yet."""
    owner = _read(folder / OWNER_KEY)
    return LocalKeys(owner, _read(folder / OPERATOR_KEY) or owner) if owner else None


async def ensure_local_keys(app: Application, folder: Path, organization: str = "Local") -> LocalKeys:
    """The kept keys, or those of an organization which is made now. Several processes may ask at the same moment."""
    with _alone(folder):
        found = read_local_keys(folder)
        if found is None:
            created = await app.identity.create_organization(OPERATOR, NewOrganization(organization, _user()))
            write_secret(folder / OWNER_KEY, created.key.key.text)
            write_secret(folder / OPERATOR_KEY, created.key.key.text)
            found = LocalKeys(created.key.key.text, created.key.key.text)
    return found


def write_secret(path: Path, secret: str) -> None:
    """Replace a file that nobody else may read, not even for a moment (0600)."""
    draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(secret)
    draft.replace(path)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        return ""


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    descriptor = os.open(folder / f"{OWNER_KEY}.lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _user() -> str:
    try:
        name = getpass.getuser()
    except (KeyError, OSError):
        name = ""
    return name if name.isprintable() and name.strip() else "operator"
