"""Puts a folder in the place of another."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def replace(incoming: Path, target: Path) -> None:
    """Move a whole folder to its final name, in place of an earlier one."""
    discard(target)
    incoming.chmod(0o755)
    incoming.replace(target)


def discard(folder: Path) -> None:
    """Remove a folder if it is there."""
    shutil.rmtree(folder, ignore_errors=True)
