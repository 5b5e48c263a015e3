"""The only place that builds adapters: ``application`` yields one running Assay, ``migrate`` sets a database up."""

from entrypoints.bootstrap.migration import migrate as migrate
from entrypoints.bootstrap.wiring import application as application
