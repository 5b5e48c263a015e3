"""The predicates that every organization starts with, and how their facts live together.

One-valued only where the world allows one at a time; a symmetric predicate is many-valued, since a sorted pair is in
the slot of one of the two only. Entity kinds are left open: an extractor's guess of a kind must not refuse a fact.
A phrase reads "subject phrase object".
"""

from __future__ import annotations

from domain.knowledge.concept import HAS_KIND, HAS_TERM
from domain.knowledge.naming import CANONICAL_NAME, ENTITY_KIND
from domain.knowledge.predicate import Cardinality, PredicatePolicy, Succession

_PERIOD = ("period",)
_ENVIRONMENT = ("environment",)


def _many(name: str, phrase: str, *synonyms: str, symmetric: bool = False) -> PredicatePolicy:
    return PredicatePolicy(name, phrase=phrase, synonyms=synonyms, symmetric=symmetric)


def _inverse(name: str, phrase: str, of: str, *synonyms: str) -> PredicatePolicy:
    return PredicatePolicy(name, phrase=phrase, inverse_of=of, synonyms=synonyms)


def _one(
    name: str,
    phrase: str,
    *synonyms: str,
    until: Succession = Succession.BY_START,
    per: tuple[str, ...] = (),
) -> PredicatePolicy:
    return PredicatePolicy(name, Cardinality.ONE, per, until, phrase=phrase, synonyms=synonyms)


def _seen(name: str, phrase: str, *synonyms: str, per: tuple[str, ...] = ()) -> PredicatePolicy:
    """One value at a time, which lasts until another is observed."""
    return _one(name, phrase, *synonyms, until=Succession.BY_OBSERVATION, per=per)


def _fixed(name: str, phrase: str, *synonyms: str) -> PredicatePolicy:
    """One value for good: two that differ are never both right."""
    return _one(name, phrase, *synonyms, until=Succession.NEVER)


def _officer(letters: str, duty: str) -> tuple[PredicatePolicy, PredicatePolicy]:
    """An organization's one holder of a chief's post, and the post's organization."""
    title = f"chief {duty} officer"
    has, of = f"HAS_{letters}", f"{letters}_OF"
    return (
        _one(has, f"has as {title}", letters, title),
        _inverse(of, f"is {title} of", has, f"is {letters} of", f"{title} of", f"is the {letters} of"),
    )


