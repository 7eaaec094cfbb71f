# Everything starts here. `make demo` and `make test` need only Python 3.11+ and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
EXTRAS ?= dev

.PHONY: demo test verify bench lint clean

$(VENV)/.installed-%: pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[$*]"
	@touch $@

demo: $(VENV)/.installed-all
	@$(BIN)/carpal show sawyer --out out/demo
	@echo "Picture and table: out/demo"

test: $(VENV)/.installed-dev
	@$(BIN)/python -m pytest -n 2 --dist worksteal -m "not full"

verify: $(VENV)/.installed-dev
	@mkdir -p out && rm -f out/figures.jsonl
	@CARPAL_FIGURES=out/figures.jsonl $(BIN)/python -m pytest -n 2 --dist worksteal
	@$(BIN)/python tests/write_evidence.py out/figures.jsonl docs/evidence/verify.md

bench: $(VENV)/.installed-dev $(VENV)/.installed-peers
	@$(BIN)/python benchmarks/spine.py
	@$(BIN)/python benchmarks/startup.py

lint: $(VENV)/.installed-dev
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

clean:
	@rm -rf $(VENV) out build *.egg-info
