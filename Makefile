# To start: `make run`, `make test`. Requires only make and Python 3.11+.
# `make` without a target lists the commands.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
MANAGE := $(BIN)/python manage.py
DATA := $(or $(OSMOSMJERKA_DATA_DIR),var)
# It holds what students did, so nobody else on the computer can read it.
DATA_FOLDER := (test -d $(DATA) || mkdir -p -m 700 $(DATA))
PORT ?= 8000
# Not from the environment, in which some shells have the name of the computer.
HOST := 127.0.0.1

STATIC_SOURCES := $(shell find osmosmjerka/static puzzles/static vocab/static -type f 2>/dev/null) \
	osmosmjerka/assets/storage.py osmosmjerka/assets/bundling.py
GENERATORS := $(shell find puzzles/generators -name "*.py")
GATHER := --all --no-obsolete --add-location file \
	$(foreach folder,$(VENV) var tests benchmarks */vendor,--ignore '$(folder)/*')
CATALOGUES := $(patsubst %.po,%.mo,$(wildcard locale/*/LC_MESSAGES/*.po))

# uv needs seconds for what takes pip two minutes. Where it is not, or finds no registry, pip does it.
UV := $(shell command -v uv)
# Its constraints in pyproject.toml have no hashes: they are for `make requirements`.
install = $(if $(UV),$(UV) pip install --quiet --no-config --compile-bytecode --python $(BIN)/python --require-hashes -r $1 ||) \
	$(BIN)/python -m pip install --quiet --require-hashes -r $1

.PHONY: coverage help run setup test test-thorough lint style types sources audit format hooks requirements messages pictures docs library clean
.DEFAULT_GOAL := help

help: ## List the commands
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(firstword $(MAKEFILE_LIST)) | expand -t 22

run: setup ## Set up and serve the demo school; Ctrl-C stops everything
	@$(MANAGE) serve --demo --host $(HOST) --port $(PORT)

setup: $(VENV)/.installed $(CATALOGUES) $(DATA)/static/staticfiles.json $(DATA)/.warmed ## Install packages, compile translations, collect static files

$(VENV)/.installed: requirements.txt
	$(PYTHON) -c 'import sys; sys.exit("Osmosmjerka needs Python 3.11 or newer.") if sys.version_info < (3, 11) else None'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(call install,requirements.txt)
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.installed requirements-dev.txt
	$(call install,requirements-dev.txt)
	@touch $@

%.mo: %.po | $(VENV)/.installed
	$(BIN)/pybabel -q compile -i $< -o $@

$(DATA)/static/staticfiles.json: $(VENV)/.installed $(STATIC_SOURCES)
	$(MANAGE) collectstatic --noinput --clear --verbosity 0
	@$(DATA_FOLDER) && mkdir -p $(@D) && touch $@

# Numba compiles the generators here once, so that nobody has to wait for it later.
$(DATA)/.warmed: $(VENV)/.installed $(GENERATORS)
	$(MANAGE) warm_up
	@$(DATA_FOLDER) && touch $@

# One worker more than there are cores, because many tests wait for a browser or another process.
export PYTEST_XDIST_AUTO_NUM_WORKERS ?= $(shell $(PYTHON) -c 'import os; print((os.cpu_count() or 1) + 1)')

test: setup $(VENV)/.installed-dev ## Run the daily tests; those that need a missing service are reported as skipped
	$(BIN)/python -m pytest -n $(if $(filter-out -%,$(PYTEST)),0,auto) $(PYTEST)

test-thorough: setup $(VENV)/.installed-dev ## Run all tests, random ones with more cases; takes more than an hour
	OSMOSMJERKA_THOROUGH=1 $(BIN)/python -m pytest -n auto -m "not source" --timeout 0 $(PYTEST)

coverage: setup $(VENV)/.installed-dev ## Run all tests and list the lines that no test reaches
	$(BIN)/python -m pytest -n auto -q --cov --cov-report=term $(PYTEST)

lint: style types sources ## Check formatting, code, types, documents and missing migrations

style: $(VENV)/.installed-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/djhtml --tabwidth 2 --check templates
	$(BIN)/oxlint --quiet
	$(MANAGE) makemigrations --check --dry-run
	# Ruff's rules S are most of bandit's, with a reason beside each exception. This looks for what
	# bandit alone knows and finds severe. B703 fails on a mark_safe without arguments.
	$(BIN)/bandit -q -r --severity-level high --skip B703 osmosmjerka vocab puzzles deploy manage.py

types: $(VENV)/.installed-dev
	$(BIN)/mypy

sources: $(VENV)/.installed-dev $(CATALOGUES) $(DATA)/static/staticfiles.json
	$(BIN)/python -m pytest -q -n 0 -m source tests/sources

audit: $(VENV)/.installed-dev ## Compare all packages with known vulnerabilities; says so if it cannot
	@$(BIN)/python .ci/audit

format: $(VENV)/.installed-dev ## Format the code and fix what can be fixed automatically
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIN)/djhtml --tabwidth 2 templates

hooks: $(VENV)/.installed-dev ## Install git hooks that check each commit
	$(BIN)/pre-commit install --hook-type pre-commit --hook-type pre-push

# With the extras, because pip 23.2 otherwise takes `coverage[toml]` for a package without a version as
# soon as coverage has a newer one.
requirements: ## Pin the dependencies in pyproject.toml, with hashes
	$(PYTHON) -m venv $(VENV) && $(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-strip-extras --no-header \
		--no-annotate --no-emit-index-url pyproject.toml -o requirements.txt
	$(BIN)/uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-strip-extras --no-header \
		--no-annotate --no-emit-index-url -c requirements.txt --extra dev pyproject.toml -o requirements-dev.txt

messages: $(VENV)/.installed-dev ## Update the translation catalogues (needs GNU gettext)
	$(MANAGE) makemessages $(GATHER)
	$(MANAGE) makemessages $(GATHER) --domain djangojs

pictures: setup $(VENV)/.installed-dev ## Draw the pictures of puzzles, and take those of the documentation
	$(MANAGE) draw_pictures
	$(BIN)/python -m docs.take_pictures

docs: $(VENV)/.installed-dev ## Build the documentation as a site in var/docs/
	$(BIN)/python -m docs.prepare var/docs-source var/library-source
	$(BIN)/zensical build --clean --strict

library: $(VENV)/.installed-dev ## Build the generators for other programs, as a wheel in dist/
	$(BIN)/python -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir dist ./library

clean: ## Remove installed and compiled files; keeps the data
	rm -rf $(VENV) $(DATA)/static var/docs var/docs-source var/library-source dist .cache .mypy_cache .ruff_cache .pytest_cache
