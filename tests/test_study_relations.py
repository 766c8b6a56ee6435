"""What quantities of studies come to, and how they are compared with what is published."""

from __future__ import annotations

import pytest

from odonata.studies import StudyError
from odonata.studies.expression import Quantity, Reading
from odonata.studies.relations import NAMES, compare


@pytest.mark.parametrize(
    ("relation", "value", "published", "tolerance", "holds"),
    [
        ("value", 105.0, 100.0, "5%", True),
        ("value", 105.1, 100.0, "5%", False),
        ("value", [1.0, 2.0], [1.0, 2.2], "10%", True),
        ("value", [1.0, 2.0], [1.0, 2.3], "10%", False),
        ("at-most", [1.0, 2.0], 2.0, "", True),
        ("at-most", [1.0, 2.1], 2.0, "", False),
        ("at-least", 1.9, 2.0, "0.1", True),
        ("at-least", 1.8, 2.0, "0.1", False),
        ("within", 5.0, [1.0, 4.0], "", False),
        ("within", 3.0, [1.0, 4.0], "", True),
        ("ratio", 3.9, 2.0, "2", True),
        ("ratio", 0.9, 2.0, "2", False),
        ("sign", [1.0, 0.5], "+", "", True),
        ("sign", [1.0, -0.5], "+", "", False),
        ("sign", 0.01, "0", "0.02", True),
        ("order", [1.0, 2.0, 3.0], "a < b < c", "", True),
        ("order", [1.0, 3.0, 2.0], "a < b < c", "", False),
        ("least", [1.0, 3.0, 2.0], "a", "", True),
        ("least", [2.5, 3.0, 2.0], "a", "", False),
        ("largest", [4.0, 3.0, 2.0], "a", "", True),
        ("largest", [2.5, 3.0, 2.0], "a", "", False),
        ("monotone", [1.0, 1.0, 2.0], "rising", "", True),
        ("monotone", [1.0, 2.0, 1.5], "rising", "", False),
        ("monotone", [3.0, 2.0, 1.5], "falling", "", True),
        ("rank-correlation", [[1.0, 2.0, 3.0], [1.0, 2.0, 9.0]], "+", "", True),
        ("rank-correlation", [[1.0, 2.0, 3.0], [9.0, 2.0, 1.0]], "+", "", False),
        ("crossing", [[1.0, 2.0, 4.0], [-1.0, -1.0, 1.0]], [2.0, 4.0], "", True),
        ("crossing", [[1.0, 2.0, 4.0], [-1.0, 1.0, -1.0]], [1.0, 4.0], "", False),
        ("crossing", [[1.0, 2.0, 4.0], [1.0, 1.0, -1.0]], [2.0, 4.0], "", False),
        ("crossing", [[1.0, 2.0, 4.0], [-1.0, -1.0, 1.0]], [1.0, 2.0], "", False),
    ],
)  # fmt: skip
def test_relations(relation, value, published, tolerance, holds):
    assert compare(relation, value, published, tolerance).holds is holds


def test_every_relation_refuses_what_it_cannot_take():
    for relation in NAMES:
        with pytest.raises(StudyError):
            compare(relation, [[1.0], [1.0, 2.0]], "no", "")


def test_quantities_are_arithmetic_over_readings():
    quantity = Quantity('-mean("a/*", "ranks.t", job="x") / 2 + max([1, 2]) ** 2')
    assert quantity.readings == [Reading("mean", "a/*", "ranks.t", where=(("job", "x"),))]
    assert quantity.value(lambda _: [2.0, 4.0]) == [3.0, 2.0]
    reading = Quantity('percentile("a", "t.c", q=95, time_ns=(0, 5e6), class_="x")').readings[0]
    assert reading.what == "percentile(t.c, q=95, class=x, time_ns=(0; 5e+06))"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("share_positive([3, -1, 0, 2])", 0.5),
        ("r_squared([1, 2, 3], [6, 4, 2])", 1.0),
        ("r_squared([1, 1, 1], [6, 4, 2])", 0.0),
        ("correlation([1, 2, 3], [6, 4, 2])", -1.0),
        ("sum(beyond([1, 2, 3, 4], [40, 10, 30, 20], 50))", 4.0),
    ],
)
def test_functions_of_lists(text, value):
    assert Quantity(text).value(lambda _: 0.0) == pytest.approx(value)


@pytest.mark.parametrize(
    "text",
    ["r_squared([1, 2], [1, 2])", "correlation([1, 2, 3], 4)", "beyond([1, 2], [1], 50)",
     "beyond([1, 2], [1, 2])", "beyond([1, 2], [1, 2], 101)"],
)  # fmt: skip
def test_functions_of_lists_refuse_what_has_no_answer(text):
    with pytest.raises(StudyError, match=r"list|r squared"):
        Quantity(text).value(lambda _: 0.0)
