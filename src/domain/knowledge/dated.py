"""Words that say what happened, to whom and where, and the predicates that say when.

"Acme founded Beta" and "Acme was founded 1999" share a word and nothing else: the one has as many objects as there are,
of the other there is one. The type of the object tells them apart.
"""

from __future__ import annotations

from collections.abc import Mapping

WHEN: Mapping[str, str] = {
    "FOUNDED": "FOUNDED_ON",
    "FOUNDED_IN_PLACE": "FOUNDED_ON",
    "OPENED": "OPENED_ON",
    "BORN": "BORN_ON",
    "BORN_IN": "BORN_ON",
    "DIED": "DIED_ON",
    "DIED_IN": "DIED_ON",
    "DECIDED": "DECIDED_ON",
    "APPROVED": "APPROVED_ON",
    "RELEASED": "RELEASED_ON",
    "PUBLISHED": "RELEASED_ON",
    "OCCURRED": "OCCURRED_ON",
    "STARTED": "STARTED_ON",
    "ENDED": "ENDED_ON",
    "DETECTED": "DETECTED_AT",
    "RESOLVED": "RESOLVED_AT",
    "EXPIRES": "EXPIRES_ON",
}
"""By the normal name of a predicate, the one that a date under it belongs to. What ends in BY is not here: a date after
"approved by" is as often a deadline."""
