# Every target sets up what it needs in .venv by itself; nothing is done twice.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
COMPILED := $(VENV)/.compiled
RULES := $(wildcard tkg/rules/*.py tkg/bots/*.py) tkg/warm.py
JOBS ?= 2
MORE = $(shell expr $(JOBS) + 2) # for tests in a browser, which wait more than they work
ROOT := $(shell [ "$$(id -u)" = 0 ] && echo --allow-root)
export PIP_DISABLE_PIP_VERSION_CHECK := 1
MAKEFLAGS += --jobs=2 # types are checked while rules compile

.PHONY: help setup report test test-long lab app check lint bench bench-boards clean constraints
.DEFAULT_GOAL := help

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(COMPILED) ## make .venv with everything in it, and compile the rules once

report: $(COMPILED) ## play the default study and write out/report/
	$(BIN)/tkg report --out out/report --force

test: check ## everything that must hold: check, rules with the compiler on and off, notebooks
	$(BIN)/pytest -n $(MORE) --ignore=tests/test_architecture.py tests
	NUMBA_DISABLE_JIT=1 $(BIN)/pytest -n $(JOBS) --ignore-glob='*_bots.py' tests/rules tests/test_game.py tests/test_records.py
	TKG_PLAYTESTS="$(CURDIR)/out/playtests" $(BIN)/pytest -n $(JOBS) --dist loadfile --nbval --nbval-current-env --nbval-sanitize-with tests/nbval-sanitize.cfg notebooks

test-long: $(COMPILED) ## longer hunts, all that boards do in a browser, and what repeats a quick test on another game
	HYPOTHESIS_PROFILE=long $(BIN)/pytest -n $(JOBS) tests/rules tests/browser
	HYPOTHESIS_PROFILE=long $(BIN)/pytest -n $(JOBS) -m long tests

# Pictures that lie in notebooks are shown in those that are trusted only, and a fresh clone's are not.
lab: $(COMPILED) ## open JupyterLab on the notebooks
	$(BIN)/jupyter trust notebooks/*.ipynb
	$(BIN)/jupyter lab $(ROOT) --ServerApp.ip=127.0.0.1 --ServerApp.root_dir=notebooks

# A page that is left asks for the end of its kernel, but without the token that checks of XSRF want; nothing else is posted.
app: $(COMPILED) ## the same boards as a page without code, by Voilà
	JUPYTER_PATH=data/jupyter $(BIN)/voila notebooks --Voila.ip=127.0.0.1 --template=tkg --Voila.tornado_settings="disable_check_xsrf=True"

check: lint $(COMPILED) ## formatting, lint, types, direction of imports
	$(BIN)/pytest tests/test_architecture.py

lint: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

bench: $(COMPILED) ## every speed and size target with its figure
	$(BIN)/tkg bench

bench-boards: $(COMPILED) ## how soon boards answer in JupyterLab, in Chromium
	$(BIN)/python tests/browser/bench_boards.py

clean: ## remove what was made here: .venv, out, caches
	rm -rf $(VENV) out .pytest_cache .mypy_cache .ruff_cache .hypothesis tests/bench/rift_bench
	find tkg tests -name __pycache__ -type d -prune -exec rm -rf {} +

constraints: $(READY) ## pin the newest fitting versions of all dependencies
	$(BIN)/uv pip compile --quiet --upgrade --no-annotate --no-emit-index-url --no-emit-find-links --universal \
	  --python-version 3.11 --extra dev --custom-compile-command "make constraints" pyproject.toml -o constraints.txt

$(READY): pyproject.toml constraints.txt
	@echo "Setting up $(VENV) ..."
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --constraint constraints.txt uv || echo "uv cannot be had; pip takes its place, which takes minutes"
	@if $(BIN)/uv --version >/dev/null 2>&1; then \
	  UV_LINK_MODE=copy $(BIN)/uv pip install --python $(BIN)/python --compile-bytecode --constraint constraints.txt --editable '.[dev]'; \
	else \
	  $(BIN)/python -m pip install --constraint constraints.txt --editable '.[dev]'; \
	fi
	@touch $@

# Byte code of the package itself, as of the others: where Python may write none, every process would make it anew.
$(COMPILED): $(READY) $(RULES)
	@$(BIN)/python -m compileall -q tkg
	@$(BIN)/python -m tkg.warm
	@touch $@
