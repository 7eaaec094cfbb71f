# Everything starts here. `make demo` and `make test` need only Python 3.11+ and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
EXTRAS ?= dev

.PHONY: demo test verify bench mutate audit docs wheel lint clean chromium

$(VENV)/.installed-%: pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[$*]"
	@touch $@

demo: $(VENV)/.installed-all
	@$(BIN)/carpal catch --out out/demo/catch
	@echo "Open out/demo/catch/report.html in a browser."

# the studio's tests look at its pages in Debian's Chromium
chromium:
	@command -v chromium >/dev/null 2>&1 || { \
	  command -v apt-get >/dev/null 2>&1 || { echo "the browser tests need a program named 'chromium' on the PATH; install it and run make test again" >&2; exit 2; }; \
	  SUDO=$$([ "$$(id -u)" = 0 ] || echo sudo); \
	  echo "installing chromium by apt-get (for the browser tests) ..."; \
	  $$SUDO apt-get update -qq && $$SUDO env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium >/dev/null; }

test: $(VENV)/.installed-dev chromium
	@$(BIN)/python -m pytest -n 2 --dist loadgroup -m "not full" --durations=25 --durations-min=5

verify: $(VENV)/.installed-dev chromium
	@mkdir -p out && rm -f out/figures.jsonl
	@CARPAL_FIGURES=out/figures.jsonl CARPAL_ROBOT_FILES=out/robot_files.jsonl $(BIN)/python -m pytest -n 2 --dist loadgroup
	@$(BIN)/python tests/write_evidence.py out/figures.jsonl docs/evidence/verify.md
	@$(BIN)/python tests/write_robot_files.py out/robot_files.jsonl docs/evidence/18_robot_files.md

bench: $(VENV)/.installed-dev $(VENV)/.installed-peers
	@$(BIN)/python benchmarks/spine.py
	@$(BIN)/python benchmarks/inverse.py
	@$(BIN)/python benchmarks/closed_forms.py
	@$(BIN)/python benchmarks/composed_ik.py
	@$(BIN)/python benchmarks/collisions.py
	@$(BIN)/python benchmarks/penalty.py
	@$(BIN)/python benchmarks/catch_grid.py
	@$(BIN)/python benchmarks/modal.py
	@$(BIN)/python benchmarks/many_bodies.py
	@$(BIN)/python benchmarks/retiming.py
	@$(BIN)/python benchmarks/planners.py
	@$(BIN)/python benchmarks/payload_plans.py
	@$(BIN)/python benchmarks/startup.py

# breaks of the code that the tests must catch; random ones: make mutate BREAKS='--random 50 --seed 3'
mutate: $(VENV)/.installed-dev
	@$(BIN)/python tests/mutate.py $(BREAKS)

# bad calls of every public callable, and files with a flipped bit
audit: $(VENV)/.installed-dev
	@mkdir -p out
	@$(BIN)/python tests/audit/bad_calls.py --calls 20000 --out out/bad_calls.json
	@$(BIN)/python tests/audit/flipped_bits.py --files 1000 --out out/flipped_bits.json

# the documentation as a site, without a network: out/site/index.html
docs: $(VENV)/.installed-docs
	@$(BIN)/python -m mkdocs build --strict --quiet
	@echo "Open out/site/index.html in a browser."

# wheel and source distribution in out/dist
wheel: $(VENV)/.installed-build
	@$(BIN)/python -m build --outdir out/dist .

lint: $(VENV)/.installed-dev
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

clean:
	@rm -rf $(VENV) out build *.egg-info
