"""The key that commands act with."""

from __future__ import annotations

import os

import click

KEY_VARIABLE = "ASSAY_KEY"
"""A key to act with, in place of the local operator's."""


def take_key_from_environment(context: click.Context) -> None:
    """Keep ``ASSAY_KEY`` for this command, and from every process that it starts."""
    context.meta[KEY_VARIABLE] = os.environ.pop(KEY_VARIABLE, None)
