"""How much a test does: in every run, or in the long one, `make test-long`.

What runs there only is marked ``@pytest.mark.long``; a test that does more there asks ``longer``.
tests/README.md lists both, and ``test_lengths.py`` compares the list with the tests.
"""

from __future__ import annotations

import os

IS_LONG = os.environ.get("ODONATA_LONG") == "1"


def longer(usual, long):
    """One of the two: what is done in every run, and what in the long one."""
    return long if IS_LONG else usual
