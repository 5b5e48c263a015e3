"""Files that commands write."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from domain.errors import InvalidInput, shown


@contextmanager
def new_file(path: Path) -> Iterator[BinaryIO]:
    """The file, open to be written in place of what it held. Raises InvalidInput that names it when it cannot be."""
    try:
        file = path.open("wb")
    except OSError as error:
        raise InvalidInput(
            f"{shown(str(path))} cannot be written: {error.strerror}; name another file", field="target"
        ) from error
    with file:
        yield file
