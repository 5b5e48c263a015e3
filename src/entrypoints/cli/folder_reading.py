"""The files that a command names, one by one or by folder."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from domain.errors import InvalidInput, LimitExceeded, NotFound, shown
from domain.ingestion.gate import SourceKind

LONGEST_NAME = 200
"""Characters in the name of a source."""


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file, with the source that it belongs to and what names it there."""

    path: Path
    source: str
    source_kind: str
    record_key: str

    def read(self, most: int) -> bytes:
        """The bytes. Raises LimitExceeded above ``most``, InvalidInput for what cannot be read."""
        try:
            size = self.path.stat().st_size
            if size > most:
                raise LimitExceeded(f"the file has {size} bytes, more than ASSAY_LIMITS__UPLOAD_BYTES ({most})")
            return self.path.read_bytes()
        except OSError as error:
            raise InvalidInput(f"{shown(str(self.path))} cannot be read: {error.strerror}") from error


def find_files(paths: Sequence[Path]) -> list[FoundFile]:
    """Files in the order of their names. A folder is a source called by its path, and its hidden parts are left out.

    Raises NotFound for a path that is not there.
    """
    found: list[FoundFile] = []
    for path in paths:
        if path.is_dir():
            root = path.resolve()
            source = str(root)[-LONGEST_NAME:]
            found += [
                FoundFile(file, source, SourceKind.FOLDER.value, file.relative_to(root).as_posix())
                for file in _files_in(root)
            ]
        elif path.is_file():
            found.append(FoundFile(path, "uploads", SourceKind.UPLOAD.value, str(path.resolve())))
        else:
            raise NotFound(f"there is no file or folder {shown(str(path))}; correct the path", field="path")
    return found


def _files_in(root: Path) -> Iterator[Path]:
    for folder, below, names in os.walk(root):
        below[:] = sorted(name for name in below if not name.startswith("."))
        for name in sorted(names):
            file = Path(folder, name)
            if not name.startswith(".") and file.is_file():
                yield file
