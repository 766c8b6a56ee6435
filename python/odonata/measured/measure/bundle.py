"""The harness as one file that runs wherever Python, numpy and mpi4py are; no Odonata needed."""

from __future__ import annotations

import io
import zipapp
import zipfile
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

_BENCH = "measured/measure"
_CORE = ("core/errors.py", "core/quantities.py")
"""What the bench uses of the package besides itself."""

_MAIN = "odonata.measured.measure.alone"
_PACKAGES = ("odonata", "odonata/core", "odonata/measured")
_ABOUT = '"""Only the bench of Odonata."""\n'


def write(path: Path, *, sources: Traversable | None = None) -> int:
    """Write the file; its size in bytes.

    Parameters
    ----------
    path : pathlib.Path
        Such as ``odonata-measure.pyz``; ``python odonata-measure.pyz --help`` runs it.
    sources : Traversable, optional
        Folder of the package; default: that of the installed one.

    Returns
    -------
    int
        Bytes written.

    Raises
    ------
    OSError
        It cannot be written.
    """
    package = resources.files("odonata") if sources is None else sources
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in _PACKAGES:
            _put(archive, f"{name}/__init__.py", _ABOUT)
        _put(archive, "__main__.py",
             f"import sys\nfrom {_MAIN} import main\nsys.exit(main())\n")  # fmt: skip
        for name in _CORE:
            _put(archive, f"odonata/{name}", (package / name).read_text("utf-8"))
        for file in sorted((package / _BENCH).iterdir(), key=lambda one: one.name):
            if file.name.endswith(".py"):
                _put(archive, f"odonata/{_BENCH}/{file.name}", file.read_text("utf-8"))
    data.seek(0)
    zipapp.create_archive(data, path, interpreter="/usr/bin/env python3")
    return path.stat().st_size


def _put(archive: zipfile.ZipFile, name: str, text: str) -> None:
    # A fixed date: the same sources give the same bytes.
    archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), text)
