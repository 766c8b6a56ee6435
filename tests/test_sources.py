"""What is said of papers is the same everywhere, and studies keep only what is simulated."""

from __future__ import annotations

import re

import polars as pl
import pytest

from odonata.scenario.presets import presets

_PAPERS = {
    "wang2018": "Wang, Mubarak, Yang, Ross, Lan, IPDPS 2018",
    "mubarak2019": "Mubarak et al., ISC High Performance 2019",
}


@pytest.mark.parametrize("paper", _PAPERS)
def test_presets_name_the_authors_and_the_venue_of_their_paper(paper):
    named = [preset for name, preset in presets().items() if name.startswith(paper)]
    assert named
    for preset in named:
        assert preset.source.startswith(_PAPERS[paper])


def test_pages_name_one_venue_of_a_paper(repository):
    titles = {
        r"traffic\s+classes\s+on\s+the\s+megafly\s+network": r"ISC\s+High\s+Performance\s+2019",
        r"and\s+balancing\s+network\s+traffic\s+on\s+a\s+dragonfly\s+system": r"IPDPS\s+2018",
    }
    found = 0
    for page in sorted((repository / "docs").rglob("*.md")):
        text = page.read_text("utf-8")
        for title, venue in titles.items():
            for match in re.finditer(title + r'[."*,]*\s+', text, re.IGNORECASE):
                found += 1
                assert re.match(venue, text[match.end() :]), (
                    page.name,
                    text[match.start() :][:160],
                )
    assert found >= 2


def test_results_of_studies_hold_no_wall_times(repository):
    """The clock of a machine that runs other things says nothing about a case.

    `runs.csv` has what each stored run has cost, for the forecast of the next one.
    """
    every = sorted((repository / "studies").glob("*/*.csv"))
    tables = [table for table in every if table.name != "runs.csv"]
    assert tables
    for table in tables:
        columns = pl.read_csv(table, n_rows=1).columns
        assert not [column for column in columns if column.startswith("wall")], table
