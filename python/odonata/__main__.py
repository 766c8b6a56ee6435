"""``odonata`` and ``python -m odonata``: the command line."""

from __future__ import annotations

import sys


def main() -> int:
    """Carry out one command.

    Returns
    -------
    int
        Exit code, as in `odonata.cli`; 3 if a signal came while the commands were being imported,
        which takes about a second.
    """
    try:
        from odonata import cli  # noqa: PLC0415 - inside, so that a signal has somebody to catch it
    except KeyboardInterrupt:
        sys.stderr.write("odonata: stopped before the command began.\n")
        return 3
    return cli.main()


if __name__ == "__main__":
    sys.exit(main())
