"""A wrong setting stops the start with its name, its value and a remedy."""

from __future__ import annotations

import os
import re
from datetime import timedelta
from pathlib import Path

import pytest

from domain.ports.job_queue import Lane
from entrypoints.environment import known_variables, load_settings
from entrypoints.settings import Settings, SettingsInvalid, require_complete
from entrypoints.worker.limits import WorkerLimits, limits_of

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def _no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith("ASSAY_"):
            monkeypatch.delenv(name)


def problems() -> list[str]:
    with pytest.raises(SettingsInvalid) as refused:
        require_complete(load_settings())
    return refused.value.message.splitlines()


def test_nothing_set_means_the_embedded_servers_and_the_offline_models() -> None:
    settings = load_settings()
    require_complete(settings)
    assert settings == Settings()
    assert settings.is_embedded
    assert (settings.model.provider, settings.embedding.provider) == ("none", "auto")
    assert settings.api.host == "127.0.0.1"


def test_values_are_read_from_sections(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_DATABASE__POOL_SIZE", "20")
    monkeypatch.setenv("ASSAY_API__ALLOWED_HOSTS", '["assay.example","localhost"]')
    monkeypatch.setenv("ASSAY_API__ALLOWED_ORIGINS", "https://a.example, https://b.example")
    settings = load_settings()
    assert settings.database.pool_size == 20
    assert settings.api.allowed_hosts == ("assay.example", "localhost")
    assert settings.api.allowed_origins == ("https://a.example", "https://b.example")


def test_an_unknown_setting_is_named_with_the_nearest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_DATABASE__URI", "postgresql://x")
    monkeypatch.setenv("ASSAY_NONSENSE", "1")
    assert problems() == [
        "ASSAY_DATABASE__URI: there is no such setting; did you mean ASSAY_DATABASE__URL?",
        "ASSAY_NONSENSE: there is no such setting; remove it; the settings are listed in docs/settings.md",
    ]


def test_a_wrong_value_is_named_and_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_API__PORT", "eighty")
    monkeypatch.setenv("ASSAY_GRAPH__ENGINE", "janus")
    monkeypatch.setenv("ASSAY_MCP__TOOL_CALLS_PER_MINUTE", "x")
    found = "\n".join(problems())
    assert "ASSAY_API__PORT: 'eighty' is refused: it must be a valid integer" in found
    assert "ASSAY_MCP__TOOL_CALLS_PER_MINUTE: 'x' is refused: this is no list of amounts; write one=1,two=2;" in found
    assert "ASSAY_GRAPH__ENGINE: 'janus' is refused: it must be 'falkordb', 'neo4j', 'postgres' or 'memory'" in found


def test_a_secret_is_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_API__OPERATOR_KEY", "hunter2")
    (problem,) = problems()
    assert problem.startswith("ASSAY_API__OPERATOR_KEY: (its value is not shown) is refused")
    assert "hunter2" not in problem


def test_what_a_choice_needs_besides_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_DATABASE__URL", "postgresql://assay_app:secret@db/assay")
    monkeypatch.setenv("ASSAY_OBJECTS__ENGINE", "s3")
    monkeypatch.setenv("ASSAY_MODEL__PROVIDER", "openai")
    assert [problem.split(":")[0] for problem in problems()] == [
        "ASSAY_OBJECTS__BUCKET", "ASSAY_OBJECTS__ACCESS_KEY", "ASSAY_OBJECTS__SECRET_KEY", "ASSAY_KEYS__FOLDER",
        "ASSAY_MODEL__URL", "ASSAY_MODEL__NAME",
    ]  # fmt: skip


def test_what_a_worker_does_is_configured_and_the_defaults_are_one(monkeypatch: pytest.MonkeyPatch) -> None:
    assert limits_of(Settings().worker) == WorkerLimits()
    monkeypatch.setenv("ASSAY_WORKER__BULK_JOBS", "3")
    monkeypatch.setenv("ASSAY_WORKER__DEATHS", "2")
    monkeypatch.setenv("ASSAY_WORKER__LONGEST_WAIT_SECONDS", "7.5")
    limits = limits_of(load_settings().worker)
    assert (limits.at_once[Lane.BULK], limits.deaths, limits.longest_wait) == (3, 2, timedelta(seconds=7.5))


@pytest.mark.parametrize("value", ["9100", "0.0.0.0", "::1:9100", "a host:9100", "host:port"])
def test_an_address_of_a_worker_is_a_host_and_a_port(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("ASSAY_WORKER__METRICS_ADDRESS", value)
    (problem,) = problems()
    assert problem.startswith(f"ASSAY_WORKER__METRICS_ADDRESS: {value!r} is refused")


def test_variables_of_the_deployment_and_the_tests_are_no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_VERSION", "1.2")
    monkeypatch.setenv("ASSAY_TEST_NEO4J", "off")
    assert load_settings() == Settings()


def test_every_setting_is_documented() -> None:
    documented = set(re.findall(r"`(ASSAY_\w+)`", (ROOT / "docs/settings.md").read_text("utf-8")))
    assert documented == set(known_variables())
