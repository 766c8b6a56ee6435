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


@pytest.mark.parametrize(
    ("options", "flags", "code", "verdict", "words"),
    [
        ({}, [], 0, "whole", "can be replayed\n"),
        ({}, ["--strict"], 0, "whole", "can be replayed\n"),
        ({"unsupported": OMITTED}, [], 0, "omissions", "can be replayed, with these omissions\n"),
        ({"unsupported": OMITTED}, ["--strict"], 2, "omissions", "with these omissions\n"),
        ({"is_cut": True, "unsupported": OMITTED}, [], 2, "impossible", "cannot be replayed\n"),
    ],
)
def test_the_verdict_says_what_is_left_out(tmp_path, capsys, options, flags, code, verdict, words):
    command = ["trace", "check", str(write(tmp_path, **options)), *flags]
    assert main(command) == code
    said = capsys.readouterr().out
    assert words in said
    omitted = "not replayed: MPI_Iallreduce, 1080 times\n" in said
    assert omitted == ("unsupported" in options)
    assert main([*command, "--json"]) == code
    answer = json.loads(capsys.readouterr().out)
    assert (answer["verdict"], answer["exit_code"]) == (verdict, code)
