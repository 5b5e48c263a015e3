"""Embedder, language model, extractor and reranker, as configured."""

from __future__ import annotations

import os
from contextlib import AsyncExitStack

import httpx

from adapters.embeddings.caching import CachingEmbedder, RecentVectors
from adapters.embeddings.deterministic import DeterministicEmbedder
from adapters.embeddings.openai import OpenAIEmbedder
from adapters.extraction.language_model import LanguageModelClaimExtractor
from adapters.judging.language_model import LanguageModelReplacementJudge
from adapters.language_models.anthropic import AnthropicLanguageModel, anthropic_headers
from adapters.language_models.openai import OpenAILanguageModel
from adapters.reranking.language_model import LanguageModelReranker
from application.models.metering import ConfiguredEmbedder, MeteredEmbedder
from application.models.model_per_role import ModelPerRole
from application.models.provider_chain import ProviderChain, ProviderLimits
from domain.identity.ids import OrganizationId
from domain.ports.cache import Cache
from domain.ports.claim_extractor import ClaimExtractor
from domain.ports.clock import Clock
from domain.ports.embedder import Embedder
from domain.ports.language_model import LanguageModel, ModelRole
from domain.ports.replacement_judge import ReplacementJudge
from domain.ports.reranker import Reranker
from domain.ports.usage import UsageMeter
from entrypoints.sections.models import (
    EmbeddingSettings,
    ExtractionSettings,
    JudgeSettings,
    ModelSettings,
    RerankingSettings,
)
from entrypoints.settings import SettingsInvalid


def embedder(
    settings: EmbeddingSettings,
    cache: Cache,
    recent: RecentVectors,
    meter: UsageMeter,
    clock: Clock,
    stack: AsyncExitStack,
) -> ConfiguredEmbedder:
    """The configured embedder behind both caches; an endpoint's is charged to whom it embeds for."""

    def cached(inner: Embedder, whose: OrganizationId | None = None) -> Embedder:
        return CachingEmbedder(inner, recent, cache, whose=whose)

    if settings.provider == "openai":
        return MeteredEmbedder(_endpoint(settings, stack), meter, clock.now, cached)
    if settings.provider == "deterministic":
        return cached(DeterministicEmbedder(settings.dimension or 384))
    return cached(_local_embedder(settings))


def _endpoint(settings: EmbeddingSettings, stack: AsyncExitStack) -> OpenAIEmbedder:
    assert settings.url
    assert settings.model
    assert settings.dimension
    key = settings.api_key
    headers = {"Authorization": f"Bearer {key.get_secret_value()}"} if key else {}
    client = _client(settings.url, headers, stack)
    limits = ProviderLimits(timeout_seconds=settings.timeout_seconds, requests_per_second=settings.requests_per_second)
    chain = ProviderChain("the embedding server", limits)
    return OpenAIEmbedder(client, chain, model=settings.model, dimension=settings.dimension, batch=settings.batch)


def _local_embedder(settings: EmbeddingSettings) -> Embedder:
    # The models come in optional wheels: they are imported where they are wanted.
    if settings.provider != "minilm":
        try:
            from adapters.embeddings.multilingual import MultilingualEmbedder

            return MultilingualEmbedder(threads=settings.threads)
        except ImportError as error:
            if settings.provider == "multilingual":
                raise _not_installed("ASSAY_EMBEDDING__PROVIDER", "multilingual") from error
    try:
        from adapters.embeddings.minilm import MiniLMEmbedder
    except ImportError as error:
        raise _not_installed("ASSAY_EMBEDDING__PROVIDER", settings.provider) from error
    return MiniLMEmbedder(threads=settings.threads)


def language_model(settings: ModelSettings, stack: AsyncExitStack) -> LanguageModel | None:
    """One model a role over one connection and one set of limits; None when no provider is configured."""
    if settings.provider == "none":
        return None
    assert settings.url
    assert settings.name
    key = settings.api_key.get_secret_value() if settings.api_key else ""
    limits = ProviderLimits(timeout_seconds=settings.timeout_seconds, requests_per_second=settings.requests_per_second)
    chain = ProviderChain(f"the model server ({settings.provider})", limits)
    anthropic = settings.provider == "anthropic"
    bearer = {"Authorization": f"Bearer {key}"} if key else {}
    client = _client(settings.url, anthropic_headers(key) if anthropic else bearer, stack)

    def make(name: str) -> LanguageModel:
        if anthropic:
            return AnthropicLanguageModel(client, chain, name)
        return OpenAILanguageModel(client, chain, name, settings.length_field)

    named = {
        ModelRole.ROUTING: settings.routing_name,
        ModelRole.EXTRACTION: settings.extraction_name,
        ModelRole.JUDGE: settings.judge_name,
        ModelRole.ANSWER: settings.answer_name,
        ModelRole.RERANK: settings.rerank_name,
    }
    return ModelPerRole({role: make(name) for role, name in named.items() if name}, make(settings.name))


def reranker(settings: RerankingSettings, model: LanguageModel | None) -> Reranker | None:
    """None unless one is configured."""
    return LanguageModelReranker(model) if settings.provider == "language_model" and model else None


def judge(settings: JudgeSettings, model: LanguageModel | None) -> ReplacementJudge | None:
    """None unless one is configured."""
    return LanguageModelReplacementJudge(model) if settings.provider == "language_model" and model else None


def claim_extractor(
    settings: ExtractionSettings, models: ModelSettings, model: LanguageModel | None, stack: AsyncExitStack
) -> ClaimExtractor:
    """The language model where there is one and nothing else was asked for, else the offline rules."""
    if model is not None and settings.provider != "offline":
        return LanguageModelClaimExtractor(model, models.extraction_name or models.name or "unnamed")
    try:
        from adapters.extraction.offline.extractor import OfflineExtractor
    except ImportError as error:
        raise _not_installed("ASSAY_EXTRACTION__PROVIDER", "offline") from error
    extractor = OfflineExtractor(settings.pipeline, settings.workers or max(1, os.cpu_count() or 1))
    stack.push_async_callback(extractor.aclose)
    return extractor


def _client(url: str, headers: dict[str, str], stack: AsyncExitStack) -> httpx.AsyncClient:
    client = httpx.AsyncClient(base_url=url, headers=headers, timeout=httpx.Timeout(None, connect=10.0))
    stack.push_async_callback(client.aclose)
    return client


def _not_installed(variable: str, value: str) -> SettingsInvalid:
    return SettingsInvalid(
        f"{variable}: {value!r} needs packages that are not installed; pip install 'assay[offline]', or choose another"
    )
