"""Erasures, certificates and holds, as every entry point lists them."""

from __future__ import annotations

import json
from dataclasses import dataclass

from domain.erasure.certificate import Certificate, signed_bytes
from domain.errors import Conflict, Forbidden, InvalidInput, NotFound, shown
from domain.identity.access import Access
from domain.identity.permissions import Action, permit
from domain.identity.scope_name import ScopeKind, kind_of
from domain.ports.erasure import ErasureId, ErasureRow, HoldRow, Signer
from domain.ports.key_store import KeyStore
from domain.ports.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True)
class SigningKey:
    """A public key (32 bytes, hexadecimal) by which an organization's certificates are verified."""

    key_id: str
    public_key: str
    signs: bool


async def erasures(
    unit_of_work: UnitOfWork, access: Access, after: ErasureId | None = None, limit: int = 50
) -> list[ErasureRow]:
    """Erasures of the scopes that the access administers, newest first."""
    permit(access, Action.ERASE)
    async with unit_of_work(access.administered) as tx:
        return await tx.erasures.erasures(after, limit)


async def erasure(unit_of_work: UnitOfWork, access: Access, erasure_id: ErasureId) -> ErasureRow:
    """One erasure. Raises NotFound."""
    permit(access, Action.ERASE)
    async with unit_of_work(access.administered) as tx:
        found = await tx.erasures.erasure(erasure_id)
    if found is None or found.revision is None:
        raise NotFound(f"no erasure {erasure_id} in your scopes")
    return found


async def certificate(unit_of_work: UnitOfWork, access: Access, erasure_id: ErasureId) -> bytes:
    """The certificate as a file. Raises NotFound, Conflict while the clean-up is at work."""
    found = await erasure(unit_of_work, access, erasure_id)
    if found.certificate is None:
        raise Conflict(f"the clean-up of the erasure {erasure_id} is at work; its certificate comes with its end")
    return found.certificate


async def holds(unit_of_work: UnitOfWork, access: Access, lifted: bool = False) -> list[HoldRow]:
    """Holds of the scopes that the access administers, newest first."""
    permit(access, Action.HOLD)
    async with unit_of_work(access.administered) as tx:
        return await tx.erasures.all_holds(lifted)


async def signing_keys(keys: KeyStore, signer: Signer, access: Access) -> list[SigningKey]:
    """The organization's public keys, oldest first."""
    permit(access, Action.READ)
    found = await keys.signing_keys(access.organization_id)
    return [SigningKey(key_id, signer.public_key(seed).hex(), key_id == found[-1][0]) for key_id, seed in found]


async def rotate_signing_key(keys: KeyStore, access: Access) -> str:
    """Sign with a new key from now on; its id. Raises Forbidden."""
    permit(access, Action.ERASE)
    if kind_of(access.write_scope) is not ScopeKind.ORGANIZATION:
        raise Forbidden("the keys that sign are the whole organization's; use the scope 'organization'")
    return await keys.rotate_signing_key(access.organization_id)


def key_of(data: bytes, keys: bytes) -> str:
    """The public key (hexadecimal) of a certificate's key id in a list of keys, as JSON. Raises InvalidInput."""
    try:
        listed = json.loads(keys)
        rows = listed["items"] if isinstance(listed, dict) else listed
        found = {str(row["key_id"]): str(row["public_key"]) for row in rows}
    except (ValueError, KeyError, TypeError) as error:
        raise InvalidInput("this is no list of signing keys", field="keys") from error
    key_id = Certificate.from_bytes(data).key_id
    if key_id not in found:
        raise InvalidInput(f"the certificate names the key {shown(key_id)}, which is not in the list", field="keys")
    return found[key_id]


def verified(data: bytes, signer: Signer, public_key: str | None = None) -> Certificate:
    """The certificate, when its signature is good, and by the key when one is given (hexadecimal).

    Without one, it is the key that the file names: whose that is has to be known from elsewhere. Raises InvalidInput.
    """
    found = Certificate.from_bytes(data)
    if public_key is not None and found.public_key.hex() != public_key.strip().lower():
        raise InvalidInput(f"the certificate is signed by another key: {found.public_key.hex()}", field="public_key")
    if not signer.verify(found.public_key, found.signature, signed_bytes(found.statement)):
        raise InvalidInput("the certificate was changed: its signature does not fit", field="file")
    return found
