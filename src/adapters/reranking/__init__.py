"""Rerankers. Without one, a search keeps its own order."""
