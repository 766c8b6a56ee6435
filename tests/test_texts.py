"""Files that a scenario names: unpacked, checked, and part of the fingerprint."""

from __future__ import annotations

import gzip
import lzma

import polars as pl
import pytest

from examples import jobs, open_loop
from odonata.errors import ScenarioError, TextError
from odonata.scenario import Point, Scenario, text_files
from odonata.scenario.inputs import Inputs
from odonata.scenario.text import to_toml

CHANNELS = {"kind": ["host"], "source_node": [0], "source_router": [None], "target_node": [None],
            "target_router": [0]}  # fmt: skip


def test_compressed_text_is_unpacked(tmp_path):
    for name, pack in (("a.xz", lzma.compress), ("b.gz", gzip.compress), ("c", bytes)):
        (tmp_path / name).write_bytes(pack(b"one\r\ntwo\n"))
        assert text_files.read(tmp_path / name, "interconnect") == "one\ntwo\n"


def test_tables_become_csv(tmp_path):
    frame = pl.DataFrame(CHANNELS)
    frame.write_parquet(tmp_path / "a.parquet")
    frame.write_csv(tmp_path / "a.csv")
    found = text_files.read(tmp_path / "a.parquet", "channels")
    assert found == text_files.read(tmp_path / "a.csv", "channels")
    assert found.splitlines()[1] == "host,0,,,0"


@pytest.mark.parametrize(
    ("content", "kind", "words"),
    [
        (None, "interconnect", ["no such file", "dump"]),
        (b"", "channels", ["empty"]),
        (b"\xfd7zXZ\x00 no", "interconnect", ["damaged"]),
        (b"\x1f\x8b no", "interconnect", ["damaged"]),
        (b"PAR1 no", "q-table", ["damaged"]),
        (b"\xff\xfe\x00", "interconnect", ["not text"]),
        (
            b"kind,sourcenode\n",
            "channels",
            ["line 1", "`source_node`", "Did you mean `sourcenode`?"],
        ),
        (b"router,group\n", "q-table", ["`slot`", "save_table"]),
    ],
)
def test_other_files_are_refused_by_name(tmp_path, content, kind, words):
    file = tmp_path / "file"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(TextError) as caught:
        text_files.read(file, kind)
    for word in (str(file), *words):
        assert word in str(caught.value)


def test_lists_of_ranks(tmp_path):
    file = tmp_path / "ranks"
    file.write_text("2 0 # the first two\n1\n")
    assert text_files.ranks(file) == [2, 0, 1]
    for content, words in (("0 1\n2 1", ["line 2", "rank 1", "line 1"]), ("0 x", ["line 1", "`x`"]),
                           ("0 2", ["rank 1 is missing"])):  # fmt: skip
        file.write_text(content)
        with pytest.raises(TextError) as caught:
            text_files.ranks(file)
        for word in words:
            assert word in str(caught.value)


@pytest.fixture
def point(tmp_path):
    """A scenario with a wiring, a mapping, and a table of what was learnt, in a folder."""
    pl.DataFrame(CHANNELS).write_parquet(tmp_path / "net.parquet")
    (tmp_path / "ranks").write_text("1 0")
    data = jobs(system={"topology": {"kind": "file", "channels": "net.parquet"}})
    data["jobs"][0]["placement"] = {"kind": "contiguous", "mapping": {"file": "ranks"}}
    (tmp_path / "s.toml").write_text(to_toml(data))
    return lambda: Scenario.read(tmp_path / "s.toml").points[0]


def test_a_run_gets_its_files_as_text(point, tmp_path):
    made = point()
    assert [use.kind for use in made.files] == ["channels", "mapping"]
    ready = Inputs().of(made)
    path = str(tmp_path / "net.parquet")
    assert made.config["system"]["topology"]["channels"] == path
    assert ready.texts[path].startswith("kind,source_node")
    assert ready.config["jobs"][0]["placement"]["mapping"] == [1, 0]
    assert "mapping" in made.config["jobs"][0]["placement"]  # the point itself stays as it was


def test_the_fingerprint_is_that_of_the_content(point, tmp_path):
    def fingerprint():
        inputs = Inputs()
        made = point()
        inputs.of(made)
        return made.scenario_hash(inputs.digests)

    first = fingerprint()
    (tmp_path / "ranks").write_text("1\n\n0 # the same")
    assert fingerprint() == first
    (tmp_path / "ranks").write_text("0 1")
    second = fingerprint()
    assert second != first
    pl.DataFrame(CHANNELS | {"target_router": [1]}).write_parquet(tmp_path / "net.parquet")
    assert fingerprint() not in (first, second)


def test_a_missing_file_is_an_error_at_its_line(point, tmp_path):
    (tmp_path / "ranks").unlink()
    with pytest.raises(ScenarioError) as caught:
        Inputs().of(point())
    assert "s.toml, line" in str(caught.value)
    assert "jobs[0].placement.mapping.file" in str(caught.value)


def test_learnt_tables_and_allocations_are_files_too():
    data = open_loop()
    base = Scenario.from_mapping(data).points[0]
    config = base.config | {"routing": {"algorithm": "q-adaptive", "load_table": "/t.parquet"}}
    config["jobs"] = [{**config["jobs"][0], "placement": {"kind": "file", "file": "/a", "line": 0}}]
    made = Point("", {}, config, {}, base.document)
    assert [(use.kind, use.path) for use in made.files] == [
        ("q-table", "/t.parquet"), ("allocation", "/a"),
    ]  # fmt: skip
    one = made.scenario_hash({"/t.parquet": "x", "/a": "y"})
    assert one == made.scenario_hash({"/t.parquet": "x", "/a": "y"})
    assert one != made.scenario_hash({"/t.parquet": "x", "/a": "z"})
