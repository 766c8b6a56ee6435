"""Small scenarios as nested dictionaries: a 72-node system, open-loop traffic, two jobs."""

from __future__ import annotations

import copy

_OPEN_LOOP = {
    "name": "traffic",
    "seed": 3,
    "system": {"preset": "dragonfly(2, 4, 2, 9)"},
    "routing": {"algorithm": "minimal"},
    "jobs": [
        {
            "name": "uniform",
            "workload": {
                "kind": "open-loop",
                "pattern": "uniform",
                "load": 0.4,
                "message": "512 B",
            },
        }
    ],
    "measure": {"warm_up": "1 us", "window": "5 us"},
}

_JOBS = {
    "name": "jobs",
    "seed": 3,
    "system": {"preset": "dragonfly(2, 4, 2, 9)"},
    "routing": {"algorithm": "par"},
    "jobs": [
        {
            "name": "halo",
            "role": "victim",
            "placement": "random-node",
            "workload": {
                "kind": "halo3d",
                "ranks": 27,
                "grid": [3, 3, 3],
                "face": "16 KiB",
                "iterations": 2,
            },
        },
        {
            "name": "noise",
            "role": "aggressor",
            "placement": "random-node",
            "workload": {
                "kind": "halo3d",
                "ranks": 36,
                "grid": [3, 3, 4],
                "face": "64 KiB",
                "iterations": 2,
            },
        },
    ],
    "stop": {"time": "20 ms"},
}


def open_loop(**changes):
    """Uniform traffic on 72 nodes; ``changes`` replace whole tables."""
    return copy.deepcopy(_OPEN_LOOP) | changes


def jobs(**changes):
    """Two Halo3D jobs on 72 nodes; ``changes`` replace whole tables."""
    return copy.deepcopy(_JOBS) | changes


def three(**changes):
    """A victim beside two aggressors."""
    scenario = jobs(**changes)
    small = copy.deepcopy(scenario["jobs"][1])
    small["name"] = "small"
    small["workload"] |= {"ranks": 4, "grid": [2, 2, 1]}
    scenario["jobs"][1]["workload"] |= {"ranks": 27, "grid": [3, 3, 3]}
    scenario["jobs"].append(small)
    return scenario
