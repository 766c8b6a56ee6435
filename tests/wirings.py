"""Channel lists of small systems, as `odonata topo --edges` would write them, made here."""

from __future__ import annotations

from itertools import combinations

import polars as pl


def frame(nodes, links):
    """Both directions of links; `nodes` gives the router of each node, `links` (kind, ends)."""
    of = {router: group for _, *ends in links for router, group in ends}
    rows = []
    for node, router in enumerate(nodes):
        group = of[router]
        rows += [("host", node, None, None, router, group, group),
                 ("host", None, router, node, None, group, group)]  # fmt: skip
    for kind, (one, group), (two, other) in links:
        rows += [(kind, None, one, None, two, group, other),
                 (kind, None, two, None, one, other, group)]  # fmt: skip
    names = ("kind", "source_node", "source_router", "target_node", "target_router",
             "source_group", "target_group")  # fmt: skip
    schema = [(name, pl.String if name == "kind" else pl.Float64) for name in names]
    return pl.DataFrame(rows, schema=schema, orient="row")


def _pairs_of_groups(groups, size, per_pair, first=0, span=None):
    """`per_pair` links between any two groups, spread over `span` routers from `first` on."""
    used = [0] * groups
    span = span or size
    for one, two in combinations(range(groups), 2):
        for _ in range(per_pair):
            ends = []
            for group in (one, two):
                ends.append((group * size + first + used[group] % span, group))
                used[group] += 1
            yield ("global", *ends)


def dragonfly(groups=9, routers=4, nodes=2, per_pair=1):
    links = [("local", (g * routers + a, g), (g * routers + b, g))
             for g in range(groups) for a, b in combinations(range(routers), 2)]  # fmt: skip
    links += _pairs_of_groups(groups, routers, per_pair)
    return frame([r for r in range(groups * routers) for _ in range(nodes)], links)


def aries(groups=3, rows=2, columns=4, per_pair=4, parallel=3):
    size = rows * columns
    links = []
    for g in range(groups):
        for a, b in combinations(range(size), 2):
            ends = ((g * size + a, g), (g * size + b, g))
            if a // columns == b // columns:
                links.append(("row", *ends))
            elif a % columns == b % columns:
                links += [("column", *ends)] * parallel
    links += _pairs_of_groups(groups, size, per_pair)
    return frame([r for r in range(groups * size) for _ in range(2)], links)


def megafly(groups=5, leaves=4, spines=4, per_pair=1, nodes=2):
    size = leaves + spines
    links = [("local", (g * size + leaf, g), (g * size + leaves + spine, g))
             for g in range(groups) for leaf in range(leaves)
             for spine in range(spines)]  # fmt: skip
    links += _pairs_of_groups(groups, size, per_pair, first=leaves, span=spines)
    hosts = [g * size + leaf for g in range(groups) for leaf in range(leaves) for _ in range(nodes)]
    return frame(hosts, links)
