"""Put, get, flush and fence in programs and tables of one's own."""

from __future__ import annotations

import pytest

import odonata
from odonata.errors import Error

PROGRAM = """
def rank(me, size):
    yield iteration_begin()
    if me:
        yield put(0, "4 KiB")
        yield get(0, 1000)
        yield flush(0)
    else:
        yield compute("1 ms")
    yield iteration_end()
    yield fence()
"""
TABLE = """rank,step,operation,peer,bytes,tag,after,time
0,1,put,1,4 KiB,,,
0,2,flush,-1,,,,
0,3,fence,,,,,
1,1,compute,,,,,1 ms
1,2,fence,,,,,
"""


def run(folder, workload, mpi="cray-mpich-cxi"):
    return odonata.run(
        {
            "name": "one-sided",
            "system": {"preset": "dragonfly(2, 2, 1, 3)", "mpi": {"preset": mpi}},
            "routing": {"algorithm": "minimal"},
            "jobs": [{"name": "job", "workload": workload}],
        },
        out=folder / "out",
    )


@pytest.mark.parametrize("mpi", ["cray-mpich-aries", "cray-mpich-cxi", "ideal"])
def test_a_program_puts_and_gets_while_its_target_computes(tmp_path, mpi):
    path = tmp_path / "one.py"
    path.write_text(PROGRAM)
    result = run(tmp_path, {"kind": "program", "path": str(path), "ranks": 4}, mpi)
    ranks = result.table("ranks").sort("rank")
    assert ranks["finished"].all()
    spans = result.table("iterations").sort("rank")
    took = (spans["end_ns"] - spans["start_ns"]).to_list()
    assert took[0] == 1e6
    assert all(0 < span < 1e5 for span in took[1:]), "the target computes for 1 ms"
    assert ranks["comm_time_ns"].to_list()[1] > 9e5, "the fence waits for rank 0"


def test_a_table_has_the_same_operations(tmp_path):
    path = tmp_path / "one.csv"
    path.write_text(TABLE)
    result = run(tmp_path, {"kind": "trace", "path": str(path)})
    ranks = result.table("ranks").sort("rank")
    assert ranks["finished"].all()
    assert ranks["messages_sent"][0] > ranks["messages_sent"][1] > 0, "a put, and the barrier"


def test_a_partner_that_is_none_is_named(tmp_path):
    path = tmp_path / "one.py"
    path.write_text("def rank(me, size):\n    yield put(7, 8)\n")
    with pytest.raises(Error, match="put names rank 7 of 2"):
        run(tmp_path, {"kind": "program", "path": str(path), "ranks": 2})
