# Foundry: the few verbs of this repository. `make demo` and `make test` need Python 3.11+ only.
# `make demo VERBOSE=1` shows all that the commands of the demo say.

PYTHON ?= python3
BIN := .venv/bin
DEMO ?= demo
VERBOSE ?=
READY := .venv/.ready

# Without bytecode every test process would compile the libraries again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test lint docs bench lock wheel sbom audit clean

demo: $(READY)
	@sh examples/demo.sh $(if $(VERBOSE),-v) $(BIN)/foundry $(DEMO)

test: $(READY) lint
	$(BIN)/python -m pytest -n auto --dist worksteal

lint: $(READY)
	$(BIN)/ruff format --check src tests bench examples docs
	$(BIN)/ruff check src tests bench examples docs
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

docs: $(READY)
	$(BIN)/python docs/generate.py

bench: $(READY)
	$(BIN)/python -m bench

# One file that installs Foundry without its checkout: dist/foundry_rag-*.whl.
wheel: $(READY)
	$(BIN)/python -m hatchling build -t wheel

# What .venv holds: a software bill of materials (CycloneDX) and the licence of each package.
sbom: $(READY)
	mkdir -p dist
	$(BIN)/cyclonedx-py environment --pyproject pyproject.toml --output-reproducible \
		-o dist/sbom.cdx.json $(BIN)/python
	$(BIN)/pip-licenses --python $(BIN)/python --from=mixed --with-urls --order=license \
		--format=markdown --output-file=dist/licences.md

# Known faults in the locked packages, from the package index; fails if there is one.
audit: $(READY)
	$(BIN)/python .ci/audit.py --strict

# Resolves all dependencies and writes the lock with hashes, for all platforms. What the extras ocr and
# lancedb add has locks of its own: 210 MB, most of it OpenCV, and 350 MB.
COMPILE := uv pip compile --quiet --universal --generate-hashes --no-emit-index-url \
	--no-header --python-version 3.11 pyproject.toml
lock: $(READY)
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/$(COMPILE) --extra dev --extra eval --extra export --extra mcp --extra models --extra onnx --extra otel --extra postgres --extra ray --extra sso --extra web -o requirements.lock
	$(BIN)/$(COMPILE) --extra ocr -c requirements.lock -o requirements-ocr.lock
	$(BIN)/$(COMPILE) --extra lancedb -c requirements.lock -o requirements-lancedb.lock

clean:
	rm -rf .venv $(DEMO)

$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Foundry needs Python 3.11 or newer: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@echo "Making the environment .venv from requirements.lock (a few minutes the first time) ..."
	@$(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $(READY)
