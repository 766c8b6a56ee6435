#!/usr/bin/env bash
# Makes the virtual environment, builds the simulator, installs the package. Called by make.
#   tools/setup.sh VENV run   what runs need, and a quick build of the simulator (make demo)
#   tools/setup.sh VENV test  what tests and checks need as well, all built as the Rust tests build it
#   tools/setup.sh VENV dev   the same, and the release build of simulator and preload libraries
set -euo pipefail
cd "$(dirname "$0")/.."
venv=${1:-.venv}
kind=${2:-dev}

fail() {
  printf 'setup: %s\n' "$1" >&2
  exit 1
}

say() {
  printf 'setup: %s\n' "$1"
}

case $kind in
run) profile=quick module="quick build, about 2 min" ;;
test) profile=dev module="build for tests, which shares what cargo test builds, about 3 min without" ;;
dev) profile=release module="release build, about 4 min" ;;
*) fail "what to set up is \`run\`, \`test\` or \`dev\`." ;;
esac
# Where cargo puts what it builds on the profile.
built=${CARGO_TARGET_DIR:-target}/$profile
[ "$profile" != dev ] || built=${CARGO_TARGET_DIR:-target}/debug

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
command -v cc >/dev/null || command -v gcc >/dev/null ||
  fail "a C compiler is missing, and cargo links with it; on Debian: apt-get install gcc libc6-dev."

# --- environment --------------------------------------------------------------------------------
# Modules are compiled when they are first imported: compiling all of them costs more than the rest.
export PIP_QUIET=1 PIP_DISABLE_PIP_VERSION_CHECK=1
if ! "$venv/bin/python" -c 'import pip' 2>/dev/null; then
  say "making the environment $venv, a few seconds"
  rm -rf "$venv"
  "$python" -m venv "$venv"
fi
# A file of notes beside each set, so that what is there already is not asked for again.
packages=$([ "$kind" = run ] && echo run || echo dev)
noted=$venv/.requirements-$packages
wanted=(tools/requirements-run.txt)
[ "$kind" = run ] || wanted+=(tools/requirements-dev.txt)
if ! cat "${wanted[@]}" | cmp -s - "$noted"; then
  say "installing $(cat "${wanted[@]}" | grep -c ==) Python packages, half a minute"
  "$venv/bin/python" -m pip install --no-compile -r "tools/requirements-$packages.txt"
  cat "${wanted[@]}" >"$noted"
fi
# What builds the module is no part of the environment.
tools=${CARGO_TARGET_DIR:-target}/tools
if ! cmp -s tools/requirements-build.txt "$tools/.requirements"; then
  rm -rf "$tools"
  "$venv/bin/python" -m pip install --no-compile --target "$tools" -r tools/requirements-build.txt
  cp tools/requirements-build.txt "$tools/.requirements"
fi

# --- simulator and package ----------------------------------------------------------------------
say "building the simulator ($module)"
develop() {
  VIRTUAL_ENV=$(cd "$venv" && pwd) "$tools/bin/maturin" develop --quiet "$@" >"$tools/log" 2>&1 ||
    { cat "$tools/log" >&2; fail "the simulator could not be built."; }
}
case $kind in
# What cargo notes to build it again soon would be in vain.
run) CARGO_INCREMENTAL=0 develop --profile quick ;;
test) develop --profile dev ;;
dev) develop --release ;;
esac

# --- preload libraries: beside the package, where `odonata preload path` finds them ----------
# A process may have the old one loaded: a new file takes its name. libfabric takes a file as a
# provider only if its name ends with -fi.so, which cargo cannot give.
install_library() {
  cp "$built/$1" "python/odonata/$2.new"
  strip --strip-debug "python/odonata/$2.new" 2>/dev/null || true
  mv "python/odonata/$2.new" "python/odonata/$2"
}
if [ "$kind" != run ]; then
  say "building the preload libraries ($profile), half a minute"
  cargo build --profile "$profile" --quiet -p odonata-aries-preload -p odonata-fi-hook
  install_library libodonata_aries.so libodonata_aries.so
  install_library libodonata_fi.so libodonata-fi.so
fi

"$venv/bin/odonata" --version

# --- what some tests would use ------------------------------------------------------------------
# Nothing is installed outside of this folder: what is missing is named, with what it is for.
[ "$kind" != run ] || exit 0
command -v valgrind >/dev/null ||
  say "without valgrind, make bench counts no instructions and one test is skipped (Debian: valgrind)."
ldconfig -p 2>/dev/null | grep -q 'libsde\.so\.1' && ldconfig -p | grep -q 'libpapi\.so\.7\.0' ||
  say "without PAPI, one test of the preload library is skipped (Debian: libpapi7.0 libsde1)."
[ -e /usr/include/rdma/fabric.h ] ||
  say "without libfabric, tests of the preload library for Slingshot are skipped (Debian:" \
    "libfabric-dev libfabric-bin)."
