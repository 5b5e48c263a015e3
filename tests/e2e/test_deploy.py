"""The compose file and the Dockerfile, judged by the tools that will read them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sysconfig
from pathlib import Path
from typing import Any

import pytest

DEPLOY = Path(__file__).parents[2] / "deploy"
COMPOSE = DEPLOY / "compose.yaml"
SECRETS = {
    name: f"{name.lower().replace('_', '')}0123456789"
    for name in (
        "POSTGRES_PASSWORD",
        "APPLICATION_PASSWORD",
        "WORKER_PASSWORD",
        "GRAPH_PASSWORD",
        "CACHE_PASSWORD",
        "S3_ACCESS_KEY",
        "S3_SECRET_KEY",
    )
}
ASSAY_PROCESSES = {"migrate": ["assay", "migrate"], "api": ["assay", "serve"], "worker": ["assay", "work"]}
STORES = {"postgres", "falkordb", "valkey", "seaweedfs"}


def _run(tool: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    program = shutil.which(tool, path=sysconfig.get_path("scripts"))
    assert program is not None, f"{tool} is missing: pip install the development dependencies"
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return subprocess.run(
        [program, *arguments], capture_output=True, text=True, env={**kept, **environment}, timeout=60, check=False
    )


def _compose(file: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    # An empty environment file keeps a developer's own deploy/.env out of the test.
    return _run("docker-compose", "--env-file", os.devnull, "-f", str(file), *arguments, **environment)


def _services(*profiles: str, **environment: str) -> dict[str, Any]:
    chosen = [part for profile in profiles for part in ("--profile", profile)]
    done = _compose(COMPOSE, *chosen, "config", "--format", "json", **SECRETS, **environment)
    assert done.returncode == 0, done.stderr
    services: dict[str, Any] = json.loads(done.stdout)["services"]
    return services


def test_compose_accepts_the_file_without_a_warning() -> None:
    done = _compose(COMPOSE, "--profile", "neo4j", "config", "-q", **SECRETS)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize(
    ("right", "wrong"),
    [("restart: unless-stopped", "restrat: unless-stopped"), ("image: pgvector/pgvector:pg18", "image: [pgvector]")],
)
def test_the_validator_rejects_a_wrong_key_and_a_wrong_type(right: str, wrong: str, tmp_path: Path) -> None:
    text = COMPOSE.read_text(encoding="utf-8")
    assert right in text
    broken = tmp_path / "compose.yaml"
    broken.write_text(text.replace(right, wrong), encoding="utf-8")
    assert _compose(broken, "config", "-q", **SECRETS).returncode != 0


@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize("state", ["missing", "empty"])
def test_a_secret_that_is_missing_or_empty_stops_compose_by_its_name(secret: str, state: str) -> None:
    given = {**SECRETS, secret: ""} if state == "empty" else {k: v for k, v in SECRETS.items() if k != secret}
    done = _compose(COMPOSE, "--profile", "neo4j", "config", "-q", **given)
    assert done.returncode != 0
    assert secret in done.stderr


def test_the_example_names_every_secret_and_holds_none() -> None:
    lines = (DEPLOY / "env.example").read_text(encoding="utf-8").splitlines()
    given = dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))
    assert given == dict.fromkeys(SECRETS, "")


def test_the_assay_processes_and_the_stores_run_and_neo4j_only_by_its_profile() -> None:
    assert set(_services()) == {*ASSAY_PROCESSES, *STORES}
    assert set(_services("neo4j")) == {*ASSAY_PROCESSES, *STORES, "neo4j"}


def test_the_assay_processes_run_their_command_without_any_privilege() -> None:
    services = _services()
    for name, command in ASSAY_PROCESSES.items():
        service = services[name]
        assert service["command"] == command
        assert (service["read_only"], service["cap_drop"]) == (True, ["ALL"])
        assert service["security_opt"] == ["no-new-privileges:true"]
        assert "user" not in service  # the image's own, which is not root


def test_only_the_api_is_published_and_only_on_loopback() -> None:
    published = {name: ports for name, service in _services("neo4j").items() if (ports := service.get("ports"))}
    assert set(published) == {"api"}
    (port,) = published["api"]
    assert (port["host_ip"], port["target"], port["published"]) == ("127.0.0.1", 8080, "8080")


def test_only_the_api_and_the_worker_have_a_way_out() -> None:
    services = _services("neo4j")
    assert {name for name, service in services.items() if "outside" in service["networks"]} == {"api", "worker"}


def test_every_service_that_answers_has_a_health_check() -> None:
    services = _services("neo4j")
    assert {name for name, service in services.items() if "healthcheck" not in service} == {"migrate", "worker"}


def test_api_and_worker_wait_for_the_migration_and_for_healthy_stores() -> None:
    services = _services()
    for name in ("api", "worker"):
        waits = services[name]["depends_on"]
        conditions = {on: wait["condition"] for on, wait in waits.items()}
        assert conditions.pop("migrate") == "service_completed_successfully"
        assert conditions == dict.fromkeys((STORES - {"postgres"}) | {"neo4j"}, "service_healthy")
        assert [on for on, wait in waits.items() if not wait["required"]] == ["neo4j"]


def test_each_process_gets_only_the_database_roles_that_it_needs() -> None:
    services = _services()
    roles = {
        process: {key for key in services[process]["environment"] if key.startswith("ASSAY_DATABASE__")}
        for process in ASSAY_PROCESSES
    }
    assert roles == {
        "migrate": {"ASSAY_DATABASE__URL", "ASSAY_DATABASE__WORKER_URL", "ASSAY_DATABASE__ADMINISTRATOR_URL"},
        "api": {"ASSAY_DATABASE__URL"},
        "worker": {"ASSAY_DATABASE__URL", "ASSAY_DATABASE__WORKER_URL"},
    }


def test_choosing_neo4j_takes_three_values_and_a_profile() -> None:
    chosen = {"GRAPH_ENGINE": "neo4j", "GRAPH_URL": "bolt://neo4j:7687", "GRAPH_USER": "neo4j"}
    environment = _services("neo4j", **chosen)["worker"]["environment"]
    assert environment["ASSAY_GRAPH__ENGINE"] == "neo4j"
    assert environment["ASSAY_GRAPH__URL"] == "bolt://neo4j:7687"
    assert environment["ASSAY_GRAPH__USER"] == "neo4j"


def test_hadolint_finds_nothing_in_the_dockerfile() -> None:
    done = _run("hadolint", "--no-color", str(DEPLOY / "Dockerfile"))
    assert (done.returncode, done.stdout) == (0, "")


def test_hadolint_flags_a_bad_dockerfile(tmp_path: Path) -> None:
    bad = tmp_path / "Dockerfile"
    bad.write_text("FROM python:latest\nRUN cd /tmp && sudo pip install assay\n", encoding="utf-8")
    done = _run("hadolint", "--no-color", str(bad))
    assert done.returncode == 1
    assert {"DL3007", "DL3004", "DL3003"} <= set(done.stdout.split())


def test_the_image_runs_as_a_user_that_is_not_root_and_sets_no_secret() -> None:
    lines = (DEPLOY / "Dockerfile").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if line.startswith("USER ")] == ["USER 10001:10001"]
    settings = [line for line in lines if line.startswith(("ENV ", "ARG "))]
    assert not [line for line in settings if any(word in line.upper() for word in ("PASSWORD", "SECRET", "_KEY"))]
