# Needs only make and a Python of 3.11 or newer. `make help` lists what there is.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

VENV := .venv
PY := $(VENV)/bin/python
STAMP := $(VENV)/.installed
EXTRAS := train,eval,parquet,render,openspiel,dev
WORKERS ?= 2
PYTEST_ARGS ?=

# One thread for each process: the tests and the demo bring their own processes.
export OMP_NUM_THREADS ?= 1
export MPLBACKEND ?= Agg
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: help venv demo test test-slow test-all test-clients lint types format wheel-smoke bench golden docs-tables clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

venv: $(STAMP) ## make .venv and install the pinned set

$(STAMP): pyproject.toml constraints.txt scripts/make_venv.sh
	@scripts/make_venv.sh $(VENV) -c constraints.txt -e ".[$(EXTRAS)]"
	@touch $@

demo: $(STAMP) ## train an agent for a minute, rank it against the baselines, write a report
	@$(VENV)/bin/thirtyone demo

test: $(STAMP) ## the fast tests
	$(PY) -m pytest -n $(WORKERS) -m "not slow" $(PYTEST_ARGS)

test-slow: $(STAMP) ## the long tests alone
	$(PY) -m pytest -n $(WORKERS) -m slow --durations=10 $(PYTEST_ARGS)

test-all: test test-slow ## the fast tests, then the long ones

test-clients: ## TorchRL and RLlib play our environment, each in an environment of its own
	@tests/clients/run.sh

lint: $(STAMP) ## ruff: style and format of imports
	$(PY) -m ruff check .

format: $(STAMP) ## let ruff repair what it can
	$(PY) -m ruff check --fix .

types: $(STAMP) ## mypy
	$(PY) -m mypy

wheel-smoke: $(STAMP) ## build the wheel and use it outside the checkout
	@scripts/wheel_smoke.sh $(PY)

bench: $(STAMP) ## speed: the engine on this machine, then beside peers as ratios of one run
	$(VENV)/bin/thirtyone bench
	bench/run.sh

golden: $(STAMP) ## write the golden files of the tests anew; review the diff
	$(PY) -m pytest -n $(WORKERS) -k golden --regenerate-golden $(PYTEST_ARGS)

docs-tables: $(STAMP) ## write the generated tables of the docs anew
	$(PY) scripts/docs_tables.py

clean: ## remove the environments and caches that make made
	rm -rf .venv .venv-* .mypy_cache .pytest_cache .ruff_cache
