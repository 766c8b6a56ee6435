"""Scenario texts that are almost right, from a corpus of right ones."""

from __future__ import annotations

import random
from pathlib import Path

CORPUS = Path(__file__).parent / "corpus" / "scenario"

_FRAGMENTS = (
    "", "\n", "[", "]", "[[jobs]]", "[sweep]", "{", "}", "=", ".", ",", '"', '"""', "'", "#", "\\",
    "-1", "0", "1e999", "nan", "true", "[1, 2]", "{}", "{ a = 1 }", '""', '"1 ns"', '"1 GB/s"',
    "99999999999999999999", "1979-05-27", "\x00", "\u00e9", "kind", "jobs.0.role", "schema",
)  # fmt: skip


def corpus() -> list[str]:
    """Texts to start from."""
    return [path.read_text("utf-8") for path in sorted(CORPUS.glob("*.toml"))]


def mutate(text: str, draw: random.Random) -> str:
    """``text`` with a few pieces cut, doubled, swapped or replaced."""
    for _ in range(draw.randint(1, 4)):
        start = draw.randint(0, len(text))
        end = min(len(text), start + draw.choice((0, 1, 1, 3, 10, 40)))
        piece = draw.choice((
            "",
            text[start:end] * 2,
            draw.choice(_FRAGMENTS),
            chr(draw.randint(1, 0x2FF)),
            text[draw.randint(0, len(text)) :][: end - start],
        ))  # fmt: skip
        text = text[:start] + piece + text[end:]
    return text
