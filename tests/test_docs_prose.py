"""Prose of pages is wrapped; the tool that wraps it keeps every word, and finds missing verbs."""

from __future__ import annotations

import subprocess

import pytest

from conftest import tool

GENERATED = {"docs/registry.md"}


@pytest.fixture(scope="module")
def prose():
    return tool("prose")


@pytest.fixture(scope="module")
def pages(repository):
    done = subprocess.run(
        ["git", "ls-files", "*.md"], cwd=repository, capture_output=True, text=True, check=True
    )
    names = set(done.stdout.splitlines()) - GENERATED
    return {name: (repository / name).read_text("utf-8") for name in sorted(names)}


def test_prose_is_wrapped_at_100_columns(prose, pages):
    """What is longer is one word or one piece of code; `tools/prose.py --wrap PAGE` wraps."""
    long = [
        f"{name}:{number}"
        for name, text in pages.items()
        for number, line, stays in prose.literal(text)
        if not stays and len(line) > prose.WIDTH and len(prose.words(line)) > 1
    ]
    assert long == []


def test_wrapping_keeps_every_word_and_is_done_once(prose, pages):
    for name, text in pages.items():
        wrapped = prose.rewrapped(text)
        assert wrapped.split() == text.split(), name
        assert prose.rewrapped(wrapped) == wrapped, name


def test_code_tables_and_what_begins_no_line_stay(prose):
    text = "| a | b |\n\n```\na  b\n```\n\n" + "word " * 19
    text += "`code of words` - 5\n\n* " + "x " * 80
    wrapped = prose.rewrapped(text)
    assert "| a | b |\n\n```\na  b\n```\n" in wrapped
    assert "\n`code of words` - 5\n" in wrapped
    assert all(len(line) <= prose.WIDTH for line in wrapped.split("\n"))
    assert wrapped.split("\n")[-1].startswith("  x")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Those of the other router.", True),
        ("Routers with nodes, in order of their groups.", True),
        ("The router waits for credits.", False),
        ("A rank that sends is a source.", False),
    ],
)
def test_sentences_without_a_verb_are_found(prose, text, found):
    known = prose.verbs(["it waits, which waits, it sends, that sends"])
    assert bool(list(prose.candidates(text, known))) == found
