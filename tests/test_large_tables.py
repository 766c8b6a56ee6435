"""Large tables are made and written some rows after the others, and are the same."""

from __future__ import annotations

import json

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import odonata as package
from examples import jobs
from odonata.core import files, native
from odonata.core import packed as packed_tables
from odonata.results import packed_parts
from odonata.scenario import Scenario

ROWS = 50


@pytest.fixture
def small_pieces(monkeypatch):
    monkeypatch.setattr(packed_parts, "IN_PIECE", ROWS)


@pytest.fixture(scope="module")
def tables():
    config = Scenario.from_mapping(jobs()).points[0].config
    return native.run(json.dumps(config), {}, packed=True).packed


def test_any_rows_of_a_table_can_be_made(tables):
    for name, length in packed_tables.lengths(tables).items():
        whole = packed_parts.frame(tables, name)
        assert len(whole) == length
        for first, end in ((0, 1), (3, 40), (length - 1, length + 9), (length, length + 1), (5, 5)):
            [(found, _, [rows], columns)] = packed_tables.joined([tables], name, (first, end))
            part = whole.slice(first, end - first)
            assert (found, rows) == (name, len(part))
            made = packed_parts._plain(packed_parts._frame(columns, {}))
            assert_frame_equal(made, part)


@pytest.mark.usefixtures("small_pieces")
def test_pieces_are_the_table(tables):
    config = Scenario.from_mapping(jobs()).points[0].config
    plain = native.run(config, {}).tables
    links = list(packed_parts.pieces(tables, "links"))
    assert len(links) > 3
    assert {len(piece) for piece in links[:-1]} == {ROWS}
    whole = packed_parts.frame(tables, "links")
    assert_frame_equal(whole, pl.concat(links))
    assert whole["link"].to_list() == list(plain["links"]["link"])
    assert whole["kind"].to_list() == list(plain["links"]["kind"])


def test_files_of_pieces_have_the_same_content(tmp_path, monkeypatch):
    package.run(jobs(), out=tmp_path / "whole")
    with monkeypatch.context() as small:
        small.setattr(packed_parts, "IN_PIECE", ROWS)
        for name in ("one", "other"):
            package.run(jobs(), out=tmp_path / name)
    names = {path.name for path in (tmp_path / "whole").rglob("*.parquet")}
    assert {"links.parquet", "ranks.parquet"} <= names
    for path in (tmp_path / "whole").rglob("*.parquet"):
        place = path.relative_to(tmp_path / "whole")
        one, other = tmp_path / "one" / place, tmp_path / "other" / place
        assert_frame_equal(pl.read_parquet(one), pl.read_parquet(path))
        assert one.read_bytes() == other.read_bytes()
        expected, found = pl.read_parquet_metadata(path), pl.read_parquet_metadata(one)
        for key in ("scenario_hash", "seed", "odonata_version"):
            assert found[key] == expected[key]


def test_what_cannot_be_written_is_told(tmp_path):
    frame = pl.DataFrame({"a": [1, 2]})
    with pytest.raises(FileNotFoundError):
        files.write_pieces(iter([frame, frame]), tmp_path / "nowhere" / "a.parquet")
