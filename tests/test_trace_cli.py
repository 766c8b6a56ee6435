"""``odonata trace``: verdicts and exit codes, without the package that reads OTF2."""

from __future__ import annotations

import json

import pytest

from odonata.cli import main
from odonata.traces import TraceData, store
from test_results import both_receive_first


def write(folder, *, unsupported=None, is_cut=False):
    columns = both_receive_first()
    if is_cut:
        columns["tag"][0] = 9
    trace = TraceData(columns=columns, unsupported=unsupported or {})
    return store.save(trace, folder / "trace.npz")


OMITTED = {"MPI_Iallreduce": 1080}
WORDS = {
    "whole": "can be replayed\n",
    "omissions": "can be replayed, with these omissions\n",
    "impossible": "cannot be replayed\n",
}


@pytest.mark.parametrize(
    ("options", "flags", "code", "verdict"),
    [
        ({}, [], 0, "whole"),
        ({}, ["--strict"], 0, "whole"),
        ({"unsupported": OMITTED}, [], 0, "omissions"),
        ({"unsupported": OMITTED}, ["--strict"], 2, "omissions"),
        ({"is_cut": True, "unsupported": OMITTED}, [], 2, "impossible"),
    ],
)
def test_the_verdict_says_what_is_left_out(tmp_path, capsys, options, flags, code, verdict):
    command = ["trace", "check", str(write(tmp_path, **options)), *flags]
    assert main(command) == code
    said = capsys.readouterr().out
    assert WORDS[verdict] in said
    omitted = "not replayed: MPI_Iallreduce, 1080 times\n" in said
    assert omitted == ("unsupported" in options)
    assert main([*command, "--json"]) == code
    answer = json.loads(capsys.readouterr().out)
    assert (answer["verdict"], answer["exit_code"]) == (verdict, code)


def test_a_page_that_asks_for_too_much_is_refused(repository, capsys):
    # The library that reads it ends its process.
    table = repository / "tests" / "data" / "damaged-page.parquet"
    assert main(["trace", "info", str(table)]) == 2
    said = capsys.readouterr()
    assert "it is not a table of operations (it is damaged: a page asks for more" in said.err
    assert not said.out
    assert len(said.err.splitlines()) == 1
