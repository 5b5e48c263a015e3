"""Over standard input and output, for an agent that starts Assay itself."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from domain.errors import AssayError, NotAuthenticated
from entrypoints.bootstrap import application
from entrypoints.environment import load_settings
from entrypoints.mcp.profiles import Profile
from entrypoints.mcp.server import create_server
from entrypoints.mcp.sign_in import by_key
from entrypoints.settings import Settings
from entrypoints.telemetry import configure_logging
from entrypoints.tracing import configure_tracing

KEY_VARIABLE = "ASSAY_KEY"
KEY_FILE = "operator.key"
"""In the embedded folder: the key that the first start made."""


def main() -> None:
    """Serve until standard input ends. Standard output carries the protocol and nothing else."""
    key = os.environ.pop(KEY_VARIABLE, None)
    try:
        settings = load_settings()
        configure_logging(settings.telemetry)
        stop_tracing = configure_tracing(settings.telemetry)
        try:
            asyncio.run(serve(settings, key or key_of_folder(settings)))
        finally:
            stop_tracing()
    except AssayError as error:
        sys.stderr.write(f"assay mcp: {error.message}\n")
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)


async def serve(settings: Settings, key: str) -> None:
    """Serve one client with one key. Raises NotAuthenticated for a wrong key, before anything is served."""
    async with application(settings, name="assay-mcp") as app:
        await app.verifier.verify(key)
        profile = Profile(settings.mcp.profile)
        await create_server(app, by_key(app.verifier, key, profile)).run_stdio_async()


def key_of_folder(settings: Settings) -> str:
    """The operator's key of an embedded Assay. Raises NotAuthenticated where there is none."""
    path: Path = settings.embedded.folder / KEY_FILE
    if settings.is_embedded and path.is_file():
        return path.read_text(encoding="utf-8").strip()
    raise NotAuthenticated(f"no API key: set {KEY_VARIABLE} to one that an administrator issued to the agent")


if __name__ == "__main__":
    main()
