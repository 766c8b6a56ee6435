"""Errors that a user can mend: the public name of :mod:`odonata.core.errors`."""

from __future__ import annotations

from odonata.core.errors import (
    Error,
    InternalError,
    MeasurementError,
    PreloadError,
    RunError,
    ScenarioError,
    TextError,
    TraceError,
)

__all__ = [
    "Error",
    "InternalError",
    "MeasurementError",
    "PreloadError",
    "RunError",
    "ScenarioError",
    "TextError",
    "TraceError",
]
