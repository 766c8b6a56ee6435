"""Tables of runs as bytes, as the simulator packs them and campaigns keep them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from odonata.core import native

PackedColumn: TypeAlias = "npt.NDArray[np.generic] | tuple[npt.NDArray[np.uint32], list[str]]"
"""Values of one column; of text the numbers of its words, and these."""


def joined(
    runs: Sequence[bytes],
    only: str | None = None,
    rows: tuple[int, int] | None = None,
) -> list[tuple[str, npt.NDArray[np.uint64], npt.NDArray[np.uint64], dict[str, PackedColumn]]]:
    """Tables of many runs, those of one name and with the same columns as one.

    Parameters
    ----------
    runs : sequence of bytes
        Packed tables of each run.
    only : str, optional
        The one table that is wanted.
    rows : (int, int), optional
        The first of the rows that are wanted of each run, and the first behind them.

    Returns
    -------
    list of tuple
        Name of the table, numbers of the runs that have it, rows of each, columns.

    Raises
    ------
    ValueError
        Those of a run are damaged.
    """
    return native.joined_tables(list(runs), only, rows)


def names(run: bytes) -> list[str]:
    """Names of the packed tables of a run.

    Parameters
    ----------
    run : bytes
        Its packed tables.

    Returns
    -------
    list of str
        In their order.

    Raises
    ------
    ValueError
        They are damaged.
    """
    return list(lengths(run))


def lengths(run: bytes) -> dict[str, int]:
    """Rows of the packed tables of a run.

    Parameters
    ----------
    run : bytes
        Its packed tables.

    Returns
    -------
    dict
        By name of the table, in their order.

    Raises
    ------
    ValueError
        They are damaged.
    """
    return dict(native.packed_names(run))
