"""Erasing documents, sources and what is known of a person."""
