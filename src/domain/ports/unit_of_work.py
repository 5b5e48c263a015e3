"""One transaction in one tenant. No repository is reachable without it, and it is not made without an access."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from typing import Protocol

from domain.identity.access import Access
from domain.ports.audit import Audit
from domain.ports.chronicle import Chronicle
from domain.ports.claimed import Claimed
from domain.ports.credentials import Credentials
from domain.ports.directory import Directory
from domain.ports.documents import Documents
from domain.ports.entities import EntityRecord
from domain.ports.erasure import Erasures
from domain.ports.feedback import Feedback
from domain.ports.history import History
from domain.ports.job_queue import JobQueue
from domain.ports.journal import Journal
from domain.ports.promotions import Promotions
from domain.ports.record import Record
from domain.ports.sketches import Sketches
from domain.ports.snapshots import Snapshots
from domain.ports.vocabulary import PredicateRecord


class Transaction(Protocol):
    """What can be reached inside: everything is committed together on a clean exit, nothing on an exception."""

    @property
    def record(self) -> Record: ...

    @property
    def documents(self) -> Documents: ...

    @property
    def directory(self) -> Directory: ...

    @property
    def journal(self) -> Journal: ...

    @property
    def jobs(self) -> JobQueue: ...

    @property
    def feedback(self) -> Feedback: ...

    @property
    def predicates(self) -> PredicateRecord: ...

    @property
    def entities(self) -> EntityRecord: ...

    @property
    def erasures(self) -> Erasures: ...

    @property
    def snapshots(self) -> Snapshots: ...

    @property
    def sketches(self) -> Sketches: ...

    @property
    def history(self) -> History: ...

    @property
    def chronicle(self) -> Chronicle: ...

    @property
    def claimed(self) -> Claimed: ...

    @property
    def credentials(self) -> Credentials: ...

    @property
    def promotions(self) -> Promotions: ...

    @property
    def audit(self) -> Audit: ...


class UnitOfWork(Protocol):
    """Opens a transaction whose tenant is the access's. Raises Unavailable when the database does not answer."""

    def __call__(self, access: Access) -> AbstractAsyncContextManager[Transaction]: ...
