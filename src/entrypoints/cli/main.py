"""The command line as a whole. A command's module is imported when the command is used, and not for `assay --help`."""

from __future__ import annotations

import importlib

import click

from entrypoints.cli.key import take_key_from_environment

COMMANDS: dict[str, tuple[str, str]] = {
    "assertion": ("patterns", "Show one assertion: its state, its evidence, and the fact that it makes."),
    "audit": ("auditing", "Who read, wrote, exported, signed in or was refused: list, export, keep."),
    "break-glass": (
        "administration",
        "Issue an owner's key that ends soon, for whoever runs the server and has lost every other way in.",
    ),
    "changes": (
        "journal",
        "Show what changed between two revisions or times, with each cause and what it did to which facts.",
    ),
    "collections": ("sources", "Named sets of documents: list."),
    "concepts": ("concepts", "Claims, definitions, events and principles: search, show."),
    "contradictions": ("contradictions", "Show what contradicts itself, with both sides and their weights."),
    "correct": ("changing", "Confirm a fact, deny it, or say what holds instead."),
    "decide": ("contradictions", "Decide a contradiction: keep one side, both in turn, both at once, or neither."),
    "down": ("stack", "Stop the embedded servers."),
    "edit": ("editing", "Say what an entity is called, its kind, its aliases, what it is."),
    "embeddings": ("graph", "Vectors of the configured model: add, swap."),
    "entity": ("searching", "Show everything that is known about one entity, by any of its names or its id."),
    "erasure": (
        "erasing",
        "Take content out for good: document, source, entity; list, certificate, verify, keys, rotate-key.",
    ),
    "explain": (
        "patterns",
        "Show why a fact stands as it does: who said what, how it was graded, and what changed it.",
    ),
    "facts": ("patterns", "Show the facts of a pattern: name a subject, a predicate or an object, or two of them."),
    "feedback": ("searching", "Say whether a fact that was found helped."),
    "graph": ("graph", "The graph that follows the record: status, rebuild, verify."),
    "holds": ("erasing", "Legal holds, which forbid erasing: place, lift, list."),
    "ingest": ("ingesting", "Submit files, folders with what is in them, and pages."),
    "jobs": ("jobs", "Jobs that failed for good: list them, queue them again."),
    "journal": ("journal", "Who changed what and why: list, verify, export."),
    "judge": ("judging", "Let a language model look for values that were replaced."),
    "keys": ("keys", "API keys: issue, list, rotate, revoke."),
    "login": (
        "logging_in",
        "Sign in at an identity provider with a browser; commands then act as you, until `assay logout`.",
    ),
    "logout": ("logging_in", "Forget the token of `assay login`, and tell the identity provider where it listens."),
    "mcp": (
        "serving",
        "Serve one MCP client over standard input and output, with the key in ASSAY_KEY or the local operator's.",
    ),
    "migrate": ("stack", "Bring the database up to date."),
    "neighbours": ("walking", "Show the facts around an entity."),
    "organizations": ("administration", "Organizations: create, list."),
    "pack": (
        "packing",
        "Answer a question within a token budget, as one fenced text with citations; or show a stored pack.",
    ),
    "path": ("walking", "Show the shortest chain of facts between two entities."),
    "pending": ("pending", "Assertions that wait for a person: list, approve, reject."),
    "people": (
        "people",
        "People and agents, and their roles: list, add, role, remove, leave, disable, enable.",
    ),
    "predicates": ("patterns", "List predicates in use, with how many facts in force each has, and some of them."),
    "promote": (
        "promoting",
        "Propose that a wider scope takes over a verified fact; a curator there decides.",
    ),
    "proposals": ("proposals", "What waits for a person: list, approve, reject."),
    "read-point": (
        "journal",
        "Make a token that pins both times: what is read with --read-point never goes past them.",
    ),
    "recall": ("memory", "Search what you remembered, and what your organization knows."),
    "receipt": ("receipts", "Show one receipt with everything that was rejected."),
    "receipts": ("receipts", "List receipts, newest first."),
    "remember": ("memory", "Keep TEXT ('-' reads standard input) in your personal scope."),
    "reprocess": ("retracting", "Read documents again with the present extractor and settings."),
    "reset": ("stack", "Stop the embedded servers and delete all their data."),
    "retract": ("retracting", "Take back a document, a source or an assertion."),
    "run": ("running", "Start everything: servers, API, MCP and worker, with a sample at the first start."),
    "search": ("searching", "Ask in plain words; get ranked, graded, dated, cited facts."),
    "serve": ("serving", "Serve the API and MCP until Ctrl-C."),
    "snapshots": (
        "snapshots",
        "Revisions by which every read gives the same later: create, list, show, verify.",
    ),
    "sources": ("sources", "Where documents come from: list, regrade."),
    "standings": ("graph", "What assertions add up to: rebuild."),
    "status": ("stack", "Show which embedded servers run."),
    "timeline": (
        "journal",
        "Show how a fact (by id) came to stand so, or what happened around an entity (by name or id), in order.",
    ),
    "triples": ("triples", "Import typed triples, one JSON object a line, from FILE ('-' reads standard input)."),
    "undo": ("changing", "Put back what the mutation of a revision did, as a new mutation."),
    "up": ("stack", "Start the embedded servers; they go on running until `assay down`."),
    "usage": ("spending", "Paid models: what they cost, the monthly limit, and quotas: show, limit, quotas."),
    "vocabulary": (
        "changing",
        "Predicates and how their facts live together: list, set, remove, suggest, suggestions.",
    ),
    "work": ("serving", "Do the jobs that writes leave behind, until Ctrl-C."),
    "workspaces": ("administration", "Workspaces and projects: create, list."),
}
"""Every command: the module of this package that has it, and what the list of commands says of it."""


class _OnDemand(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, _ = COMMANDS[cmd_name]
        commands: tuple[click.Command, ...] = importlib.import_module(f"entrypoints.cli.{module}").COMMANDS
        return next(command for command in commands if command.name == cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, told) for name, (_, told) in sorted(COMMANDS.items())])


@click.group(
    cls=_OnDemand,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120},
    epilog="Exit codes: 0 done, 2 invalid, 3 key or role, 4 not found, 5 conflict, 6 limit, 7 not available, "
    "1 something unexpected.",
)
@click.version_option(package_name="assay", prog_name="assay")
@click.pass_context
def assay(context: click.Context) -> None:
    """Memory that can prove what it knows.

    Without any setting, commands work with the servers of ./.assay, which `assay run` and `assay up` start, and with a
    key of their own. ASSAY_KEY names another key, and `assay login` signs you in; ASSAY_<SECTION>__<FIELD> configures
    the rest.
    """
    take_key_from_environment(context)


def main() -> None:
    """The console script."""
    assay(prog_name="assay")
