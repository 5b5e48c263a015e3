"""As whom PostgreSQL runs: it refuses to run as root."""

from __future__ import annotations

import os
import pwd
import subprocess
from functools import cache
from pathlib import Path

from adapters.embedded.errors import EmbeddedUnavailable
from adapters.embedded.processes import Account

_NAMESPACE = ("unshare", "-U", "--map-user=1000", "--map-group=1000")
"""Root under another number: it keeps its access to files, so nothing has to change its owner."""


def account_for(data: Path, home: Path, *, allow_namespace: bool) -> Account:
    """The account for a data folder: the caller's; for root a user namespace, or ``nobody`` where that is blocked.

    For ``nobody`` everything under ``home`` is given to that account, and every folder above it has to let it pass.
    A data folder that ``nobody`` owns stays with it. Raises ``EmbeddedUnavailable`` when no account can work.
    """
    if os.geteuid() != 0:
        return Account()
    given_away = data.exists() and data.stat().st_uid != 0
    if allow_namespace and not given_away and _namespace_works():
        return Account(prefix=_NAMESPACE)
    try:
        nobody = pwd.getpwnam("nobody")
    except KeyError:
        raise EmbeddedUnavailable(
            "PostgreSQL does not run as root, and here is neither a user namespace nor an account 'nobody'; "
            "start Assay as another user"
        ) from None
    _refuse_closed_parents(home)
    for path in (home, *home.rglob("*")):
        os.chown(path, nobody.pw_uid, nobody.pw_gid, follow_symlinks=False)
    return Account(user=nobody.pw_uid, group=nobody.pw_gid)


@cache
def _namespace_works() -> bool:
    try:
        return subprocess.run([*_NAMESPACE, "true"], capture_output=True, check=False).returncode == 0  # noqa: S603
    except FileNotFoundError:
        return False


def _refuse_closed_parents(home: Path) -> None:
    closed = [parent for parent in home.parents if not parent.stat().st_mode & 0o001]
    if closed:
        raise EmbeddedUnavailable(
            f"PostgreSQL does not run as root, and the account 'nobody' cannot enter {closed[0]}; "
            f"chmod o+x {closed[0]}, choose another data folder, or start Assay as another user"
        )
