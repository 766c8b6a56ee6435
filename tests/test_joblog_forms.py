"""Job logs of every form: made excerpts of each are read, and damaged ones refused with a place."""

from __future__ import annotations

import gzip
import json
from datetime import datetime

import polars as pl
import pytest

from odonata.errors import TextError
from odonata.scenario import joblog
from odonata.scenario.joblogs import hosts

BEGIN = 1_735_689_600.0
"""2025-01-01 in Unix time."""

FRONTIER = """; UnixStartTime: 1735689600
; MaxNodes: 9408
11 0 5 100 28000 -1 -1 28000 7200 -1 1 4 1 -1 1 1 -1 -1 2000 -1 frontier:excl:250x112
12 9 0 60 64 -1 -1 64 7200 -1 1 5 1 -1 1 1 -1 -1 -1 -1 unknown
13 9 0 -1 64 -1 -1 64 7200 -1 1 5 1 -1 1 1 -1 -1 -1 -1 frontier:excl:2x112
"""
AURORA = """JOB_NAME,COBALT_JOBID,START_TIMESTAMP,END_TIMESTAMP,USERNAME_GENID,NODES_USED,LOCATION
11.host,11,2025-01-01 00:00:05.5,2025-01-01 00:01:45,7,250,"1-9,12"
12.host,12,2025-01-01 00:00:09,,8,64,
"""
LASSEN = """allocation_id,num_nodes,hashed_user_id,begin_time,end_time
11,3,4,2025-01-01 00:00:05,2025-01-01 00:01:45
12,1,5,01/01/2025 00:00:09,01/01/2025 00:01
"""
LASSEN_NODES = """allocation_id,node_name,ib_tx,ib_rx
11,lassen3,1000,2
11,lassen1,500,2
11,lassen2,500,2
12,lassen7,0,0
"""
SACCT = """JobID|User|JobName|Start|End|NNodes|NodeList
11|anna|a "quoted, name|2025-01-01T00:00:05|2025-01-01T00:01:45|3|nid[001-002,004]
11.batch||batch|2025-01-01T00:00:05|2025-01-01T00:01:45|1|nid001
12_4|bob|b|2025-01-01T00:00:09|Unknown|1|nid007
13|bob|b|Unknown|Unknown|4|None assigned
14|bob|b|2025-01-01T00:00:09|2025-01-01T00:00:09|4|nid[008-011]
"""
OWN = """job,start,end,nodes,user,name,sent_bytes
11,1735689605,1735689705,"n[1-3]",anna,a,5e9
12,2025-01-01T00:00:09,2025-01-01T00:01:00Z,4,,,
"""
FLUX = json.dumps({"jobs": [
    {"id": 11, "username": "anna", "name": "a", "t_run": BEGIN + 5, "t_cleanup": BEGIN + 105,
     "nnodes": 3, "nodelist": "n[1-3]"},
    {"id": 12, "userid": 7, "t_run": BEGIN + 9, "nnodes": 1, "nodelist": "n9"},
    {"id": 13, "userid": 7, "nnodes": 1},
]}, indent=1)  # fmt: skip
RAN = "user=anna jobname=a start=1735689605 exec_host=n1/0*4+n2/0*4"
ACCOUNTS = f"""01/01/2025 00:00:05;S;11.srv;{RAN}
01/01/2025 00:00:09;S;12.srv;user=bob start=1735689609 Resource_List.nodect=4
01/01/2025 00:01:00;L;license;floating license hour:3
01/01/2025 00:01:45;E;11.srv;{RAN} end=1735689705
"""
QSTAT = json.dumps({"timestamp": 1, "Jobs": {
    "11.srv": {"Job_Name": "a", "Job_Owner": "anna@x", "job_state": "F", "exec_host": "n1/0+n2/0",
               "stime": "Wed Jan  1 00:00:05 2025", "Resource_List": {"nodect": 2},
               "resources_used": {"walltime": "00:01:40"}},
    "12.srv": {"job_state": "R", "stime": "Wed Jan 01 00:00:09 2025",
               "Resource_List": {"nodect": 4}},
    "13.srv": {"job_state": "Q", "Resource_List": {"nodect": 4}},
}}, indent=1)  # fmt: skip
TEXTS = {
    "frontier": FRONTIER, "aurora": AURORA, "lassen": LASSEN, "sacct": SACCT, "list": OWN,
    "flux": FLUX, "accounts": ACCOUNTS, "qstat": QSTAT,
}  # fmt: skip
AT = [datetime(2025, 1, 1, 0, 0, 5), datetime(2025, 1, 1, 0, 0, 9)]  # noqa: DTZ001 - as Parquet has them
TO = [datetime(2025, 1, 1, 0, 1, 45), None]  # noqa: DTZ001 - as above
FRAMES = {
    "pm100": {"job_id": [11, 12], "start_time": AT, "end_time": TO, "num_nodes_alloc": [2, 1],
              "nodes": [[7, 9], [3]], "user_id": [4, 5], "cores_alloc_layout": ["{}", "{}"]},
    "adastra": {"job_id": [11, 12], "start_time": AT, "end_time": TO, "num_nodes_alloc": [2, 1],
                "nodes": [["x2R0C0", "x2R0C1"], ["x2R1C0"]], "user_id": [4, 5]},
    "f-data": {"jid": [11, 12], "sdt": AT, "edt": TO, "nnumr": [3, 3], "nnuma": [2, 1],
               "usr": ["u", "v"], "jnam": ["a", "b"], "embedding": [[0.5], [0.5]]},
    "kestrel": {"job_id": [11, 12], "start_time": AT, "end_time": TO, "nodes_required": [2, 1],
                "account": ["a", "b"]},
}  # fmt: skip