_ORGANIZATIONS = (
    _many("FOUNDED_BY", "was founded by", "co-founded by", "established by", "has founder", "founder"),
    _inverse("FOUNDED", "founded", "FOUNDED_BY", "co-founded", "founder of", "is founder of", "established"),
    _fixed("FOUNDED_ON", "was founded in", "founded in", "established in", "founding date", "inception"),
    _many("FOUNDED_IN_PLACE", "was founded in", "place of founding", "founding place"),
    _many("OPENED_ON", "opened on", "opening date", "opened in", "was opened on"),
    _one(
        "HEADQUARTERED_IN", "is headquartered in", "is headquartered in", "based in", "is based in", "has its seat in",
        "headquarters", "headquarters location", "headquarters in", "has headquarters in", "head office in",
    ),
    _inverse("HEADQUARTERS_OF", "is the headquarters of", "HEADQUARTERED_IN", "seat of"),
    _one("HAS_CEO", "has as chief executive", "CEO", "chief executive", "chief executive officer", "led by CEO"),
    _inverse("CEO_OF", "is chief executive of", "HAS_CEO", "is CEO of", "chief executive of", "is the CEO of"),
    *_officer("CTO", "technology"),
    *_officer("CFO", "financial"),
    *_officer("COO", "operating"),
    *_officer("CIO", "information"),
    *_officer("CISO", "information security"),
    _one("HAS_CHAIR", "has as chair", "chair", "chairperson", "chairman", "chaired by"),
    _inverse("CHAIR_OF", "is chair of", "HAS_CHAIR", "chairs", "is chair of", "chairman of"),
    _many("OWNS", "owns", "is owner of", "owner of", "holds a stake in"),
    _inverse("OWNED_BY", "is owned by", "OWNS", "is owned by", "has owner", "owner", "property of"),
    _many("ACQUIRED", "acquired", "bought", "took over", "has acquired"),
    _inverse("ACQUIRED_BY", "was acquired by", "ACQUIRED", "was acquired by", "bought by", "taken over by"),
    _many("PARENT_OF", "is the parent of", "is parent of", "parent company of", "has subsidiary", "subsidiary"),
    _inverse("CHILD_OF", "is a child of", "PARENT_OF", "subsidiary of", "has parent", "parent company"),
    _many("INVESTED_IN", "invested in", "is investor in", "investor in", "backed"),
    _inverse("HAS_INVESTOR", "has as investor", "INVESTED_IN", "investor", "backed by", "funded by"),
    _many("PARTNER_OF", "is a partner of", "partners with", "partnered with", "is partner of", symmetric=True),
    _many("COMPETES_WITH", "competes with", "competitor of", "is a competitor of", symmetric=True),
    _many("OPERATES_IN", "operates in", "active in", "industry", "is active in"),
    _many("PRODUCES", "produces", "makes", "manufactures", "develops", "offers", "provides"),
    _inverse("PRODUCED_BY", "is produced by", "PRODUCES", "made by", "manufactured by", "developed by", "provided by"),
    _many("MERGED_WITH", "merged with", "has merged with", symmetric=True),
    _many("SUPPLIES", "supplies", "is supplier of", "supplier of", "is a supplier of", "is vendor of"),
    _inverse("SUPPLIED_BY", "is supplied by", "SUPPLIES", "supplier", "vendor"),
    _many("CUSTOMER_OF", "is a customer of", "is customer of", "client of", "is a client of"),
    _inverse("HAS_CUSTOMER", "has as customer", "CUSTOMER_OF", "customer", "client"),
    _many("SELLS", "sells", "seller of"),
    _many("RENTS", "rents", "leases", "is tenant of"),
)  # fmt: skip

_PEOPLE = (
    _many("HOLDS_ROLE", "holds the role", "role", "has role", "position", "position held", "job title", "serves as"),
    _many("WORKS_FOR", "works for", "works at", "employed by", "is employed by", "employer", "joined"),
    _inverse("EMPLOYS", "employs", "WORKS_FOR", "has employee", "employee", "hired"),
    _many("LEFT", "has left", "has left", "departed from", "resigned from"),
    _many("MEMBER_OF", "is a member of", "is member of", "belongs to team", "on team", "serves on"),
    _inverse("HAS_MEMBER", "has as member", "MEMBER_OF", "member", "members", "includes member"),
    _one("REPORTS_TO", "reports to", "line manager", "has manager", "supervised by"),
    _inverse("HAS_DIRECT_REPORT", "has as direct report", "REPORTS_TO", "direct report", "supervises"),
    _many("MANAGES", "manages", "is manager of", "manager of", "is in charge of", "runs team"),
    _inverse("MANAGED_BY", "is managed by", "MANAGES", "is managed by", "has project manager"),
    _many("LEADS", "leads", "heads", "is head of", "head of", "directs"),
    _inverse("LED_BY", "is led by", "LEADS", "headed by", "is led by", "directed by"),
    _many("RESPONSIBLE_FOR", "is responsible for", "is responsible for", "accountable for", "on call for"),
    _inverse("RESPONSIBILITY_OF", "is the responsibility of", "RESPONSIBLE_FOR", "responsible team"),
    _fixed("BORN_ON", "was born on", "date of birth", "birth date", "birthday"),
    _many("BORN_IN", "was born in", "place of birth", "birthplace", "was born in"),
    _fixed("DIED_ON", "died on", "date of death", "death date"),
    _many("DIED_IN", "died in", "place of death"),
    _many("MARRIED_TO", "is married to", "is married to", "married", "spouse", "spouse of", "wed", symmetric=True),
    _many("STUDIED_AT", "studied at", "educated at", "graduated from", "alma mater"),
    _many("LIVES_IN", "lives in", "resides in", "residence", "is resident of"),
    _many("HAS_NATIONALITY", "has the nationality", "nationality", "citizen of", "citizenship"),
    _many("HAS_CONTACT", "has the contact", "contact", "contact person", "point of contact"),
    _many("HAS_EMAIL", "has the email address", "email", "e-mail", "email address"),
    _many("HAS_PHONE", "has the phone number", "phone", "telephone", "phone number"),
)  # fmt: skip

