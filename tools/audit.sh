#!/usr/bin/env bash
# Licences and known weaknesses of what Odonata depends on, for `make lint`.
#
# Each check that cannot be made here is said in a line; a check that fails fails this script.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf 'audit: %s\n' "$1" >&2; }

if command -v cargo-deny >/dev/null; then
  cargo deny --log-level error check licenses bans sources
  if timeout 60 cargo deny fetch db >/dev/null 2>&1; then
    cargo deny --log-level error check --disable-fetch advisories
  else
    say "the advisories of crates cannot be reached; they were not compared."
  fi
else
  say "no cargo-deny (cargo install --locked cargo-deny); crates were not looked at."
fi

if command -v pip-audit >/dev/null; then
  # It ends with 1 both for a finding and without a network; a finding has a report.
  report=$(mktemp)
  trap 'rm -f "$report"' EXIT
  timeout 120 pip-audit --disable-pip --no-deps --requirement tools/requirements-run.txt \
    --format json --output "$report" >/dev/null 2>&1 && found=0 || found=$?
  # An index without advisories answers, too: each package is then skipped, and counts as sound.
  skipped=$(grep -o '"skip_reason"' "$report" | wc -l)
  if [ ! -s "$report" ]; then
    say "the advisories of PyPI cannot be reached; Python packages were not compared."
  elif [ "$found" != 0 ]; then
    cat "$report" >&2
    exit 1
  elif [ "$skipped" != 0 ]; then
    say "this package index has no advisories of $skipped packages; they were not compared."
  fi
else
  say "no pip-audit (pip install pip-audit); Python packages were not looked at."
fi

if command -v reuse >/dev/null; then
  reuse lint --quiet || reuse lint
else
  say "no reuse (pip install reuse); licences of files were not looked at."
fi
