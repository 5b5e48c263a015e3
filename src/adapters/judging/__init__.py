"""Verdicts of models, which are only ever proposals."""