_SYSTEMS = (
    _many("PART_OF", "is part of", "is part of", "component of", "belongs to system", "module of"),
    _inverse("HAS_PART", "has as part", "PART_OF", "consists of", "contains", "includes", "comprises", "has component"),
    _many("DEPENDS_ON", "depends on", "relies on", "dependency", "is dependent on", "has dependency"),
    _inverse("DEPENDENCY_OF", "is a dependency of", "DEPENDS_ON", "depended on by"),
    _many("REQUIRES", "requires", "needs", "prerequisite", "has requirement"),
    _inverse("REQUIRED_BY", "is required by", "REQUIRES", "needed by", "prerequisite of"),
    _many("USES", "uses", "utilizes", "makes use of", "is using"),
    _inverse("USED_BY", "is used by", "USES", "is used by", "utilized by"),
    _many("RUNS_ON", "runs on", "hosted on", "is hosted on", "host", "executes on"),
    _inverse("HOSTS", "hosts", "RUNS_ON", "is host of"),
    _many("DEPLOYED_IN", "is deployed in", "deployed to", "is deployed to", "deployed on", "deployment"),
    _many("CONNECTS_TO", "connects to", "talks to", "sends data to", "integrates with"),
    _many("STORES", "stores", "keeps data of", "is store of"),
    _many("STORED_IN", "is stored in", "kept in", "is kept in"),
    _many("SUPPORTS", "supports", "has support for"),
    _inverse("SUPPORTED_BY", "is supported by", "SUPPORTS", "is supported by"),
    _many("ADOPTED", "adopted", "has adopted", "switched to"),
    _many("MIGRATED_TO", "migrated to", "moved to", "was migrated to", "was moved to"),
    _many("MIGRATED_FROM", "migrated from", "moved from", "was migrated from", "was moved from"),
    _many("IMPLEMENTS", "implements", "conforms to", "complies with"),
    _inverse("IMPLEMENTED_BY", "is implemented by", "IMPLEMENTS", "implementation"),
    _many("MAINTAINS", "maintains", "is maintainer of", "maintainer of"),
    _inverse("MAINTAINED_BY", "is maintained by", "MAINTAINS", "maintainer", "is maintained by"),
    _seen("HAS_STATUS", "has the status", "status", "current status", "is in state", per=_ENVIRONMENT),
    _seen("HAS_VERSION", "has the version", "version", "current version", "is at version", per=_ENVIRONMENT),
    _seen("ASSIGNED_TO", "is assigned to", "assignee", "is assigned to"),
    _seen("HAS_PRIORITY", "has the priority", "priority"),
    _seen("DUE_ON", "is due on", "deadline", "due date", "has deadline", "due by"),
    _many("HAS_IP_ADDRESS", "has the IP address", "ip", "ip address"),
    _many("HAS_LANGUAGE", "is written in", "language", "programming language", "written in"),
    _many("HAS_LICENSE", "is licensed under", "license", "licence", "licensed under"),
)  # fmt: skip

