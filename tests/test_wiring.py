"""Pictures of systems: every router has its place, every pair of groups its links."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import polars as pl
import pytest

import wirings
from odonata.output.plots.layout import layout
from odonata.output.plots.wiring import wiring

SVG = "{http://www.w3.org/2000/svg}"


def drawn(channels):
    text = wiring(channels, title="a < b & c", notes=["72 nodes"])
    return ET.fromstring(text)  # noqa: S314 - our own text


@pytest.mark.parametrize(
    ("make", "style", "routers"),
    [
        (wirings.dragonfly, "circle", 36),
        (wirings.aries, "grid", 24),
        (wirings.megafly, "levels", 40),
    ],
)
def test_routers_are_laid_out_as_their_groups_are_wired(make, style, routers):
    channels = make()
    plan = layout(channels)
    assert {group.style for group in plan.groups} == {style}
    places = [router for group in plan.groups for router in group.places]
    assert sorted(places) == list(range(routers))
    for group in plan.groups:
        assert len(set(group.places.values())) == len(group.places)
        assert all(abs(x) <= 1 and abs(y) <= 1 for x, y in group.places.values())
    between = channels.filter(pl.col("kind") == "global").height
    assert 2 * sum(plan.bundles.values()) == between
    root = drawn(channels)
    dots = [title.text for title in root.iter(f"{SVG}title") if "router" in (title.text or "")]
    assert len(dots) == routers


def test_rows_and_columns_of_a_grid():
    group = layout(wirings.aries(rows=2, columns=4)).groups[0]
    assert group.places[0][1] == group.places[3][1]
    assert group.places[0][0] == group.places[4][0]
    # One line for each row and each column, parallel links or not.
    assert {kind: len(lines) for kind, lines in group.lines.items()} == {"row": 2, "column": 4}


def test_spines_stand_inside_and_have_the_links():
    group = layout(wirings.megafly()).groups[0]
    assert group.empty == group.gateways == {4, 5, 6, 7}
    assert all((group.places[router][1] < 0) == (router in group.empty) for router in group.places)


def test_pairs_with_fewer_links_are_seen():
    whole = wirings.dragonfly(groups=4, per_pair=3)
    lost = whole.with_row_index().filter(
        (pl.col("kind") != "global") | (pl.col("index") != whole["kind"].to_list().index("global"))
    )
    text = wiring(lost, title="t")
    assert "2 to 3 links per pair of groups" in text
    assert "fewer than most (1 pairs)" in text
    assert "fewer" not in wiring(whole, title="t")


def test_large_systems_are_drawn_as_groups():
    plan = layout(wirings.dragonfly(groups=9), largest=35)
    assert not plan.detailed
    assert len(plan.groups) == 9
    assert len(plan.bundles) == 36
    big = wirings.dragonfly(groups=101, routers=30, nodes=1)
    text = wiring(big, title="big")
    assert text.count("<circle") < 110
    assert ">100</text>" in text
    assert ">101</text>" not in text


def test_one_group_and_titles_with_signs():
    root = drawn(wirings.dragonfly(groups=1, routers=6))
    assert root.find(f"{SVG}title").text == "a < b & c"
    assert "nan" not in ET.tostring(root, encoding="unicode")
