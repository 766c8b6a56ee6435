#!/bin/sh
# Instructions per packet-hop against the committed baseline; run by `make bench`.
exec python3 "$(dirname "$0")/instructions.py" "$@"
