"""What every sketcher promises."""

from __future__ import annotations

import pytest

from domain.errors import InvalidInput
from domain.ingestion.copies import SKETCH_SIZE, likeness
from domain.ports.sketcher import Sketcher

WORDS = [f"word {number}" for number in range(400)]


class SketcherContract:
    """Subclass and override ``sketcher``."""

    @pytest.fixture
    def sketcher(self) -> Sketcher:
        raise NotImplementedError

    def test_a_sketch_has_its_size_and_comes_in_the_order_asked(self, sketcher: Sketcher) -> None:
        first, second = sketcher.sketch([WORDS[:60], WORDS[60:120]])
        assert (len(first), len(second)) == (SKETCH_SIZE * 4, SKETCH_SIZE * 4)
        assert sketcher.sketch([WORDS[60:120]]) == [second]
        assert sketcher.sketch([]) == []

    def test_equal_sets_have_equal_sketches_in_any_order_and_repetition(self, sketcher: Sketcher) -> None:
        (sketch,) = sketcher.sketch([WORDS[:60]])
        assert sketcher.sketch([WORDS[59::-1], WORDS[:60] + WORDS[10:20], set(WORDS[:60])]) == [sketch] * 3

    @pytest.mark.parametrize(("shared", "expected"), [(0, 0.0), (100, 1 / 3), (160, 2 / 3), (180, 9 / 11), (200, 1.0)])
    def test_the_share_of_equal_numbers_estimates_what_two_sets_have_in_common(
        self, sketcher: Sketcher, shared: int, expected: float
    ) -> None:
        first, second = sketcher.sketch([WORDS[:200], WORDS[200 - shared : 400 - shared]])
        assert likeness(first, second) == pytest.approx(expected, abs=0.13)

    def test_a_scheme_is_named_and_stays_the_same(self, sketcher: Sketcher) -> None:
        assert sketcher.scheme
        assert sketcher.scheme == sketcher.scheme

    def test_an_empty_set_is_refused(self, sketcher: Sketcher) -> None:
        with pytest.raises(InvalidInput):
            sketcher.sketch([WORDS, []])
