"""What becomes of documents that name somebody of whom everything is erased."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from domain.erasure.canaries import KnownName, Sought, names_sought
from domain.errors import Conflict
from domain.identity.ids import DocumentId, GroupId


class NamingChoice(StrEnum):
    """BLACK_OUT keeps every document, without the names. ERASE_OWN erases those about them alone, and blacks out names
    in the others. ERASE erases them all."""

    BLACK_OUT = "black_out"
    ERASE_OWN = "erase_own"
    ERASE = "erase"


@dataclass(frozen=True, slots=True)
class NamingWish:
    """What is said of documents that name somebody, and by which further spellings they are named."""

    documents: NamingChoice | None = None
    also: tuple[str, ...] = ()


class ChoiceNeeded(Conflict):
    """There are documents that name them, and nobody said what becomes of those."""

    code = "choice_needed"


@dataclass(frozen=True, slots=True)
class NamingDocument:
    """A document that names them. ``alone`` says that all that was drawn from it is about them."""

    document_id: DocumentId
    group_id: GroupId
    title: str
    alone: bool

    def erased_by(self, choice: NamingChoice) -> bool:
        """Whether it goes as a whole."""
        return choice is NamingChoice.ERASE or (choice is NamingChoice.ERASE_OWN and self.alone)


@dataclass(frozen=True, slots=True)
class NamingPlan:
    """Whom an erasure is about, by which names, and which documents it concerns."""

    names: Sequence[KnownName]
    documents: Sequence[NamingDocument]

    @property
    def everywhere(self) -> tuple[str, ...]:
        """The names that mean them wherever they stand."""
        return tuple(known.name for known in self.names if known.everywhere)

    @property
    def sought(self) -> Sought | None:
        """Those names, to be looked for."""
        return names_sought(self.everywhere)

    @property
    def there(self) -> Sought | None:
        """All names, to be looked for where they are known to be meant."""
        return names_sought(known.name for known in self.names)

    def split(self, choice: NamingChoice | None) -> tuple[list[DocumentId], list[DocumentId]]:
        """The documents to erase, and those to black out names in. Raises ChoiceNeeded."""
        if self.documents and choice is None:
            alone = sum(document.alone for document in self.documents)
            raise ChoiceNeeded(
                f"{len(self.documents)} documents name it, {alone} of them are about it alone; look at the plan, and "
                f"say what becomes of them: {', '.join(NamingChoice)}"
            )
        gone = [d.document_id for d in self.documents if choice and d.erased_by(choice)]
        return gone, [d.document_id for d in self.documents if d.document_id not in set(gone)]
