"""An object store in a folder: one file an object, the key as its path."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path

from adapters.filesystem.durable_files import make_private_folder, sync_folder, translated, write_new_file
from domain.errors import ArtifactMissing, InvalidInput, shown
from domain.ports.object_store import checked_key, checked_prefix

_INCOMING = ".incoming"
"""Where half-written files lie; no key starts with a dot, so that no reader meets them."""

_ABANDONED_SECONDS = 3600
_LISTED_AT_ONCE = 1000


class FileObjectStore:
    """Objects as files under ``root`` (folders 0700, files 0600), written beside and renamed into place.

    A key that is at the same time the folder of other keys is refused: a file system cannot hold both.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._incoming = root / _INCOMING
        self._swept = False

    async def put(self, key: str, data: bytes) -> None:
        """Write, flush and rename; raises StorageFull with nothing stored when the disk is full."""
        await asyncio.to_thread(self._put, checked_key(key), data)

    async def get(self, key: str) -> bytes:
        """The whole file; raises ArtifactMissing."""
        return await asyncio.to_thread(self._get, checked_key(key))

    async def exists(self, key: str) -> bool:
        """Whether the file is there."""
        path = self._root / checked_key(key)
        return await asyncio.to_thread(path.is_file)

    async def delete(self, key: str) -> None:
        """Remove the file, durably; its folders stay."""
        await asyncio.to_thread(self._delete, checked_key(key))

    async def purge(self, key: str) -> bool:
        """Remove the file; there are no former versions."""
        await self.delete(key)
        return True

    async def list(self, prefix: str) -> AsyncIterator[str]:
        """Keys in order, walking only the folders that can hold them."""
        keys = self._walk(checked_prefix(prefix))
        while batch := await asyncio.to_thread(lambda: list(islice(keys, _LISTED_AT_ONCE))):
            for key in batch:
                yield key

    def _put(self, key: str, data: bytes) -> None:
        target = self._root / key
        with translated("store an object", self._root):
            self._prepare_incoming()
            part = write_new_file(self._incoming, data)
            try:
                make_private_folder(target.parent)
                part.replace(target)
            except (IsADirectoryError, NotADirectoryError, FileExistsError) as error:
                raise InvalidInput(
                    f"The object key {shown(key)} is a folder of other keys, or lies under another key.", field="key"
                ) from error
            finally:
                part.unlink(missing_ok=True)
            sync_folder(target.parent)

    def _get(self, key: str) -> bytes:
        with translated("read an object", self._root):
            try:
                return (self._root / key).read_bytes()
            except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
                raise ArtifactMissing(f"The object store holds nothing under {shown(key)}.") from None

    def _delete(self, key: str) -> None:
        path = self._root / key
        with translated("delete an object", self._root):
            if path.is_file():
                path.unlink(missing_ok=True)
                sync_folder(path.parent)

    def _prepare_incoming(self) -> None:
        """Make the folder for half-written files; on its first use here, clear what a killed process left behind."""
        make_private_folder(self._incoming)
        if self._swept:
            return
        self._swept = True
        for part in self._incoming.iterdir():
            with suppress(FileNotFoundError):
                if time.time() - part.stat().st_mtime > _ABANDONED_SECONDS:
                    part.unlink()

    def _walk(self, prefix: str) -> Iterator[str]:
        with translated("list objects", self._root):
            folder, _, start = prefix.rpartition("/")
            base = f"{folder}/" if folder else ""
            yield from _files_under(self._root / folder, base, start)


def _files_under(folder: Path, base: str, start: str) -> Iterator[str]:
    """Keys ``base`` + path of the files in ``folder`` whose first segment begins with ``start``, in key order.

    A folder sorts as its name with the slash, since that is what its keys hold at that place.
    """
    try:
        with os.scandir(folder) as entries:
            names = sorted(
                f"{entry.name}/" if entry.is_dir() else entry.name
                for entry in entries
                if entry.name.startswith(start) and not entry.name.startswith(".")
            )
    except (FileNotFoundError, NotADirectoryError):
        return
    for name in names:
        if name.endswith("/"):
            yield from _files_under(folder / name, base + name, "")
        else:
            yield base + name
