"""An invented company to try Assay with: its documents, the manifest that says how to submit them, and questions.

``manifest.json`` lists every document with its source, tier, time, collection and, for records, the mapping of their
columns. ``questions.json`` holds what is asked at the first start, with words that a right answer contains.
"""

from __future__ import annotations

from importlib.resources import files

WORKSPACE = files(__name__) / "workspace"
"""The folder of the sample; every path in the manifest is relative to it."""