_DECISIONS = (
    _many("DECIDED_BY", "was decided by", "was decided by", "decision maker", "deciders", "decider"),
    _inverse("DECIDED", "decided", "DECIDED_BY", "made the decision"),
    _fixed("DECIDED_ON", "was decided on", "decision date", "date decided", "decided in"),
    _many("DECIDED_TO", "decided to", "has decided to", "made the decision to"),
    _many("APPROVED_BY", "was approved by", "approver", "signed off by", "was approved by"),
    _inverse("APPROVED", "approved", "APPROVED_BY", "approver of", "signed off"),
    _seen("APPROVED_ON", "was approved on", "approval date", "date approved", "approved in"),
    _many("REJECTED_BY", "was rejected by", "was rejected by", "turned down by"),
    _inverse("REJECTED", "rejected", "REJECTED_BY", "has rejected", "turned down"),
    _many("PROPOSED_BY", "was proposed by", "proposer", "was proposed by"),
    _inverse("PROPOSED", "proposed", "PROPOSED_BY", "suggested"),
    _many("SUPERSEDES", "supersedes", "superseded", "obsoletes"),
    _inverse("SUPERSEDED_BY", "is superseded by", "SUPERSEDES", "is superseded by", "obsoleted by"),
    _many("REPLACES", "replaces", "replaced", "successor of", "is the successor of"),
    _inverse("REPLACED_BY", "is replaced by", "REPLACES", "is replaced by", "succeeded by", "successor"),
    _many("CREATED_BY", "was created by", "creator", "was created by", "built by", "designed by", "invented by"),
    _inverse("CREATED", "created", "CREATED_BY", "creator of", "built", "designed", "invented"),
    _many("AUTHORED_BY", "was written by", "author", "written by", "was written by", "has author"),
    _inverse("AUTHORED", "wrote", "AUTHORED_BY", "author of", "wrote"),
    _many("RELEASED_ON", "was released on", "release date", "released in", "launched on", "published on"),
    _many("RELEASED_BY", "was released by", "was released by", "launched by", "issued by"),
    _inverse("RELEASED", "released", "RELEASED_BY", "launched", "issued"),
    _many("PUBLISHED_BY", "was published by", "publisher", "was published by"),
    _inverse("PUBLISHED", "published", "PUBLISHED_BY", "publisher of"),
    _seen("DATED", "is dated", "date", "document date", "dated on"),
    _many("COVERS", "covers", "applies to", "has scope"),
    _seen("EFFECTIVE_ON", "takes effect on", "effective date", "effective from", "in force from"),
    _seen("EXPIRES_ON", "expires on", "expiry date", "expiration date", "valid until"),
)  # fmt: skip

_EVENTS = (
    _fixed("OCCURRED_ON", "occurred on", "happened on", "took place on", "event date"),
    _fixed("STARTED_ON", "started on", "began on", "start date", "started at", "start time"),
    _fixed("ENDED_ON", "ended on", "end date", "finished on", "ended at", "end time"),
    _fixed("DETECTED_AT", "was detected at", "detection time", "detected on", "discovered at"),
    _fixed("RESOLVED_AT", "was resolved at", "resolution time", "resolved on", "fixed at", "mitigated at"),
    _many("CAUSED_BY", "was caused by", "was caused by", "due to", "triggered by", "resulted from"),
    _inverse("CAUSES", "causes", "CAUSED_BY", "caused", "triggered", "led to", "resulted in", "cause of"),
    _many("AFFECTS", "affects", "affected", "impacts", "impacted", "affected service"),
    _inverse("AFFECTED_BY", "was affected by", "AFFECTS", "was affected by", "impacted by"),
    _many("DETECTED_BY", "was detected by", "was detected by", "discovered by", "noticed by"),
    _inverse("DETECTED", "detected", "DETECTED_BY", "discovered", "noticed"),
    _many("RESOLVED_BY", "was resolved by", "was resolved by", "fixed by", "mitigated by"),
    _inverse("RESOLVED", "resolved", "RESOLVED_BY", "mitigated"),
    _many("HAS_ROOT_CAUSE", "has the root cause", "root cause", "underlying cause"),
    _seen("HAS_SEVERITY", "has the severity", "severity", "severity level"),
    _many("HAS_DURATION", "lasted", "duration", "lasted for", "lasted"),
)  # fmt: skip

_PLACES = (
    _many("LOCATED_IN", "is located in", "is located in", "lies in", "situated in", "location", "is in"),
    _many("LOCATED_AT", "is located at", "address", "has address", "street address", "is located at"),
    _one("HAS_CAPITAL", "has as capital", "capital", "capital city"),
    _inverse("CAPITAL_OF", "is the capital of", "HAS_CAPITAL", "is capital of", "is the capital of"),
    _seen("HAS_POPULATION", "has a population of", "population"),
)  # fmt: skip

