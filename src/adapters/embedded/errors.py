"""What can go wrong with the embedded servers."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager

from domain.errors import InvalidInput, StorageFull, Unavailable, shown


class EmbeddedUnavailable(Unavailable):
    """A server cannot run here, or did not start; ``reason`` says why and what to do, in one line."""

    code = "embedded_unavailable"

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class ForeignFolder(InvalidInput):
    """The data folder holds something that Assay did not put there."""

    code = "foreign_folder"


@contextmanager
def translated(what: str) -> Iterator[None]:
    """Turn a refusal of the operating system into one of ours; ``what`` names what could not be done."""
    try:
        yield
    except OSError as error:
        if error.errno in {errno.ENOSPC, errno.EDQUOT}:
            raise StorageFull(f"{what}: the disk is full; free some room, then try again") from error
        place = f" ({shown(error.filename)})" if error.filename else ""
        raise EmbeddedUnavailable(f"{what}: {error.strerror}{place}") from error