def written(folder, form):
    """A made log."""
    if form in FRAMES:
        path = folder / "log.parquet"
        pl.DataFrame(FRAMES[form]).write_parquet(path)
        return path
    path = folder / ("final_csm_allocation_history_hashed.csv" if form == "lassen" else "log")
    path.write_text(TEXTS[form], "utf-8")
    if form == "lassen":
        (folder / "final_csm_allocation_node_history.csv").write_text(LASSEN_NODES)
    return path


FOUND = {
    # form: jobs with size, and node list; what is left out; who runs until the log ends
    "frontier": ([("11", 250, None), ("12", 64, None)], {"without a size or a time": 1}, 0),
    "aurora": ([("11", 250, None)], {"without an end": 1}, 0),
    "lassen": ([("11", 3, ["lassen3", "lassen1", "lassen2"]), ("12", 1, ["lassen7"])], {}, 0),
    "sacct": (
        [("11", 3, ["nid001", "nid002", "nid004"]), ("12_4", 1, ["nid007"])],
        {"steps of a job": 1, "that end when they start, or before": 1, "without a start": 1}, 1,
    ),
    "list": ([("11", 3, ["n1", "n2", "n3"]), ("12", 4, None)], {}, 0),
    "flux": ([("11", 3, ["n1", "n2", "n3"]), ("12", 1, ["n9"])], {"without a start": 1}, 1),
    "accounts": ([("11.srv", 2, ["n1", "n2"]), ("12.srv", 4, None)], {}, 1),
    "qstat": ([("11.srv", 2, ["n1", "n2"]), ("12.srv", 4, None)], {"without a start": 1}, 1),
    "pm100": ([("11", 2, ["7", "9"])], {"without an end": 1}, 0),
    "adastra": ([("11", 2, ["x2R0C0", "x2R0C1"])], {"without an end": 1}, 0),
    "f-data": ([("11", 2, None)], {"without an end": 1}, 0),
    "kestrel": ([("11", 2, None)], {"without an end": 1}, 0),
}  # fmt: skip


@pytest.mark.parametrize("form", FOUND)
def test_an_excerpt_of_each_form_is_read(form, tmp_path):
    jobs, left_out, running = FOUND[form]
    log = joblog.read(written(tmp_path, form))
    assert log.form == {"accounts": "pbs", "qstat": "pbs"}.get(form, form)
    assert log.unit == "nodes"
    assert log.jobs.select("job", "size", "node_list").rows() == jobs
    assert log.left_out == left_out
    assert log.entries == len(jobs) + sum(left_out.values())
    start = {"aurora": 5.5}.get(form, 5.0)
    first = log.jobs.row(0, named=True)
    assert (log.zero_s + first["start_s"], log.zero_s + first["end_s"]) == (
        BEGIN + start,
        BEGIN + 105,
    )
    assert sum("run until the log ends" in note for note in log.notes) == running
    assert log.info()["jobs_with_node_lists"] == sum(one[2] is not None for one in jobs)


def test_what_forms_say_beside(tmp_path):
    lassen = joblog.read(written(tmp_path, "lassen"))
    assert lassen.jobs["sent_bytes"].to_list() == [8000, None], "words of 4 bytes"
    (tmp_path / "final_csm_allocation_node_history.csv").unlink()
    alone = joblog.read(tmp_path / "final_csm_allocation_history_hashed.csv")
    assert alone.jobs.select("size", "node_list").rows() == [(3, None), (1, None)]
    sacct = joblog.read(written(tmp_path, "sacct"))
    assert sacct.jobs.select("user", "name").rows()[0] == ("anna", 'a "quoted, name')
    assert sacct.jobs["end_s"].to_list() == [BEGIN + 105, BEGIN + 106]
    frontier = joblog.read(written(tmp_path, "frontier"))
    assert frontier.capacity == 9408
    assert "1 lines have no nodes in their field 20" in frontier.notes[0]
    assert joblog.read(written(tmp_path, "list")).jobs["sent_bytes"].to_list() == [5e9, None]


def test_packed_tables_are_the_same(tmp_path):
    plain = joblog.read(written(tmp_path, "sacct"))
    (tmp_path / "log.gz").write_bytes(
        gzip.compress(("\ufeff" + SACCT).replace("\n", "\r\n").encode())
    )
    assert joblog.read(tmp_path / "log.gz").jobs.equals(plain.jobs)


