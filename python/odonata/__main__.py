"""``odonata`` and ``python -m odonata``: the command line."""

from __future__ import annotations

import sys

from odonata.core.lazy import put_off


def main() -> int:
    """Carry out one command.

    Returns
    -------
    int
        Exit code, as in `odonata.cli`; 3 if a signal came while the command was being imported.
    """
    put_off("filelock", "numpy", "numpy.typing", "polars")
    try:
        from odonata import cli  # noqa: PLC0415 - inside, so that a signal has somebody to catch it

        return cli.main()
    except KeyboardInterrupt:  # of the command itself it would have been caught there
        sys.stderr.write("odonata: stopped before the command began.\n")
        return 3
    finally:
        # An interrupt that came inside of `exec` of a text, as dataclasses and named tuples are
        # made, ends Python by the signal although it was caught (seen with CPython 3.11), unless
        # another text is executed.
        exec("")  # noqa: S102


if __name__ == "__main__":
    sys.exit(main())
