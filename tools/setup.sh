#!/usr/bin/env bash
# Makes the virtual environment, builds the simulator, installs the package. Called by make.
set -euo pipefail
cd "$(dirname "$0")/.."
venv=${1:-.venv}

fail() {
  printf 'setup: %s\n' "$1" >&2
  exit 1
}

# --- what must be there -------------------------------------------------------------------------
command -v cargo >/dev/null ||
  fail "cargo is missing; install Rust from https://rustup.rs and open a new shell."
python=""
for candidate in python3 python3.14 python3.13 python3.12 python3.11; do
  if command -v "$candidate" >/dev/null &&
    "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    python=$candidate
    break
  fi
done
[ -n "$python" ] || fail "Python 3.11 or newer is missing; on Debian: apt-get install python3 python3-venv."
"$python" -c 'import venv, ensurepip' 2>/dev/null ||
  fail "Python's venv module is missing; on Debian: apt-get install python3-venv."

# Nothing is installed outside of this folder: what is missing is named, with what it is for.
command -v cc >/dev/null || command -v gcc >/dev/null ||
  fail "a C compiler is missing, and cargo links with it; on Debian: apt-get install gcc libc6-dev."
command -v valgrind >/dev/null ||
  echo "setup: valgrind is missing; only 'make bench', to count instructions, and one test need it. Going on" \
    "without it; on Debian: apt-get install valgrind."
ldconfig -p 2>/dev/null | grep -q 'libsde\.so\.1' && ldconfig -p | grep -q 'libpapi\.so\.7\.0' ||
  echo "setup: PAPI is missing; only one test of the preload library needs it. Going on without" \
    "it; on Debian: apt-get install libpapi7.0 libsde1."

[ -e /usr/include/rdma/fabric.h ] ||
  echo "setup: libfabric is missing; only tests of the preload library for Slingshot need it. Going on" \
    "without it; on Debian: apt-get install libfabric-dev libfabric-bin, and for programs of MPI" \
    "libopenmpi-dev openmpi-bin mpich libmpich-dev."

# --- environment --------------------------------------------------------------------------------
if ! "$venv/bin/python" -c 'import pip' 2>/dev/null; then
  rm -rf "$venv"
  "$python" -m venv "$venv"
fi
requirements=$venv/.requirements
if ! cmp -s tools/requirements-dev.txt "$requirements"; then
  echo "setup: installing Python packages"
  "$venv/bin/python" -m pip install --quiet --disable-pip-version-check \
    -r tools/requirements-dev.txt
  cp tools/requirements-dev.txt "$requirements"
fi

# --- simulator and package ----------------------------------------------------------------------
echo "setup: building the simulator (release)"
PIP_QUIET=1 PIP_DISABLE_PIP_VERSION_CHECK=1 VIRTUAL_ENV=$(cd "$venv" && pwd) \
  "$venv/bin/maturin" develop --release --quiet

# --- preload libraries: beside the package, where `odonata preload path` finds them ----------
echo "setup: building the preload libraries (release)"
cargo build --release --quiet -p odonata-aries-preload -p odonata-fi-hook
# A process may have the old one loaded: a new file takes its name. libfabric takes a file as a
# provider only if its name ends with -fi.so, which cargo cannot give.
install_library() {
  cp "${CARGO_TARGET_DIR:-target}/release/$1" "python/odonata/$2.new"
  strip --strip-debug "python/odonata/$2.new" 2>/dev/null || true
  mv "python/odonata/$2.new" "python/odonata/$2"
}
install_library libodonata_aries.so libodonata_aries.so
install_library libodonata_fi.so libodonata-fi.so

"$venv/bin/odonata" --version
