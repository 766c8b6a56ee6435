"""Names of nodes as schedulers write them, and which node of a system each one is."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence

_MOST = 1 << 20
"""Names of a list."""
_ITEM = re.compile(r"(?:[^,\s\[\]]|\[[^\[\]]*\])+")
_RANGE = re.compile(r"(\d{1,12})(?:-(\d{1,12}))?")


def expand(text: str) -> list[str]:
    """Names of a list such as ``nid[001-003,7],login1`` of Slurm and Flux, each once, in order.

    Raises
    ------
    ValueError
        It is no such list.

    Examples
    --------
    >>> expand("nid[08-10],x1c[0-1]s2")
    ['nid08', 'nid09', 'nid10', 'x1c0s2', 'x1c1s2']
    """
    found: dict[str, None] = {}
    if _ITEM.sub("", text).strip(", \t"):
        raise ValueError("brackets that do not match")
    for item in _ITEM.findall(text):
        parts = re.split(r"\[([^\]]*)\]", item)
        choices = [[one] if even % 2 == 0 else _range(one) for even, one in enumerate(parts)]
        for letters in itertools.product(*choices):
            found["".join(letters)] = None
            if len(found) > _MOST:
                raise ValueError("more nodes than any machine has")
    return list(found)


def _range(text: str) -> list[str]:
    found: list[str] = []
    for part in text.split(","):
        match = _RANGE.fullmatch(part.strip())
        first, last = (match[1], match[2] or match[1]) if match else ("1", "0")
        if not 0 <= int(last) - int(first) < _MOST:
            raise ValueError(f"`{part[:40]}` is no range")
        found += [f"{one:0{len(first)}}" for one in range(int(first), int(last) + 1)]
    return found


def of_pbs(text: str) -> list[str]:
    """Names of ``exec_host`` of PBS and Torque: ``n1/0*4+n2/0*4``.

    Examples
    --------
    >>> of_pbs("n1/1+n1/0+n2/0*4")
    ['n1', 'n2']
    """
    return list(dict.fromkeys(one.partition("/")[0].strip("() ") for one in text.split("+") if one))


def numbers(name: str) -> tuple[int, ...]:
    """Numbers in a name, which put it in order.

    Examples
    --------
    >>> numbers("x2104c3s0b1n0"), numbers("lassen12")
    ((2104, 3, 0, 1, 0), (12,))
    """
    return tuple(int(one) for one in re.findall(r"\d{1,15}", name))


def places(
    names: Iterable[str], nodes: Sequence[int], first: int | None
) -> tuple[dict[str, int], str]:
    """Which node of a system each name is, and the rule in words.

    Parameters
    ----------
    names : iterable of str
        All names of a log.
    nodes : sequence of int
        Nodes of the system that jobs can have, in order.
    first : int, optional
        Number in the name of the first node; by default the lowest one of the log.

    Raises
    ------
    ValueError
        The names do not fit.
    """
    known = sorted({*names}, key=lambda name: (numbers(name), name))
    values = [numbers(name) for name in known]
    if len({re.sub(r"\d+", "", name) for name in known}) == 1 and {*map(len, values)} == {1}:
        lowest, last = values[0][0] if first is None else first, values[-1][0]
        if lowest <= values[0][0] and last - lowest < len(nodes):
            rule = f"the number in a name less {lowest} is the place among the system's nodes"
            return {
                name: nodes[value[0] - lowest] for name, value in zip(known, values, strict=True)
            }, f"{rule} ({known[0]} is node {nodes[values[0][0] - lowest]})"
        if first is not None:
            raise ValueError(
                f"{known[0]} to {known[-1]} do not fit into {len(nodes)} nodes that begin with "
                f"number {lowest}"
            )
    elif first is not None:
        raise ValueError("--first needs names that differ in one number only, such as nid000012")
    if len(known) > len(nodes):
        raise ValueError(f"the log names {len(known)} nodes, and the system has {len(nodes)}")
    rule = (
        "names of the log, in the order of the numbers in them, are the first nodes of the system"
    )
    return dict(zip(known, nodes, strict=False)), rule
