"""Checks that every analysis makes on the frame it is given."""

from __future__ import annotations

from typing import TYPE_CHECKING

from odonata.core.errors import Error

if TYPE_CHECKING:
    import polars as pl


class AnalysisError(Error):
    """A frame is empty or lacks a column."""


def require(frame: pl.DataFrame, columns: tuple[str, ...], purpose: str) -> None:
    """Refuse a frame that is empty or lacks columns.

    Parameters
    ----------
    frame : polars.DataFrame
        What was given.
    columns : tuple of str
        Columns that must be there.
    purpose : str
        What the frame is needed for, for the error message.

    Raises
    ------
    AnalysisError
        If a column is missing or there is no row.
    """
    missing = [name for name in columns if name not in frame.columns]
    if missing:
        message = (
            f"{purpose}: the frame has no column {', '.join(f'`{name}`' for name in missing)} "
            f"(it has: {', '.join(frame.columns)}); give the table of a finished run"
        )
        raise AnalysisError(message)
    if frame.is_empty():
        message = f"{purpose}: the frame has no row; select a job or run that has results"
        raise AnalysisError(message)