@pytest.mark.parametrize(
    ("form", "change", "said"),
    [
        ("frontier", ("28000 7200", "7200"), "line 3 has 20 fields"),
        ("frontier", ("12 9 0 60", "12 9 0 6o"), "line 4 has `6o` as its field 4 (run_s)"),
        ("aurora", ("START_TIMESTAMP", "START_TIMESTMP"),
         "line 1 has no column `START_TIMESTAMP`. Did you mean `START_TIMESTMP`?"),
        ("aurora", ("00:00:09", "soon"), "line 3 has `2025-01-01 soon` as its START_TIMESTAMP"),
        ("aurora", (",7,250,", ",7,"), "line 2 has 6 fields, and the heading 7"),
        ("lassen", ("11,3,4", "11,3.5,4"), "line 2 has `3.5` as its num_nodes"),
        ("sacct", ("nid[001-002,004]", "nid[004-001]"),
         "line 2 has `nid[004-001]` as its NodeList: `004-001` is no range"),
        ("sacct", ("nid[001-002,004]", "nid[001"), "brackets that do not match"),
        ("sacct", ("JobID|User|JobName|Start|End|NNodes|", "A|B|C|D|E|F|"),
         "line 1 has columns of no known form"),
        ("list", ("5e9", "many"), "line 2 has `many` as its sent_bytes"),
        ("list", (",4,,", ",,,"), None),
        ("flux", ("]\n}", ""), "is no JSON"),
        ("flux", ('"nnodes": 3', '"nnodes": "x"'), "job 1 has `x` as its nnodes"),
        ("flux", ('"jobs"', '"tasks"'), "it is JSON without `jobs`"),
        ("flux", ('"id": 11', '"idx": 11'), "job 1 has no id"),
        ("accounts", ("01/01/2025 00:01:00;L;license;", "00:01:00 "), "line 3 is no record"),
        ("accounts", ("end=1735689705", "end=late"), "line 4 has `late` as its end"),
        ("qstat", ("Wed Jan  1", "Wed Foo  1"), "job 1 has `Wed Foo  1 00:00:05 2025`"),
        ("qstat", ("00:01:40", "100"), "as its stime, or no walltime H:M:S"),
    ],
)  # fmt: skip
def test_a_damaged_log_is_refused_with_its_place(form, change, said, tmp_path):
    path = written(tmp_path, form)
    text = path.read_text("utf-8")
    assert change[0] in text
    path.write_text(text.replace(*change), "utf-8")
    if said is None:
        assert joblog.read(path).left_out == {"without a size": 1}
        return
    with pytest.raises(TextError) as refused:
        joblog.read(path)
    assert said in str(refused.value)
    assert str(path) in str(refused.value)


def test_a_damaged_node_history_is_refused_with_its_place(tmp_path):
    path = written(tmp_path, "lassen")
    history = tmp_path / "final_csm_allocation_node_history.csv"
    for text, said in (
        (LASSEN_NODES.replace("500,2", "5oo,2", 1), "line 3 has `5oo` as its ib_tx"),
        (LASSEN_NODES.replace("node_name", "node"), "line 1 has no column `node_name`"),
    ):
        history.write_text(text)
        with pytest.raises(TextError, match="node_history") as refused:
            joblog.read(path)
        assert said in str(refused.value)


def test_damaged_parquet_is_refused(tmp_path):
    path = tmp_path / "log.parquet"
    for frame, said in (
        ({**FRAMES["pm100"], "nodes": ["[7", "3"]}, "row 1 has `[7` as its nodes"),
        ({**FRAMES["kestrel"], "start_time": ["now", "x"]}, "row 1 has `now` as its start_time"),
        ({"jid": [1], "sdt": [1], "nnuma": [1]}, "the heading has no column `edt`"),
        ({"a": [1]}, "columns of no known form (a)"),
    ):
        pl.DataFrame(frame).write_parquet(path)
        with pytest.raises(TextError) as refused:
            joblog.read(path)
        assert said in str(refused.value)
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(TextError, match="it is damaged"):
        joblog.read(path)


def test_names_of_nodes_become_nodes():
    nodes = [*range(4), *range(10, 20)]  # some are out of service
    found, rule = hosts.places(["nid007", "nid005", "nid011"], nodes, None)
    assert found == {"nid005": 0, "nid007": 2, "nid011": 12}
    assert "less 5" in rule
    assert hosts.places(["nid007"], nodes, 3)[0] == {"nid007": 10}
    named, rule = hosts.places(["x1c2s0", "x1c0s1", "x0c9s9"], nodes, None)
    assert named == {"x0c9s9": 0, "x1c0s1": 1, "x1c2s0": 2}
    assert "in the order of the numbers" in rule
    spread, _ = hosts.places(["n1", "n5000"], nodes, None)
    assert spread == {"n1": 0, "n5000": 1}, "the numbers do not fit, their order does"
    for names, first, said in (
        (["n1", "n2"], 2, "do not fit"),
        (["n1", "n20"], 1, "do not fit"),
        (["x1c0"], 1, "--first needs names"),
        ([f"x{one}y0" for one in range(15)], None, "the log names 15 nodes, and the system has 14"),
    ):
        with pytest.raises(ValueError, match=said):
            hosts.places(names, nodes, first)
