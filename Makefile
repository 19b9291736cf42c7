# Every target sets itself up in .venv; nothing needs to be installed by hand.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check

.PHONY: demo test check bench docs clean

demo: $(VENV)/.core          ## evaluate a small RAG system over Python's own documentation
	@$(BIN)/ragvet demo; code=$$?; if [ $$code -le 1 ]; then exit 0; else exit $$code; fi

test: $(VENV)/.check         ## every test, in random order, warnings as errors
	@$(BIN)/python -m pytest -n 2 --dist worksteal $(ARGS)

check: $(VENV)/.check        ## lint, types, floors, dead dependencies
	$(BIN)/ruff check . && $(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/deptry .
	$(BIN)/basedpyright

bench: $(VENV)/.check        ## speed against the peers, as ratios from one run
	@$(BIN)/python -m benchmarks $(ARGS)

docs: $(VENV)/.docs          ## the documentation site, into docs/_build
	$(BIN)/python -m sphinx -W -b html docs docs/_build

clean:
	rm -rf $(VENV) .ragvet docs/_build build dist

$(VENV)/.venv: scripts/make_venv.sh
	@sh scripts/make_venv.sh "$(PYTHON)" "$(VENV)"
	@touch $@

$(VENV)/.core: $(VENV)/.venv pyproject.toml constraints.txt
	@echo "Installing ragvet into $(VENV) ..."
	@$(PIP) install --quiet --constraint constraints.txt --editable .
	@touch $@

$(VENV)/.check: $(VENV)/.core
	@echo "Installing the test and check tools into $(VENV) ..."
	@$(PIP) install --quiet --constraint constraints.txt --group check
	@touch $@

$(VENV)/.docs: $(VENV)/.check
	@$(PIP) install --quiet --constraint constraints.txt --group docs
	@touch $@
