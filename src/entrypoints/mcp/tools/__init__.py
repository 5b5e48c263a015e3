"""The tools, by noun. A tool resolves the caller's access, calls one use case or query, and shapes the result."""
