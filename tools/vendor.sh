#!/usr/bin/env bash
# Makes a source archive with all crates inside, for machines that build without a network.
#
#   tools/vendor.sh dist/odonata-0.3.0.tar.gz       # writes dist/odonata-0.3.0-vendored.tar.gz
#
# cargo finds the crates through .cargo/config.toml inside of the archive.
set -euo pipefail
[ $# -eq 1 ] && [ -f "$1" ] || {
  echo "vendor: name a source archive that tools/release.sh has made." >&2
  exit 2
}
archive=$(realpath "$1")
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
tar -xzf "$archive" -C "$stage"
folder=$(ls "$stage")
(
  cd "$stage/$folder"
  mkdir -p .cargo
  cargo vendor --quiet --locked vendor >.cargo/config.toml
)
target=${archive%.tar.gz}-vendored.tar.gz
tar -C "$stage" --sort=name --mtime=@0 --owner=0 --group=0 -czf "$target" "$folder"
echo "$target"
