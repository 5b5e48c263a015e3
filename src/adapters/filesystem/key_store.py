"""Keys in a private folder: one file a key."""

from __future__ import annotations

import asyncio
import os
import re
import secrets
from pathlib import Path

from adapters.filesystem.durable_files import make_private_folder, sync_folder, translated, write_new_file
from domain.errors import NotFound, Unavailable, shown
from domain.identity.ids import OrganizationId, SourceId
from domain.ports.key_store import KEY_BYTES

_KEY_ID = re.compile(r"([0-9a-f]{32})_([0-9a-f]{32})_([1-9][0-9]{0,8})\Z")


class FileKeyStore:
    """Keys as files under ``root`` (folders 0700, files 0600): ``organizations/<id>``, ``sources/<id>/<id>/<n>`` and
    ``signing/<id>/<n>``.

    A new key is written beside and linked into place, so that of two processes the first wins, both get its key and
    neither reads half of one. A destroyed key leaves an empty file: its number is not used again.
    """

    def __init__(self, root: Path) -> None:
        self._root = root

    async def organization_key(self, organization_id: OrganizationId) -> bytes:
        """The organization's HMAC key."""
        path = self._root / "organizations" / organization_id.hex
        return await asyncio.to_thread(self._made, path)

    async def source_key(self, organization_id: OrganizationId, source_id: SourceId) -> tuple[str, bytes]:
        """The source's present data key: the highest number that was not destroyed."""
        return await asyncio.to_thread(self._source_key, organization_id, source_id)

    async def key(self, key_id: str) -> bytes:
        """The key with this id; raises NotFound."""
        return await asyncio.to_thread(self._key, key_id)

    async def signing_keys(self, organization_id: OrganizationId) -> list[tuple[str, bytes]]:
        """The organization's signing keys, by number."""
        return await asyncio.to_thread(self._signing_keys, organization_id)

    async def rotate_signing_key(self, organization_id: OrganizationId) -> str:
        """Make the next number's key."""
        return await asyncio.to_thread(self._rotate_signing_key, organization_id)

    async def destroy(self, key_id: str) -> None:
        """Put an empty file in its place, then overwrite the old bytes."""
        await asyncio.to_thread(self._destroy, key_id)

    def _source_key(self, organization_id: OrganizationId, source_id: SourceId) -> tuple[str, bytes]:
        folder = self._root / "sources" / organization_id.hex / source_id.hex
        with translated("read a key", self._root):
            numbers = _numbers(folder)
        number = max(numbers, default=1)
        while not (key := self._made(folder / str(number))):
            number += 1
        return f"{organization_id.hex}_{source_id.hex}_{number}", key

    def _signing_keys(self, organization_id: OrganizationId) -> list[tuple[str, bytes]]:
        folder = self._root / "signing" / organization_id.hex
        with translated("read a key", self._root):
            numbers = _numbers(folder) or [1]
        return [(_signing_id(organization_id, n), self._made(folder / str(n))) for n in numbers]

    def _rotate_signing_key(self, organization_id: OrganizationId) -> str:
        number = len(self._signing_keys(organization_id)) + 1
        self._made(self._root / "signing" / organization_id.hex / str(number))
        return _signing_id(organization_id, number)

    def _key(self, key_id: str) -> bytes:
        path = self._path(key_id)
        with translated("read a key", self._root):
            key = _content(path) if path.is_file() else b""
        if not key:
            raise NotFound(f"There is no data key {shown(key_id)}: it never existed or was destroyed.", field="key_id")
        return key

    def _destroy(self, key_id: str) -> None:
        path = self._path(key_id)
        with translated("destroy a key", self._root):
            try:
                descriptor = os.open(path, os.O_RDWR)
            except FileNotFoundError:
                raise NotFound(f"There is no data key {shown(key_id)}.", field="key_id") from None
            try:
                write_new_file(path.parent, b"").replace(path)
                sync_folder(path.parent)
                os.pwrite(descriptor, bytes(KEY_BYTES), 0)
                os.fsync(descriptor)
            finally:
                os.close(descriptor)

    def _made(self, path: Path) -> bytes:
        """The key at ``path``, made if there is none; b"" where one was destroyed."""
        with translated("keep a key", self._root):
            if not path.exists():
                make_private_folder(path.parent)
                part = write_new_file(path.parent, secrets.token_bytes(KEY_BYTES))
                try:
                    os.link(part, path)
                    sync_folder(path.parent)
                except FileExistsError:
                    pass  # another process was first: its key is the key
                finally:
                    part.unlink(missing_ok=True)
            return _content(path)

    def _path(self, key_id: str) -> Path:
        parts = _KEY_ID.match(key_id)
        if parts is None:
            raise NotFound(f"There is no data key {shown(key_id)}.", field="key_id")
        return self._root.joinpath("sources", *parts.groups())


def _numbers(folder: Path) -> list[int]:
    return sorted(int(path.name) for path in folder.iterdir() if path.name.isdigit()) if folder.is_dir() else []


def _signing_id(organization_id: OrganizationId, number: int) -> str:
    return f"{organization_id.hex}_signing_{number}"


def _content(path: Path) -> bytes:
    key = path.read_bytes()
    if len(key) not in {0, KEY_BYTES}:
        raise Unavailable(f"The key file {path} is damaged ({len(key)} bytes). Restore the key folder from a backup.")
    return key
