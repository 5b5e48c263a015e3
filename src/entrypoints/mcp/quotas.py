"""How many calls of each tool a principal has in a minute."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from domain.errors import shown
from domain.identity.principal import Principal
from domain.ports.rate_limiter import Charge
from entrypoints.settings import PREFIX, SettingsInvalid


class ToolQuotas:
    """The same for all tools, or a tool's own; 0 is no limit."""

    def __init__(self, calls: int = 0, own: Mapping[str, int] | None = None) -> None:
        self._calls = calls
        self._own = dict(own or {})

    def require_known(self, tools: Iterable[str]) -> None:
        """Raise SettingsInvalid for a quota of a tool that is none."""
        known = sorted(tools)
        for name in self._own:
            if name not in known:
                raise SettingsInvalid(
                    f"{PREFIX}MCP__TOOL_CALLS_PER_MINUTE: there is no tool {shown(name)}; there are: {', '.join(known)}"
                )

    def charges(self, tool: str, principal: Principal) -> list[Charge]:
        """What one call is charged."""
        most = self._own.get(tool, self._calls)
        return [Charge(f"calls of {tool}", principal.id.hex, 1, most)] if most else []
