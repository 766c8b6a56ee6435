#!/usr/bin/env python3
"""Wraps the prose of pages and lists sentences that seem to have no verb.

    tools/prose.py PAGE...            # candidates: page, line, sentence
    tools/prose.py --wrap PAGE...     # paragraphs and list items at 100 columns, in place

A list of candidates, not a verdict: which words are verbs is learnt from the pages themselves, by
the words before them ("which starts", "to start").
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

WIDTH = 100
ROOT = Path(__file__).parent.parent

AUXILIARIES = frozenset(
    {
        "am", "is", "are", "was", "were", "be", "been", "has", "have", "had", "do", "does", "did",
        "can", "cannot", "could", "may", "might", "must", "need", "needs", "shall", "should",
        "will", "would", "isn't", "aren't", "doesn't", "don't", "can't", "won't", "let",
    }
)  # fmt: skip
"""Words that are verbs wherever they stand."""

BEFORE_A_VERB = r"(?:it|they|which|who|that|we|you|this|nothing|nobody|to|cannot|not|must|may|can)"
BEFORE_A_NOUN = (
    r"(?:the|a|an|of|its|each|by|in|no|all|two|with|for|from|as|at|on|or|more|own|every)"
)
OPENERS = re.compile(r"(?:Those|The same|Of|So|Not|Nor|Neither|None|No|Also|Likewise|Same|Again)\b")
"""Words with which many sentences without a verb begin."""

ITEM = re.compile(r"( *)([*+-]|\d+\.) +")
LITERAL = re.compile(r" *(?:#+ |\||> |<!--|!\[|</?(?:div|details|summary|p|img|table)\b)")
FASTENED = re.compile(r"[*+>#|-]+|\d+\.|make")
"""Words that must not begin a line: Markdown, or a test of commands, takes them for more."""


class Paragraph(NamedTuple):
    """Lines that are wrapped together."""

    line: int
    """Number of its first line, from 1."""

    first: str
    """What stands before its first word: indentation, and the mark of a list item."""

    text: str
    """Its words."""


def literal(text: str) -> Iterator[tuple[int, str, bool]]:
    """Number and text of each line, and whether it stays as it is: code, table, heading, empty."""
    fence = ""
    for number, line in enumerate(text.split("\n"), 1):
        mark = re.match(r" *(```+|~~~+)", line)
        yield number, line, bool(fence or mark or not line.strip() or LITERAL.match(line))
        if mark and fence in {"", mark[1]}:
            fence = "" if fence else mark[1]


def parts(text: str) -> Iterator[Paragraph | str]:
    """Paragraphs and list items of a page; every other line as it is."""
    held: list[str] = []
    first, begun = "", 0
    for number, line, stays in literal(text):
        # Within code between backquotes a line may begin like an item.
        item = None if " ".join(held).count("`") % 2 else ITEM.match(line)
        if held and (stays or item):
            yield Paragraph(begun, first, " ".join(held))
            held = []
        if stays:
            yield line
            continue
        if not held:
            first = item[0] if item else line[: len(line) - len(line.lstrip())]
            begun = number
            line = line[len(first) :]  # noqa: PLW2901 - what the item says
        held.append(line.strip())
    if held:
        yield Paragraph(begun, first, " ".join(held))


def words(text: str) -> list[str]:
    """What is never parted: words, code between backquotes, and words that begin no line."""
    kept = re.sub(r"`[^`]*`", lambda code: code[0].replace(" ", "\0"), text)
    found: list[str] = []
    for word in kept.replace("\n", " ").split():
        if found and FASTENED.fullmatch(word):
            found[-1] += f" {word}"
        else:
            found.append(word)
    return [word.replace("\0", " ") for word in found]


def wrapped(paragraph: Paragraph) -> str:
    """The lines of a paragraph."""
    lines: list[str] = []
    line, gap = paragraph.first, ""
    for word in words(paragraph.text):
        if gap and len(line) + 1 + len(word) > WIDTH:
            lines.append(line)
            line, gap = " " * len(paragraph.first), ""
        line, gap = f"{line}{gap}{word}", " "
    return "\n".join([*lines, line])


def rewrapped(text: str) -> str:
    """A page with all its paragraphs wrapped."""
    return "\n".join(wrapped(one) if isinstance(one, Paragraph) else one for one in parts(text))


def sentences(text: str) -> list[str]:
    """Sentences of a paragraph, without the insides of links, code and brackets."""
    plain = re.sub(r"\]\([^)]*\)", "]", re.sub(r"`[^`]*`", "CODE", text))
    plain = re.sub(r"\b(?:e\.g|i\.e|et al|vs|cf|Fig|Eq|No)\.", "", plain)
    return [one for one in re.split(r"(?<=[.!?])[\"')*]* +(?=[\"'(*\[]*[A-Z0-9])", plain) if one]


def verbs(texts: Iterable[str]) -> set[str]:
    """Words that stand more often where a verb would than where a noun would, and their forms."""
    text = "\n".join(texts).lower()
    seen: Counter[str] = Counter(re.findall(rf"\b{BEFORE_A_VERB}\s([a-z]{{2,}})\b", text))
    seen.subtract(re.findall(rf"\b{BEFORE_A_NOUN}\s([a-z]{{2,}})\b", text))
    found = set(AUXILIARIES)
    for word in (word for word, count in seen.items() if count > 0):
        base = word.removesuffix("s")
        found |= {word} | {form for form in (base, f"{base}s") if seen[form] >= 0}
    return found - {"the", "of", "in", "on", "at", "one", "as", "for", "by", "no", "all", "this"}


def candidates(text: str, known: set[str]) -> Iterator[tuple[int, str]]:
    """Line and text of each sentence of a page that seems to have no verb."""
    for one in parts(text):
        if not isinstance(one, Paragraph):
            continue
        for sentence in sentences(one.text):
            said = re.sub(r"^[*_\"'(\[]+|\*\*[^*]*\*\*[:.]? *", "", sentence)
            found = re.findall(r"[a-z][a-z']+", said.lower())
            several = len(found) > 1 and said.rstrip().endswith((".", "!"))
            if several and (not known.intersection(found) or OPENERS.match(said)):
                yield one.line, sentence


def main() -> int:
    """List or wrap what the command line names; by default the list for every page."""
    asked = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    asked.add_argument("--wrap", action="store_true", help="wrap paragraphs in place")
    asked.add_argument("pages", type=Path, nargs="*", metavar="PAGE")
    given = asked.parse_args()
    listed = subprocess.run(
        ["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    every = {ROOT / line: (ROOT / line).read_text("utf-8") for line in listed.stdout.split()}
    pages = [page.resolve() for page in given.pages] or list(every)
    if given.wrap:
        for page in pages:
            page.write_text(rewrapped(page.read_text("utf-8")), "utf-8")
        return 0
    known = verbs(every.values())
    for page in pages:
        for line, sentence in candidates(page.read_text("utf-8"), known):
            print(f"{page.relative_to(ROOT)}:{line}: {sentence}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
