"""The jars of a Neo4j community server, fetched from Maven Central once and kept in a cache folder.

About 125 MB, in a folder a version.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path
from xml.etree import ElementTree

from tests.services.cache_folder import cache_folder

POM = Path(__file__).parent / "neo4j" / "pom.xml"
DOWNLOAD_SECONDS = 540


class Neo4jUnavailable(Exception):
    """No Neo4j server can be had here; the message is the reason."""


def neo4j_jars() -> Path:
    """The folder of jars, downloaded if it is not there yet. Raises ``Neo4jUnavailable``."""
    target = cache_folder() / f"neo4j-{_version()}"
    if not target.is_dir():
        _download(target)
    return target


def _version() -> str:
    version = ElementTree.parse(POM).findtext("{*}properties/{*}neo4j.version")
    if version is None:
        raise Neo4jUnavailable(f"{POM} has no neo4j.version property")
    return version


def _download(target: Path) -> None:
    """Fill a temporary folder, then rename it: a cache folder is whole or absent, also with two sessions at once."""
    maven = shutil.which("mvn")
    if maven is None:
        raise Neo4jUnavailable(f"mvn is not installed (on Debian: apt-get install maven) and {target} does not exist")
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".downloading-") as scratch:
        jars = Path(scratch) / "jars"
        _run_maven(maven, jars)
        try:
            jars.rename(target)
        except OSError:
            if not target.is_dir():
                raise


def _run_maven(maven: str, jars: Path) -> None:
    command = [maven, "--quiet", "--batch-mode", "--no-transfer-progress", "--file", str(POM)]
    command += ["dependency:copy-dependencies", f"-DoutputDirectory={jars}", "-DincludeScope=runtime"]
    # Java takes the home folder from the user database; a user without one there may have one in the environment.
    command += [f"-Dmaven.repo.local={Path.home() / '.m2' / 'repository'}"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=DOWNLOAD_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        raise Neo4jUnavailable(f"mvn did not finish the download within {DOWNLOAD_SECONDS} seconds") from None
    if done.returncode != 0 or not any(jars.glob("neo4j-server-*.jar")):
        raise Neo4jUnavailable(f"mvn could not fetch the jars: {(done.stdout + done.stderr).strip()[-800:]}")
