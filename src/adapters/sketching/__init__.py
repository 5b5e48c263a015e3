"""Sketches of texts, by which their likeness is estimated."""
