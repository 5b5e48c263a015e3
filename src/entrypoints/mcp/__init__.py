"""Assay for agents: tools and resources of the Model Context Protocol, over stdio and over HTTP."""
