"""The offline extractor passes the contract, alone and in worker processes, also when one of them is killed."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator

import pytest

from adapters.extraction.offline.extractor import DEFAULT_PIPELINE, OfflineExtractor
from domain.errors import Unavailable
from domain.ports.claim_extractor import ClaimExtractor
from tests.contracts.claim_extractor_contract import TEXT, VIETNAMESE, ClaimExtractorContract, extract, window

pytest.importorskip(DEFAULT_PIPELINE, reason="the offline pipeline is not installed: pip install 'assay[offline]'")


@pytest.fixture(scope="module")
async def in_thread() -> AsyncIterator[OfflineExtractor]:
    extractor = OfflineExtractor(workers=0)
    yield extractor
    await extractor.aclose()


@pytest.fixture(scope="module")
async def in_processes() -> AsyncIterator[OfflineExtractor]:
    extractor = OfflineExtractor(workers=2)
    yield extractor
    await extractor.aclose()


class TestInThread(ClaimExtractorContract):
    @pytest.fixture
    def extractor(self, in_thread: OfflineExtractor) -> ClaimExtractor:
        return in_thread

    async def test_another_language_yields_nothing_and_says_so(self, extractor: ClaimExtractor) -> None:
        (extraction,) = await extract(extractor, window(VIETNAMESE))
        assert extraction.claims == ()
        assert [rejection.code for rejection in extraction.rejections] == ["language_unknown"]


class TestInProcesses(ClaimExtractorContract):
    @pytest.fixture
    def extractor(self, in_processes: OfflineExtractor) -> ClaimExtractor:
        return in_processes


async def test_processes_and_thread_give_the_same(in_thread: OfflineExtractor, in_processes: OfflineExtractor) -> None:
    windows = [window(f"{TEXT} Acme acquired Bolt {number}.", number * 100) for number in range(20)]
    assert await extract(in_thread, *windows) == await extract(in_processes, *windows)


async def test_a_killed_process_loses_nothing(in_processes: OfflineExtractor) -> None:
    expected = await extract(in_processes, window(TEXT))
    started = _children(in_processes)
    os.kill(min(started), signal.SIGKILL)
    assert await extract(in_processes, *[window(TEXT)] * 40) == expected * 40
    assert not _children(in_processes) & started


async def test_a_process_killed_in_the_middle_loses_nothing(in_processes: OfflineExtractor) -> None:
    expected = await extract(in_processes, window(TEXT))
    running = asyncio.create_task(extract(in_processes, *[window(TEXT)] * 100))
    await asyncio.sleep(0)
    os.kill(min(_children(in_processes)), signal.SIGKILL)
    assert await running == expected * 100


async def test_a_missing_pipeline_is_named_with_what_to_do() -> None:
    extractor = OfflineExtractor("en_nowhere", workers=0)
    with pytest.raises(Unavailable, match="cannot load the spaCy pipeline 'en_nowhere'; install it"):
        await extract(extractor, window(TEXT))
    await extractor.aclose()


async def test_it_can_be_used_again_after_closing() -> None:
    extractor = OfflineExtractor(workers=0)
    first = await extract(extractor, window(TEXT))
    await extractor.aclose()
    assert await extract(extractor, window(TEXT)) == first
    await extractor.aclose()


def _children(extractor: OfflineExtractor) -> set[int]:
    """The ids of the worker processes."""
    executor = extractor._pool._executor
    return set(getattr(executor, "_processes", None) or ())
