"""The one way in which the embedded servers fail."""

from __future__ import annotations

from domain.errors import InvalidInput, Unavailable


class EmbeddedUnavailable(Unavailable):
    """A server cannot run here, or did not start; ``reason`` says why and what to do, in one line."""

    code = "embedded_unavailable"

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class ForeignFolder(InvalidInput):
    """The data folder holds something that Assay did not put there."""

    code = "foreign_folder"
