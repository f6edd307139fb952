# `make demo` and `make test` each work alone on a machine with Python 3.11 (or newer) and make:
# they create the virtual environment .venv and install into it. Stamps in .venv record what is installed.

VENV := .venv
BIN := $(VENV)/bin
JOBS ?= 2
GRADIENT_PROGRAMS ?= 2000
DEVICE_SEEDS ?= 100
EXAMPLE := examples/newton
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
TF_OPTION := $(if $(TF_PYTHON),--tf-python $(TF_PYTHON))
DCF_PASSES := inline-calls,convert-stablehlo-to-dcf,fold-scalar-constants,forward-invariant-carries,remove-unused-carries,remove-dead-code,name-frames

# The first of these that runs and is new enough; `make PYTHON=/path/to/python ...` overrides it.
PYTHON ?= $(shell for p in python3 python3.11 python3.12 python3.13 python3.14; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$p; exit; }; done)

.PHONY: help demo test lint lit pytest types fmt nightly bench examples clean

help:
	@echo "make demo     run the shipped example through every level"
	@echo "make test     install what the tests need and run them all"
	@echo "make lint     ruff: style and imports        make types  basedpyright, strict"
	@echo "make lit      the lit tests alone            make pytest the Python tests alone"
	@echo "make bench    time compiling and running     make fmt    let ruff rewrite the code"
	@echo "make examples print the examples from JAX again"
	@echo "make nightly  derivatives of 2,000 random programs; examples split over devices in 100 ways"
	@echo "make clean    remove .venv and everything built"

$(VENV)/.made:
	@test -n "$(PYTHON)" || { echo "error: no Python 3.11 or newer found; say 'make PYTHON=/path/to/python'" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "error: expected Python 3.11 or newer, got $$($(PYTHON) --version)" >&2; exit 1; }
	rm -rf $(VENV)
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.core: $(VENV)/.made pyproject.toml
	$(PIP) --editable .
	@touch $@

$(VENV)/.dev: $(VENV)/.made pyproject.toml
	$(PIP) --editable ".[dev,jax]"
	@touch $(VENV)/.core $@

demo: $(VENV)/.core
	@echo; echo "# The source: what JAX printed for Newton's iteration until a tolerance ($(EXAMPLE).mlir)"
	@cat $(EXAMPLE).mlir
	@echo; echo "# The structured level: anabranch-opt $(EXAMPLE).mlir -p $(DCF_PASSES)"
	@$(BIN)/anabranch-opt $(EXAMPLE).mlir -p $(DCF_PASSES)
	@echo; echo "# The dataflow level: anabranch-opt $(EXAMPLE).mlir -p dcf-to-dfg-pipeline"
	@$(BIN)/anabranch-opt $(EXAMPLE).mlir -p dcf-to-dfg-pipeline
	@echo; echo "# The run: anabranch-run $(EXAMPLE).mlir --inputs $(EXAMPLE).npz --stats"
	@$(BIN)/anabranch-run $(EXAMPLE).mlir --inputs $(EXAMPLE).npz --stats

test: lint lit pytest

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

lit: $(VENV)/.dev
	$(BIN)/lit -sv --no-progress-bar --workers $(JOBS) test/lit

pytest: $(VENV)/.dev
	$(BIN)/python -m pytest -n $(JOBS)

# Prints what to run to have the same programs again.
nightly: $(VENV)/.dev
	@seed=$${GRADIENT_SEED:-$$(date +%s)}; \
	  echo "make nightly GRADIENT_SEED=$$seed GRADIENT_PROGRAMS=$(GRADIENT_PROGRAMS)"; \
	  GRADIENT_SEED=$$seed GRADIENT_PROGRAMS=$(GRADIENT_PROGRAMS) \
	  $(BIN)/python -m pytest -n $(JOBS) test/property/test_gradients.py
	$(BIN)/python test/conformance/random_devices.py --seeds $(DEVICE_SEEDS)
	$(BIN)/python test/conformance/random_devices.py --seeds $(DEVICE_SEEDS) --grad

types: $(VENV)/.dev
	$(BIN)/basedpyright --pythonpath $(BIN)/python

fmt: $(VENV)/.dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# With TF_PYTHON=/path/to/a/python/that/has/tensorflow, TensorFlow takes part.
bench: $(VENV)/.dev
	$(BIN)/python bench/loop.py $(TF_OPTION)
	$(BIN)/python bench/compile.py
	$(BIN)/python bench/gradient.py $(TF_OPTION)
	$(BIN)/python bench/kernels.py
	$(BIN)/python bench/devices.py $(TF_OPTION)
	$(BIN)/python bench/swap.py

examples: $(VENV)/.dev
	$(BIN)/python examples/generate.py

clean:
	rm -rf $(VENV) build dist .pytest_cache .ruff_cache .hypothesis src/*.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
