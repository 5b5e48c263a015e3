"""The memory engine on the graph databases that graphiti-core drives.

Graphiti reads its settings when it is imported: it would report usage, load the nearest ``.env`` file into the
process and guess the size of vectors; and it warns of its own use of old pydantic. So it is imported here first, since
a package runs before its modules.

It brings tens of thousands of objects that stay as long as the process. The garbage collector is told so, or it would
look at all of them each time that a few thousand edges have passed, for a third of the time that these take.
"""

import gc
import os
import warnings

os.environ["GRAPHITI_TELEMETRY_ENABLED"] = "false"
os.environ["PYTHON_DOTENV_DISABLED"] = "true"
os.environ.setdefault("EMBEDDING_DIM", "384")

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)
    import graphiti_core as graphiti_core

gc.collect()
gc.freeze()
