# Paths are relative to this folder only, so that a folder with a space in its name works.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
PYTHON_IN_VENV := .venv/bin/python

.PHONY: help run test lint types contracts bench lock audit sbom up down clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' Makefile

run: ## install, start everything in ./.assay with a sample workspace, print an address and a key
	@.ci/prepare run
	@exec .venv/bin/assay run

test: ## install what the tests need and run all of them against real servers (TESTS="-k words" for some)
	@.ci/prepare test
	@exec $(PYTHON_IN_VENV) -m pytest -n 2 $(TESTS)

lint: ## ruff: rules and format
	@.ci/prepare test
	@$(PYTHON_IN_VENV) -m ruff check
	@$(PYTHON_IN_VENV) -m ruff format --check

types: ## mypy, strict
	@.ci/prepare test
	@$(PYTHON_IN_VENV) -m mypy

contracts: ## import-linter: which package may import which
	@.ci/prepare test
	@.venv/bin/lint-imports --no-logo importlinter.ini

bench: ## the speed table; takes minutes (BENCH="typed_triples --facts 10000" for some)
	@.ci/prepare test
	@exec $(PYTHON_IN_VENV) -m benchmarks $(BENCH)

lock: ## pin what deployments install, with hashes (LOCK=--upgrade for the newest)
	@.ci/prepare test
	@.ci/lock $(LOCK)

audit: ## look up advisories for what deployments install; says so where their database is out of reach
	@.ci/prepare test
	@.ci/audit

sbom: ## write sbom.json (CycloneDX): what deployments install
	@.ci/prepare test
	@.venv/bin/uv tool run --from 'cyclonedx-bom>=7,<8' cyclonedx-py requirements deploy/requirements.lock --pyproject pyproject.toml --output-file sbom.json

up: ## start the embedded servers only
	@.ci/prepare run
	@.venv/bin/assay up

down: ## stop the embedded servers; data stays
	@.ci/prepare run
	@.venv/bin/assay down

clean: ## stop the embedded servers, delete the virtual environment and caches; data in ./.assay stays
	@if [ -x .venv/bin/assay ] && [ -d .assay ]; then .venv/bin/assay down; fi
	@rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis dist build
