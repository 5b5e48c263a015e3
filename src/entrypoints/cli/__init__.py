"""The `assay` command. It acts in its own process, on the same use cases as the API."""
