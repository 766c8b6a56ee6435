# make setup | demo | test | lint | bench | docs | docs-site | clean. Each sets up what it needs.

VENV := .venv
PYTHON := $(VENV)/bin/python
STAMP := $(VENV)/.odonata-installed
DEMO_STAMP := $(VENV)/.odonata-demo
RUST_SOURCES := $(shell find crates -name '*.rs' -o -name Cargo.toml) Cargo.toml Cargo.lock
SETUP := pyproject.toml tools/setup.sh tools/requirements-run.txt tools/requirements-build.txt

.PHONY: setup demo test test-rust test-python lint lint-rust lint-python bench clean

setup: $(STAMP)

# The environment is made once; the simulator is built again when a Rust source has changed;
# Python sources are used in place. What setup makes is enough for the demo.
$(STAMP): $(RUST_SOURCES) $(SETUP) tools/requirements-dev.txt
	@tools/setup.sh $(VENV) dev
	@touch $(DEMO_STAMP) $@

# Only what runs need and a quick build, so that the first picture comes soon.
$(DEMO_STAMP): $(RUST_SOURCES) $(SETUP)
	@tools/setup.sh $(VENV) run
	@touch $@

demo: $(DEMO_STAMP)
	@echo "demo: six runs, FFT3D alone and beside Halo3D under three routings, about 20 s"
	@$(VENV)/bin/odonata run scenarios/demo.toml --out out/demo --overwrite
	@echo "demo: the report with its pictures, about 15 s"
	@$(VENV)/bin/odonata report out/demo
	@echo "demo: who delayed whom under par, on a map of the network, a second"
	@$(VENV)/bin/odonata view out/demo/runs/algorithm=par --out out/demo/view.html
	@test -e $(STAMP) -a ! $(DEMO_STAMP) -nt $(STAMP) || echo "demo: this was a quick build; \`make setup\` makes the one" \
	  "for longer runs, a sixth faster, and installs what tests need"

# With `make --jobs=2` the parts go side by side.
test: test-rust test-python

test-rust:
	cargo test --workspace --quiet

test-python: setup
	$(PYTHON) -m pytest --numprocesses=logical --maxprocesses=8 --dist=worksteal

lint: lint-rust lint-python

lint-rust:
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --quiet -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --document-private-items --quiet

lint-python: setup
	$(VENV)/bin/ruff check
	$(VENV)/bin/ruff format --check
	$(PYTHON) -m mypy
	$(VENV)/bin/lint-imports --config pyproject.toml

bench: setup
	$(VENV)/bin/odonata bench
	@if [ -x benches/run.sh ]; then benches/run.sh; fi

clean:
	rm -rf $(VENV) target out

# Pages and schema that are made from the registry.
.PHONY: docs
docs: setup
	$(PYTHON) -m odonata.scenario.page > docs/registry.md
	$(PYTHON) -m odonata.scenario.schema > scenario.schema.json
	$(PYTHON) -m odonata.scenario.workload_pages docs/workloads
	$(PYTHON) -m odonata.scenario.counter_page docs/model/counters.md
	$(PYTHON) -m odonata.scenario.build.stubs
	$(PYTHON) -m odonata.scenario.build.page > docs/build.md

# The documentation site, out/site/index.html: pages of docs/, Python pages from docstrings, pictures.
.PHONY: docs-site gallery
SITE_VENV := .venv-site
docs-site: gallery $(SITE_VENV)/.installed
	$(SITE_VENV)/bin/python tools/site.py

$(SITE_VENV)/.installed: tools/requirements-site.txt
	python3 -m venv $(SITE_VENV)
	$(SITE_VENV)/bin/pip install --quiet --disable-pip-version-check -r tools/requirements-site.txt
	@touch $@

gallery: setup
	$(PYTHON) tools/gallery.py
