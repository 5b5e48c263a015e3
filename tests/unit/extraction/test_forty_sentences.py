"""The extractor stays as good on the two sets of sentences as it was measured."""

from __future__ import annotations

from pathlib import Path

import pytest

from adapters.extraction.offline.extractor import DEFAULT_PIPELINE
from adapters.extraction.offline.pipeline import read_windows
from benchmarks.forty_sentences import GOLD, TWENTY, load, score, windows

pytest.importorskip(DEFAULT_PIPELINE, reason="the offline pipeline is not installed: pip install 'assay[offline]'")


@pytest.mark.parametrize("path", [GOLD, TWENTY], ids=["forty", "twenty"])
def test_precision_recall_and_attributes_stay_above_their_floors(path: Path) -> None:
    sentences = load(path)
    result = score(sentences, read_windows(DEFAULT_PIPELINE, windows(sentences)))
    assert result.precision >= 0.94, result.extra
    assert result.recall >= 0.96, result.missed
    assert result.details - len(result.wrong) >= 0.96 * result.details, result.wrong
