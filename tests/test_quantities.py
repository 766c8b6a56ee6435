from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from odonata.core.quantities import QuantityError, format_quantity, parse_quantity, units


@pytest.mark.parametrize(
    ("text", "dimension", "value"),
    [
        ("512 B", "bytes", 512),
        ("1 kB", "bytes", 1000),
        ("1KB", "bytes", 1000),
        ("1 KiB", "bytes", 1024),
        ("1.5 MiB", "bytes", 1572864),
        ("2 GB", "bytes", 2 * 10**9),
        ("300 ns", "time", 300_000),
        ("1.5us", "time", 1_500_000),
        ("0.5 ms", "time", 500_000_000),
        ("1 s", "time", 10**12),
        ("10 µs", "time", 10**7),
        ("25 GB/s", "bandwidth", 25 * 10**9),
        ("200 Gb/s", "bandwidth", 25 * 10**9),
        ("12.5 GiB/s", "bandwidth", 13_421_772_800),
        ("8 b/s", "bandwidth", 1),
        (0, "time", 0),
    ],
)
def test_reads(text, dimension, value):
    assert parse_quantity(text, dimension) == value


@pytest.mark.parametrize(
    ("text", "dimension", "part"),
    [
        (5, "time", "has no unit"),
        ("5", "bytes", "has no unit"),
        ("5 ns", "bytes", "`ns` is not a unit of bytes"),
        ("5 B", "bandwidth", "not a unit of bandwidth"),
        ("5 b", "bytes", "not a unit of bytes"),
        ("0.5 ps", "time", "whole number of ps"),
        ("1.3 b/s", "bandwidth", "whole number of B/s"),
        ("-1 ns", "time", "not a quantity"),
        ("one second", "time", "not a quantity"),
        ("", "time", "not a quantity"),
        ("1e60 s", "time", "too large"),
    ],
)
def test_refuses(text, dimension, part):
    with pytest.raises(QuantityError, match=part):
        parse_quantity(text, dimension)


@pytest.mark.parametrize(
    ("text", "dimension", "meant"),
    [
        ("200 Gbps", "bandwidth", "Gb/s"),
        ("25 GBps", "bandwidth", "GB/s"),
        ("200 gbps", "bandwidth", "Gb/s"),
        ("200 Gbit/s", "bandwidth", "Gb/s"),
        ("25 GB", "bandwidth", "GB/s"),
        ("5 usec", "time", "us"),
        ("5 NS", "time", "ns"),
        ("5 bytes", "bytes", "B"),
        ("5 kib", "bytes", "KiB"),
        ("30 percent", "share", "%"),
    ],
)
def test_other_ways_of_writing_units_are_understood_and_corrected(text, dimension, meant):
    with pytest.raises(QuantityError, match=f"Did you mean `{meant}`"):
        parse_quantity(text, dimension)


def test_units_of_something_else_get_no_guess():
    with pytest.raises(QuantityError) as refused:
        parse_quantity("5 ns", "bytes")
    assert "Did you mean" not in str(refused.value)


@given(st.integers(0, 2**63 - 1), st.sampled_from(["bytes", "time", "bandwidth"]))
def test_written_quantities_are_read_back_exactly(value, dimension):
    assert parse_quantity(format_quantity(value, dimension), dimension) == value


@given(st.text(max_size=12))
def test_any_text_is_read_or_refused_with_a_sentence(text):
    try:
        value = parse_quantity(text, "time")
    except QuantityError as error:
        value = len(str(error).removesuffix("."))
    assert value >= 0


def test_units_are_listed_by_size():
    assert units("time") == ("ps", "ns", "us", "ms", "s")
