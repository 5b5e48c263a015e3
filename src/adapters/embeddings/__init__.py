"""Embedders: hashed, from a wheel, over HTTP, and a cache around any of them."""
