"""The tables of GPCNeT as it prints them, with our intervals beside them."""

from __future__ import annotations

import polars as pl

_BAR = "+" + "-" * 78 + "+"
_INNER = "+---------------------------------+--------------+--------------+--------------+"
_FACTORS = "+---------------------------------+----------------------+---------------------+"
_TITLES = {
    "isolated": " " * 28 + "Isolated Network Tests" + " " * 28,
    "congested": " " * 17 + "Network Tests running with Congestion Tests" + " " * 18,
}


def gpcnet_tables(impact: pl.DataFrame, *, level: float | None = 0.95) -> str:
    """Text of the tables, columns and widths of GPCNeT 1.3; behind each row its intervals.

    Parameters
    ----------
    impact : polars.DataFrame
        From :func:`odonata.noise.congestion_impact`.
    level : float or None
        Confidence of the intervals, for the heading; ``None`` leaves them out.

    Returns
    -------
    str
        Isolated tests, congested tests, impact factors. What cannot be given is ``-``.
    """
    beside = "" if level is None else f"   {level:.0%} intervals: Avg, 99%"
    intervals = _intervals if level is not None else _no_intervals
    lines = []
    for condition, title in _TITLES.items():
        lines += [_BAR, f"|{title}|", _INNER, _row("Name", "Avg", "99%", "Units") + beside, _INNER]
        for test in impact.iter_rows(named=True):
            mean, tail = (_number(test[f"{condition}_{name}"]) for name in ("mean", "p99"))
            row = _row(test["series"], mean, tail, test["unit"])
            lines.append(row + intervals(test, condition, 1))
            lines.append(_INNER)
        lines.append("")
    head = "Network Tests running with Congestion Tests - Key Results"
    lines += [_BAR, f"| {' ' * 9}{head}{' ' * 10} |", "+---------------------------------+"
              "--------------------------------------------+",
              f"| {'Name':>31} | {'Congestion Impact Factor':>42} |", _FACTORS,
              f"| {'':>31} | {'Avg':>20} | {'99%':>19} |" + beside, _FACTORS]  # fmt: skip
    for test in impact.iter_rows(named=True):
        mean, tail = (_number(test[f"impact_{name}"], "X") for name in ("mean", "p99"))
        name = str(test["series"])[:31]
        lines += [f"| {name:>31} | {mean:>20} | {tail:>19} |" + intervals(test, "impact", 2),
                  _FACTORS]  # fmt: skip
    return "\n".join(lines) + "\n"


def _row(name: str, first: str, second: str, unit: str) -> str:
    return f"| {name[:31]:>31} | {first:>12} | {second:>12} | {unit[:12]:>12} |"


def _number(value: float | None, unit: str = "") -> str:
    return "-" if value is None else f"{value:.1f}{unit}"


def _no_intervals(test: dict[str, float | None], prefix: str, digits: int) -> str:
    del test, prefix, digits
    return ""


def _intervals(test: dict[str, float | None], prefix: str, digits: int) -> str:
    found = []
    for name in ("mean", "p99"):
        low, high = test[f"{prefix}_{name}_low"], test[f"{prefix}_{name}_high"]
        is_known = low is not None and high is not None
        found.append(f"{low:.{digits}f} to {high:.{digits}f}" if is_known else "-")
    return "   " + ", ".join(found)
