#!/usr/bin/env bash
# Builds what a release consists of, into dist/: wheels, source archive, bill of materials, the
# harness as one file, checksums.
#
#   tools/release.sh [TARGET...]        # default: x86_64-unknown-linux-gnu aarch64-unknown-linux-gnu
#
# Needs cargo and Python; zig, maturin and cargo-zigbuild are taken from PyPI into an environment of
# their own. zig links against an old C library (manylinux2014, glibc 2.17), whatever this machine has.
# RELEASE_PROFILE=quick builds faster, slower code, to try the script. Nothing is uploaded.
set -euo pipefail
cd "$(dirname "$0")/.."
profile=${RELEASE_PROFILE:-release}
glibc=2.17
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=(x86_64-unknown-linux-gnu aarch64-unknown-linux-gnu)

fail() {
  printf 'release: %s\n' "$1" >&2
  exit 1
}

# --- what must be true ----------------------------------------------------------------------------
command -v cargo >/dev/null || fail "cargo is missing; install Rust from https://rustup.rs."
[ -z "$(git status --porcelain)" ] || [ -n "${RELEASE_DIRTY:-}" ] ||
  fail "the tree has changes; commit them, or set RELEASE_DIRTY=1 to try."
version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' Cargo.toml)
grep -q "^## $version" CHANGELOG.md || fail "CHANGELOG.md has no section ## $version."
head_version=$(git describe --tags --exact-match 2>/dev/null || true)
[ "$head_version" = "v$version" ] ||
  echo "release: this commit has no tag v$version; going on, to try." >&2

# --- tools ------------------------------------------------------------------------------------------
venv=.venv-release
if ! cmp -s tools/requirements-release.txt "$venv/.requirements"; then
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check -r tools/requirements-release.txt
  cp tools/requirements-release.txt "$venv/.requirements"
fi
PATH=$PWD/$venv/bin:$PATH
export PATH

# --- a copy of the tree, so that nothing of this one is inside or changed ---------------------------
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
git ls-files -z --cached --others --exclude-standard | tar --null -T - -cf - | tar -xf - -C "$stage"
rm -f "$stage/.gitignore" # libraries that are built into the copy must not be passed over
rm -rf dist
mkdir -p dist
dist=$PWD/dist
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target}

# --- source archive ---------------------------------------------------------------------------------
(cd "$stage" && maturin sdist --out "$dist" 2>"$stage/sdist.log") ||
  { cat "$stage/sdist.log" >&2; fail "the source archive could not be written."; }

# --- wheels: preload libraries first, beside the package, then the module -----------------------------
for target in "${targets[@]}"; do
  if command -v rustup >/dev/null; then
    rustup target add "$target" >/dev/null 2>&1 || fail "rustup has no target $target."
  fi
  echo "release: $target"
  rm -f "$stage"/python/odonata/*.so
  (cd "$stage" && cargo zigbuild --quiet --profile "$profile" --target "$target.$glibc" \
    -p odonata-aries-preload -p odonata-fi-hook)
  built=$CARGO_TARGET_DIR/$target/$profile
  cp "$built/libodonata_aries.so" "$stage/python/odonata/"
  # libfabric takes a file as a provider only if its name ends with -fi.so.
  cp "$built/libodonata_fi.so" "$stage/python/odonata/libodonata-fi.so"
  (cd "$stage" && maturin build --quiet --profile "$profile" --zig --target "$target" \
    --compatibility manylinux2014 --out "$dist")
done

# --- what the module is made of: the bill of materials that maturin puts into the wheels -----------------
python3 - "$dist" "$version" <<'PYTHON'
import sys
import zipfile
from pathlib import Path

dist, version = Path(sys.argv[1]), sys.argv[2]
with zipfile.ZipFile(next(dist.glob("*.whl"))) as wheel:
    (name,) = (one for one in wheel.namelist() if "/sboms/" in one)
    (dist / f"odonata-{version}.cdx.json").write_bytes(wheel.read(name))
PYTHON

# --- the harness for real machines, as one file -------------------------------------------------------
python3 - "$stage/python/odonata" "$dist/odonata-measure.pyz" <<'PYTHON'
import runpy
import sys
from pathlib import Path

sources, target = map(Path, sys.argv[1:])
runpy.run_path(str(sources / "measured" / "measure" / "bundle.py"))["write"](target, sources=sources)
PYTHON

# --- what was built -----------------------------------------------------------------------------------
(cd dist && sha256sum -- * >SHA256SUMS && cat SHA256SUMS)
