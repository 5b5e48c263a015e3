"""What every claim extractor does."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import UUID

import pytest

from domain.identity.ids import GroupId, OrganizationId
from domain.ingestion.claims import Extraction, ExtractionWindow
from domain.knowledge.assertion import MAX_EXCERPT
from domain.ports.claim_extractor import ClaimExtractor

ORGANIZATION = OrganizationId(UUID("01890000-0000-7000-8000-000000000001"))
GROUP = GroupId("w_" + "1" * 32)
TEXT = "Intro. The order service depends on the billing service. Nimbus Corp. is based in Denver."
VIETNAMESE = "Dịch vụ thanh toán được vận hành bởi nhóm Nền tảng và phụ thuộc vào cơ sở dữ liệu của khách hàng."


def window(text: str, start: int = 0) -> ExtractionWindow:
    return ExtractionWindow(text, start, None, datetime(2024, 6, 1, tzinfo=UTC))


async def extract(extractor: ClaimExtractor, *windows: ExtractionWindow) -> list[Extraction]:
    return await extractor.extract(windows, organization_id=ORGANIZATION, group_id=GROUP)


class ClaimExtractorContract:
    """Subclasses override ``extractor``."""

    @pytest.fixture
    def extractor(self) -> ClaimExtractor:
        raise NotImplementedError

    def test_the_recipe_is_named(self, extractor: ClaimExtractor) -> None:
        assert extractor.name
        assert extractor.version

    async def test_no_window_gives_no_extraction(self, extractor: ClaimExtractor) -> None:
        assert await extract(extractor) == []

    async def test_excerpts_are_literal_at_their_offsets_in_the_version(self, extractor: ClaimExtractor) -> None:
        version = "x" * 1000 + TEXT
        (extraction,) = await extract(extractor, window(TEXT, 1000))
        assert extraction.claims
        for found in extraction.claims:
            assert version[found.start : found.end] == found.excerpt
            assert 0 < len(found.excerpt) <= MAX_EXCERPT

    async def test_a_subject_is_where_its_offsets_say(self, extractor: ClaimExtractor) -> None:
        version = "x" * 1000 + TEXT
        (extraction,) = await extract(extractor, window(TEXT, 1000))
        subjects = [found.claim.subject for found in extraction.claims]
        assert [version[s.start : s.end] for s in subjects if s.start is not None] == [
            s.surface for s in subjects if s.start is not None
        ]

    async def test_extractions_come_in_the_order_of_the_windows(self, extractor: ClaimExtractor) -> None:
        first, blank, last = await extract(
            extractor, window("Nimbus Corp. is based in Denver."), window(" \n"), window("Acme uses Kafka.", 50)
        )
        assert {found.claim.subject.surface for found in first.claims} == {"Nimbus Corp."}
        assert blank.claims == ()
        assert {found.claim.subject.surface for found in last.claims} == {"Acme"}
