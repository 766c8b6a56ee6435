"""Two folders that change places in one step, so that no moment has neither."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path

_HERE = -100  # AT_FDCWD of fcntl.h: paths start in the working directory
_EXCHANGE = 2  # RENAME_EXCHANGE of linux/fs.h


def exchanged(one: Path, other: Path) -> bool:
    """Let two folders change places.

    Returns
    -------
    bool
        Whether they have; not every system, file system or mount point can.
    """
    rename = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if rename is None:
        return False
    paths = (os.fsencode(one), os.fsencode(other))
    return bool(rename(_HERE, paths[0], _HERE, paths[1], ctypes.c_uint(_EXCHANGE)) == 0)