_AMOUNTS = (
    _seen("HAS_REVENUE", "has revenue of", "revenue", "sales", "turnover", "total revenue", per=_PERIOD),
    _seen("HAS_NET_INCOME", "has net income of", "net income", "net profit", "net earnings", per=_PERIOD),
    _seen("HAS_OPERATING_INCOME", "has operating income of", "operating income", "operating profit", per=_PERIOD),
    _seen("HAS_GROSS_PROFIT", "has gross profit of", "gross profit", per=_PERIOD),
    _seen("HAS_TOTAL_ASSETS", "has total assets of", "total assets", "assets", per=_PERIOD),
    _seen("HAS_TOTAL_LIABILITIES", "has total liabilities of", "total liabilities", "liabilities", per=_PERIOD),
    _seen("HAS_EQUITY", "has equity of", "equity", "shareholders equity", per=_PERIOD),
    _seen("HAS_MARKET_CAP", "has a market value of", "market cap", "market capitalization", "valuation", per=_PERIOD),
    _seen("HAS_BUDGET", "has a budget of", "budget", per=_PERIOD),
    _seen("HAS_PRICE", "has the price", "price", "list price", "sells for", per=(*_PERIOD, "plan")),
    _seen("HAS_COST", "has the cost", "cost", "costs", "total cost", per=_PERIOD),
    _seen("HAS_HEADCOUNT", "has a headcount of", "headcount", "number of employees", "employee count", per=_PERIOD),
    _many("MENTIONS_AMOUNT", "mentions the amount", "amount mention", "amount"),
)  # fmt: skip

_NARRATIVE = (
    _many("ALIAS_OF", "is another name of", "alias", "also known as", "aka", "same as", "is an alias of"),
    _many("IS_A", "is a kind of", "type", "has type"),
    _many("HAS_DESCRIPTION", "is described as", "description", "described as"),
    _many("HAS_SUMMARY", "is summed up as", "summary"),
    _many("HAS_ACTION_ITEM", "has the action item", "action item", "todo", "follow-up", "next step"),
    _many("MENTIONS", "mentions", "mention", "refers to"),
)  # fmt: skip

_CONCEPTS = (
    _many(HAS_KIND, "is a concept of the kind", "concept kind", "concept type"),
    _many(HAS_TERM, "has the search term", "search term"),
    _many("IMPLIES", "implies", "entails"),
    _inverse("IMPLIED_BY", "is implied by", "IMPLIES", "is implied by", "follows from", "entailed by"),
    _many("CONTRADICTS", "contradicts", "contradicted by", "is contradicted by", "conflicts with", symmetric=True),
    _many("INSTANCE_OF", "is an instance of", "is an instance of"),
    _inverse("HAS_INSTANCE", "has the instance", "INSTANCE_OF", "has the instance"),
    _many("EXEMPLIFIES", "exemplifies", "is an example of", "example of"),
    _inverse("EXEMPLIFIED_BY", "is exemplified by", "EXEMPLIFIES", "is exemplified by", "has example"),
)  # fmt: skip

_NAMES = (
    PredicatePolicy(CANONICAL_NAME, Cardinality.ONE, phrase="is called", minimum_tier=1),
    PredicatePolicy(ENTITY_KIND, Cardinality.ONE, phrase="is of the kind", minimum_tier=1),
)

CORE_VOCABULARY: tuple[PredicatePolicy, ...] = (
    *_ORGANIZATIONS,
    *_PEOPLE,
    *_SYSTEMS,
    *_DECISIONS,
    *_EVENTS,
    *_PLACES,
    *_AMOUNTS,
    *_NARRATIVE,
    *_CONCEPTS,
    *_NAMES,
)
"""The built-in policies; an organization's own come over them, ``Vocabulary.of((*CORE_VOCABULARY, *own))``."""
