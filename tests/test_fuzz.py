"""Scenario texts that are almost right never surprise the parser.

``fuzz/scenario_fuzz.py`` is the target for long runs; here is a short one from the same corpus.
"""

from __future__ import annotations

import random
import sys
import traceback

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from odonata.errors import ScenarioError
from odonata.scenario import Scenario
from odonata.scenario.text import to_toml


@pytest.fixture(scope="module")
def mutator(repository):
    sys.path.insert(0, str(repository / "fuzz"))
    import mutate  # noqa: PLC0415 - beside the package

    return mutate


def read(text):
    """How the parser takes ``text``: ``ok``, ``refused``, or the call stack of a fault."""
    try:
        for point in Scenario.from_text(text).points[:2]:
            assert Scenario.from_text(to_toml(point.resolved)).points[0].config == point.config
    except ScenarioError as error:
        sentence = str(error)
        return "refused" if sentence.startswith("<text>") and len(sentence) < 3000 else sentence
    except Exception:  # noqa: BLE001 - what is looked for
        return traceback.format_exc()
    return "ok"


def test_the_corpus_is_right(mutator):
    texts = mutator.corpus()
    assert len(texts) >= 4
    assert [read(text) for text in texts] == ["ok"] * len(texts)


def test_mutations_are_read_or_refused(mutator):
    seed = 20260101
    draw = random.Random(seed)  # noqa: S311 - not a secret
    texts = mutator.corpus()
    seen = set()
    for number in range(1500):
        text = mutator.mutate(draw.choice(texts), draw)
        verdict = read(text)
        assert verdict in ("ok", "refused"), f"seed {seed}, number {number}:\n{text}\n{verdict}"
        seen.add(verdict)
    assert seen == {"ok", "refused"}


@given(st.text(max_size=60))
@settings(max_examples=200, deadline=None)
def test_any_text_is_read_or_refused(text):
    assert read(text) in ("ok", "refused")


def test_a_canary_is_caught(monkeypatch):
    def broken(*_arguments):
        raise IndexError("canary")

    monkeypatch.setattr("odonata.scenario.resolve._routing", broken)
    assert "canary" in read('[system]\npreset = "booksim-1056"\n[routing]\nalgorithm = "par"')
