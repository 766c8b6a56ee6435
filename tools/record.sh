#!/bin/sh
# Records an MPI program with what Debian packages, and makes a trace that Odonata replays.
#
#   tools/record.sh RANKS TARGET.npz PROGRAM [ARGUMENT...]
#
# The program must be linked with Open MPI (Debian: openmpi-bin, eztrace). See docs/recording.md.
set -eu

fail() {
    echo "record: $*" >&2
    exit 2
}

[ $# -ge 3 ] || fail "say: tools/record.sh RANKS TARGET.npz PROGRAM [ARGUMENT...]"
ranks=$1 target=$2
shift 2
case $ranks in '' | *[!0-9]* | 0*) fail "'$ranks' is not a number of ranks" ;; esac
case $target in *.npz) ;; *) fail "'$target' is not a file *.npz; name it so" ;; esac
for tool in mpirun eztrace; do
    command -v "$tool" >/dev/null ||
        fail "$tool is not installed; on Debian: apt install openmpi-bin eztrace"
done
odonata=$(dirname "$0")/../.venv/bin/odonata
[ -x "$odonata" ] || odonata=$(command -v odonata) || fail "no odonata found; run make setup"

echo "record: EZTrace does not record MPI_Sendrecv, MPI_Exscan, MPI_Reduce_scatter_block, or sizes of" \
    "MPI_Scan and one-sided calls; if the program needs them, record OTF2 with Score-P" \
    "(docs/recording.md)" >&2

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# As many ranks as asked for on however few cores; waiting ranks leave the core to others.
options="--oversubscribe --mca mpi_yield_when_idle 1"
[ "$(id -u)" -ne 0 ] || options="$options --allow-run-as-root"

# shellcheck disable=SC2086 # several options
mpirun $options -np "$ranks" eztrace -t openmpi -o "$work/trace" "$@" >&2 ||
    fail "the program ended with an error; nothing is written"
[ -n "$(find "$work" -name '*.otf2')" ] ||
    fail "no trace was written; is the program linked with Open MPI?"
"$odonata" trace convert "$work/trace" "$target"
"$odonata" trace check "$target"
