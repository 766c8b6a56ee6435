"""As ``grep -r . telemetry`` prints the telemetry files of Cassini NICs: a file per computer."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from odonata.core.errors import RunError
from odonata.output.exports.columns import are_cassini
from odonata.output.exports.observer import Seen


def files(seen: Seen) -> Iterator[tuple[str, bytes]]:
    """``nidNNNNN.telemetry``: lines ``nidNNNNN/cxiN/device/telemetry/NAME:VALUE@SECONDS``.

    Seconds have nine decimals, as the driver writes them: whole nanoseconds.

    Yields
    ------
    tuple of str and bytes
        File and content.

    Raises
    ------
    RunError
        The NICs have other counters, or there is nothing to see.
    """
    if seen.nics.is_empty() or not are_cassini(seen):
        raise RunError(
            f"the NICs that job `{seen.job}` is on have no counters by Cassini's names; they are "
            'there with `system.nic.counters = "cassini"`, as in the presets of Slingshot systems.'
        )
    ordered = seen.nics.sort("node", "time_ns", "counter")
    lines: dict[str, list[str]] = {}
    for node, name, value, time in ordered.select(
        "node", "counter", pl.col("value"), "time_ns"
    ).iter_rows():
        host, nic = seen.host(node), seen.hosts[node][1]
        line = f"{host}/cxi{nic}/device/telemetry/{name}:{value}@{_seconds(time)}"
        lines.setdefault(host, []).append(line)
    for host, found in lines.items():
        yield f"{host}.telemetry", ("\n".join(found) + "\n").encode()


def _seconds(time_ns: float) -> str:
    """Seconds with whole nanoseconds.

    Examples
    --------
    >>> _seconds(34726.16), _seconds(0.0)
    ('0.000034726', '0.000000000')
    """
    seconds, rest = divmod(int(time_ns), 10**9)
    return f"{seconds}.{rest:09d}"
