"""Data of real machines: readers of measured files, and the bench that measures.

Every reader turns one file into frames of one form (:mod:`odonata.measured.form`), the same that
simulated results have. What this package does not know: the simulator, statistics, pictures.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from odonata.core.lazy import lazily

if TYPE_CHECKING:
    from odonata.measured.content import Content
    from odonata.measured.reading import FORMATS, Format, Measurements, read, read_content

__all__ = ["FORMATS", "Content", "Format", "Measurements", "read", "read_content"]

if not TYPE_CHECKING:
    __getattr__ = lazily(dict.fromkeys(__all__, "odonata.measured.reading"))
