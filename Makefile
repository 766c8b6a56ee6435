# make setup | demo | test | test-long | lint | bench | docs | numbers | docs-site | clean. Each sets up what it needs.

VENV := .venv
PYTHON := $(VENV)/bin/python
STAMP := $(VENV)/.odonata-installed
DEMO_STAMP := $(VENV)/.odonata-demo
TEST_STAMP := $(VENV)/.odonata-tested
RUST_SOURCES := $(shell find crates -name '*.rs' -o -name Cargo.toml) Cargo.toml Cargo.lock
SETUP := pyproject.toml tools/setup.sh tools/requirements-run.txt tools/requirements-build.txt

.PHONY: setup demo test test-rust test-python test-long lint lint-rust lint-python lint-audit bench clean

setup: $(STAMP)

# The environment is made once; the simulator is built again when a Rust source has changed;
# Python sources are used in place. There is one compiled module, and a stamp for whatever it is
# good enough for: what setup makes is enough for the demo, what the others make only for themselves.
$(STAMP): $(RUST_SOURCES) $(SETUP) tools/requirements-dev.txt
	@tools/setup.sh $(VENV) dev
	@rm -f $(TEST_STAMP)
	@touch $(DEMO_STAMP) $@

# Only what runs need and a quick build, so that the first picture comes soon.
$(DEMO_STAMP): $(RUST_SOURCES) $(SETUP)
	@tools/setup.sh $(VENV) run
	@rm -f $(TEST_STAMP) $(STAMP)
	@touch $@

# Tests run on a module of their own profile: all but its last crate is built for the Rust tests
# anyway, it is as quick as the quick one, and simulations from Python check every assertion, too.
$(TEST_STAMP): $(RUST_SOURCES) $(SETUP) tools/requirements-dev.txt
	@tools/setup.sh $(VENV) test
	@rm -f $(DEMO_STAMP) $(STAMP)
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

test-python: $(TEST_STAMP)
	$(PYTHON) -m pytest --numprocesses=logical --maxprocesses=8 --dist=worksteal
	@echo "test: the module is the one of the tests now; \`make setup\` puts the release build back"

# Before a release: everything, at full length. tests/README.md lists what is added, and how long.
test-long: export ODONATA_LONG := 1
test-long: test

lint: lint-rust lint-python lint-audit

lint-rust:
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --quiet -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --document-private-items --quiet

lint-python: $(TEST_STAMP)
	$(VENV)/bin/ruff check
	$(VENV)/bin/ruff format --check
	$(PYTHON) -m mypy
	$(VENV)/bin/lint-imports --config pyproject.toml

# Licences and known weaknesses of what is depended on.
lint-audit:
	tools/audit.sh

bench: setup
	$(VENV)/bin/odonata bench
	@if [ -x benches/run.sh ]; then benches/run.sh; fi

clean:
	rm -rf $(VENV) target out

# Pages, schema and stubs that are made from the registry, and the tables of speed.
.PHONY: docs
docs: setup
	$(PYTHON) tools/registry_pages.py
	$(PYTHON) tools/stubs.py
	$(PYTHON) benches/page.py

# Numbers and pictures that pages state, by the commands that stand on them: tools/page_facts.py.
.PHONY: numbers
numbers: setup
	$(PYTHON) tools/page_facts.py

# The documentation site, out/site/index.html: pages of docs/, Python pages from docstrings, and the
# pictures of the gallery if they were made: `make gallery docs-site`.
.PHONY: docs-site gallery
SITE_VENV := .venv-site
docs-site: $(SITE_VENV)/.installed
	$(SITE_VENV)/bin/python tools/site.py

$(SITE_VENV)/.installed: tools/requirements-site.txt
	python3 -m venv $(SITE_VENV)
	$(SITE_VENV)/bin/pip install --quiet --disable-pip-version-check -r tools/requirements-site.txt
	@touch $@

gallery: $(DEMO_STAMP)
	$(PYTHON) tools/gallery.py
