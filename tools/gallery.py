"""Makes the pictures of docs/gallery.md with the commands that stand there.

    python tools/gallery.py [FOLDER]        # default: out/gallery

The pictures keep the paths that the page names, below the folder.
"""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
PAGE = REPOSITORY / "docs" / "gallery.md"
PICTURE = re.compile(r"<!-- picture: (\S+) -->")


def pictures(text: str) -> list[str]:
    """Pictures that the page names."""
    return PICTURE.findall(text)


def commands(text: str) -> list[list[str]]:
    """Commands of the page, in order."""
    found = re.findall(r"^```\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)
    return [shlex.split(line) for block in found for line in block.splitlines()]


def make(folder: Path) -> list[str]:
    """Carry out the commands and keep the pictures; the names of those that did not appear."""
    text = PAGE.read_text("utf-8")
    folder.mkdir(parents=True, exist_ok=True)
    missing = []
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        for beside in ("scenarios", "tests"):
            (work / beside).symlink_to(REPOSITORY / beside)
        for words in commands(text):
            if words[0] != "odonata":
                raise SystemExit(f"{PAGE}: `{words[0]}` is no command of Odonata; leave it out.")
            subprocess.run([sys.executable, "-m", *words], cwd=work, check=True,
                           stdout=subprocess.DEVNULL)  # fmt: skip
        for picture in pictures(text):
            if (work / picture).is_file():
                (folder / picture).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(work / picture, folder / picture)
            else:
                missing.append(picture)
    return missing


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else REPOSITORY / "out" / "gallery"
    left = make(target)
    print(f"{target}: {len(pictures(PAGE.read_text('utf-8'))) - len(left)} pictures")
    if left:
        raise SystemExit(f"These did not appear: {', '.join(left)}.")
