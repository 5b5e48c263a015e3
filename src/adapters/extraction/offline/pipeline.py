"""The spaCy pipeline, loaded once a process when first needed.

spaCy is imported inside the functions: the process that hands out the work never needs its 200 MB.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version

from domain.errors import Unavailable, shown
from domain.ingestion.claims import Extraction, ExtractionWindow


def pipeline_version(name: str) -> str:
    """``name`` with the version of the package that brings it, without loading it."""
    try:
        return f"{name} {version(name)}"
    except PackageNotFoundError:
        return name


@lru_cache(maxsize=2)
def _pipeline(name: str) -> object:
    try:
        import spacy

        return spacy.load(name, exclude=["senter"])
    except (ImportError, OSError) as error:
        raise Unavailable(
            f"the offline extractor cannot load the spaCy pipeline {shown(name)}; install it "
            "(pip install 'assay[offline]') or set another one"
        ) from error


def read_windows(name: str, windows: Sequence[ExtractionWindow]) -> list[Extraction]:
    """One extraction a window. Runs in a worker process; raises Unavailable when the pipeline is missing."""
    nlp = _pipeline(name)
    from adapters.extraction.offline.reader import read_window

    return [read_window(nlp, window) for window in windows]  # type: ignore[arg-type]
