"""The scopes of an access as the functions of the schema take them."""

from __future__ import annotations

from domain.identity.access import Access


def scopes_text(access: Access) -> str:
    """The scopes that are read, narrowest first; after a bar, those around them that only say what things are called.

    No text of a client's: ``Access`` has checked each of them.
    """
    read = ",".join(access.read_scopes)
    return f"{read}|{','.join(access.around)}" if access.around else read
