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


def account_for(home: Path, binaries: Path, *, allow_namespace: bool, open_parent: bool) -> Account:
    """The account for the server in ``home``: the caller's; for root a user namespace, or else ``nobody``.

    For ``nobody`` everything under ``home`` is given to that account, and it has to be let through every folder
    above; with ``open_parent`` the one directly above is opened for that. A folder that ``nobody`` once got stays
    with it. Raises ``EmbeddedUnavailable`` when no account can work.
    """
    if os.geteuid() != 0:
        return Account()
    given_away = home.stat().st_uid != 0
    if allow_namespace and not given_away and _namespace_works():
        return Account(prefix=_NAMESPACE)
    try:
        nobody = pwd.getpwnam("nobody")
    except KeyError:
        raise EmbeddedUnavailable(
            "PostgreSQL does not run as root, and here is neither a user namespace nor an account 'nobody'; "
            "start Assay as another user"
        ) from None
    if open_parent:
        home.parent.chmod(home.parent.stat().st_mode | 0o011)
    _refuse_closed(*home.parents, *binaries.parents)
    for path in (home, *home.rglob("*")):
        os.chown(path, nobody.pw_uid, nobody.pw_gid, follow_symlinks=False)
    note = f"PostgreSQL does not run as root and user namespaces are blocked here: it runs as nobody, who owns {home}"
    return Account(user=nobody.pw_uid, group=nobody.pw_gid, note=note)


@cache
def _namespace_works() -> bool:
    try:
        return subprocess.run([*_NAMESPACE, "true"], capture_output=True, check=False).returncode == 0  # noqa: S603
    except FileNotFoundError:
        return False


def _refuse_closed(*folders: Path) -> None:
    closed = [folder for folder in folders if not folder.stat().st_mode & 0o001]
    if closed:
        raise EmbeddedUnavailable(
            f"PostgreSQL does not run as root, user namespaces are blocked, and the account 'nobody' cannot enter "
            f"{closed[0]}; chmod o+x {closed[0]}, use another place, or start Assay as another user"
        )
