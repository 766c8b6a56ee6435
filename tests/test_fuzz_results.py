"""Damaged folders of results are read or refused; ``fuzz/results_fuzz.py`` tries any number."""

from __future__ import annotations

import random
import shutil
import sys

import pytest

import odonata


@pytest.fixture(scope="module")
def fuzz(repository):
    sys.path.insert(0, str(repository / "fuzz"))
    import results_fuzz  # noqa: PLC0415 - beside the package

    return results_fuzz


@pytest.fixture(scope="module")
def folders(fuzz, tmp_path_factory):
    return fuzz.corpus(tmp_path_factory.mktemp("corpus"))


def test_the_corpus_is_right(fuzz, folders):
    assert [fuzz.read(folder) for folder in folders] == ["ok", "ok"]


def test_damaged_folders_are_read_or_refused(fuzz, folders, tmp_path):
    seed, seen = random.randrange(10**6), set()  # noqa: S311 - not a secret
    for trial in range(60):
        draw = random.Random(f"{seed}-{trial}")  # noqa: S311
        copy = tmp_path / f"{trial}"
        shutil.copytree(draw.choice(folders), copy)
        how = fuzz.damage(copy, draw)
        verdict = fuzz.read(copy, pictures=trial % 20 == 0)
        assert verdict in ("ok", "refused"), f"seed {seed}, trial {trial}: {how}\n{verdict}"
        seen.add(verdict)
    assert "refused" in seen


def test_a_canary_is_caught(fuzz, folders, monkeypatch):
    def broken(_folder):
        raise IndexError("canary")

    monkeypatch.setattr(odonata, "load", broken)
    assert "canary" in fuzz.read(folders[0])
