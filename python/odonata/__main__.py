"""``python -m odonata``: the command line."""

from __future__ import annotations

import sys

from odonata.cli import main

if __name__ == "__main__":
    sys.exit(main())
