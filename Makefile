# Everything on a fresh machine: python3 >= 3.11, make and git are all that has to be there.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
STACK := .venv-stack
PIP := $(BIN)/python -m pip --disable-pip-version-check -q install
DATA ?=

.PHONY: help run test check stack bench docs power validate fit clean
.PHONY: _data

help: ## Show these targets
	@awk 'BEGIN {FS = ":.*## "} /^[a-z]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(VENV)/.made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "turnwise needs Python 3.11 or newer; say which with: make PYTHON=python3.12 ..." >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null \
	  || { echo "This Python cannot make virtual environments; install its venv package (python3-venv on Debian)." >&2; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.run: pyproject.toml constraints/run.txt $(VENV)/.made
	@echo "Installing turnwise into $(VENV) (once) ..."
	@$(PIP) -c constraints/run.txt -e .
	@touch $@

$(VENV)/.dev: pyproject.toml constraints/dev.txt $(VENV)/.made
	@echo "Installing turnwise and its tools into $(VENV) (once) ..."
	@$(PIP) -c constraints/dev.txt -e '.[dev,inspect]'
	@touch $@

run: $(VENV)/.run ## Play the default study and write its report
	@$(BIN)/turnwise run

# One thread a worker, or the threads of two workers wait for each other; bytecode is kept, because some tests start
# dozens of processes, and each would compile the package again. Files with few tests are often the dearest: they are
# not kept for the end, where a worker would wait for the other.
test: $(VENV)/.dev ## Run every test
	@OMP_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder

check: $(VENV)/.dev ## Style, types and the import law, without running anything
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo

# torch is asked for by its pinned version and first: a bare "torch" brings gigabytes for accelerators.
$(STACK)/.made: constraints/stack.txt
	@echo "Installing a real inference server into $(STACK) (once, about 1.2 GB) ..."
	@$(PYTHON) -m venv $(STACK)
	@{ $(STACK)/bin/python -m pip --disable-pip-version-check -q install -c constraints/stack.txt torch==2.13.0 \
	  && $(STACK)/bin/python -m pip --disable-pip-version-check -q install -c constraints/stack.txt \
	    'transformers[serving]' tokenizers; } \
	  || { echo "stack: the inference server could not be installed (torch 2.13.0 and transformers[serving] of" \
	    "constraints/stack.txt); nothing was tested with it." >&2; exit 1; }
	@touch $@

stack: $(VENV)/.dev $(STACK)/.made ## Play sessions against a real inference server with a tiny random model (minutes)
	@$(BIN)/python tools/real_stack.py --server $(STACK)/bin

bench: $(VENV)/.dev ## Measure speed and memory on this machine (some minutes, up to a million turns; QUICK=1: ten thousand)
	@$(BIN)/python benchmarks/bench.py $(if $(QUICK),,--full)

docs: $(VENV)/.run ## Write docs/ again from what is registered
	@$(BIN)/python tools/make_docs.py

power: $(VENV)/.dev ## Measure again what gap a study of a given size can see (some minutes)
	@$(BIN)/python tools/power_of_the_gap.py

validate: _data $(VENV)/.dev ## Measure our coders again on human data: make validate DATA=folder
	@OMP_NUM_THREADS=1 $(BIN)/python tools/validate_reading.py "$(DATA)"

fit: _data $(VENV)/.dev ## Fit the coders again from human data: make fit DATA=folder
	@for kind in turn written sentence pair; do \
	  OMP_NUM_THREADS=1 $(BIN)/python tools/fit_$${kind}_coders.py "$(DATA)" || exit 1; \
	done
	@OMP_NUM_THREADS=1 $(BIN)/python tools/fit_skill_raters.py "$(DATA)"
	@OMP_NUM_THREADS=1 $(BIN)/python tools/fit_claims.py "$(DATA)"
	@OMP_NUM_THREADS=1 $(BIN)/python tools/fit_tracker.py "$(DATA)"

_data:
	@test -d "$(DATA)" || { echo "Say where the data are, e.g. make $(MAKECMDGOALS) DATA=folder" >&2; exit 2; }

clean: ## Remove the environment and every cache; runs/ stays
	@rm -rf $(VENV) $(STACK) .mypy_cache .ruff_cache .import_linter_cache .hypothesis build dist
	@find . -name __pycache__ -type d -not -path './.git/*' -prune -exec rm -rf {} +
