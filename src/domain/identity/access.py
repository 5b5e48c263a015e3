"""What a request may touch: its principal, the scopes that it reads, narrowest first, and the one that it writes."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from domain.errors import Forbidden, InvalidInput, shown
from domain.identity.ids import GroupId, OrganizationId
from domain.identity.principal import Principal, Role

_GROUP = re.compile(r"[owpu]_[0-9a-f]{32}")


@dataclass(frozen=True, slots=True)
class Access:
    """Scopes in force for one request. ``write_scopes`` holds more than one only in organization-wide work.

    ``around`` are scopes that contain those that are read and are not read themselves, since the caller asked for less:
    they say what things and sources are called, and nothing else.
    """

    principal: Principal
    read_scopes: tuple[GroupId, ...]
    write_scope: GroupId
    write_scopes: tuple[GroupId, ...] = ()
    around: tuple[GroupId, ...] = ()

    def __post_init__(self) -> None:
        if not self.read_scopes:
            raise InvalidInput("no scope was given; none is an error, never all", field="scope")
        for group in (*self.read_scopes, self.write_scope, *self.write_scopes, *self.around):
            if not _GROUP.fullmatch(group):
                raise InvalidInput(f"{shown(group)} is no scope", field="scope")

    @property
    def organization_id(self) -> OrganizationId:
        """The one organization that the request is in."""
        return self.principal.organization_id

    @property
    def root(self) -> GroupId:
        """The widest of the scopes: the organization's own, but where the access is of several scopes side by side."""
        return (*self.read_scopes, *self.around)[-1]

    @property
    def administered(self) -> Access:
        """The same, reading only what it may write: the role is that of these scopes, not of those around them."""
        outside = tuple(group for group in (*self.read_scopes, *self.around) if group not in self.writable)
        return replace(self, read_scopes=self.writable, around=outside)

    @property
    def writable(self) -> tuple[GroupId, ...]:
        """Every scope that this transaction may write."""
        return self.write_scopes or (self.write_scope,)

    def require(self, role: Role, action: str) -> None:
        """Raise Forbidden unless the principal's role includes ``role``."""
        if not self.principal.role.at_least(role):
            raise Forbidden(
                f"{action} needs the role {role.value}; you have {self.principal.role.value}. "
                "Ask an administrator for that role"
            )
