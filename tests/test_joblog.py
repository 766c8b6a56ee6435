"""Scheduler logs (SWF): what is read, what is counted, what is refused."""

from __future__ import annotations

import gzip
import json
import zipfile

import pytest

from odonata.errors import TextError
from odonata.scenario import joblog

LOG = """; Version: 2.2
; Computer: a small one
; MaxNodes: 8
; MaxProcs: 16

  1    0   10  100    4  -1 -1   4 120 -1 1  1 1 -1 0 -1 -1 -1
  2   20   -1   50   12  -1 -1  12  -1 -1 1  2 1 -1 0 -1 -1 -1
  3   30    0   -1    2  -1 -1   2  -1 -1 0  1 1 -1 0 -1 -1 -1
  4  110    0 10.5    1  -1 -1   1  -1 -1 1  3 1 -1 0 -1 -1 -1  ; a comment behind
"""


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "a.swf"
    path.write_text(LOG)
    return path


def test_a_log_is_counted(log):
    """By hand: 4 and 12 processors overlap from 20 to 70; the last job ends at 120.5."""
    info = joblog.read(log).info()
    assert info["jobs"] == 4
    assert info["jobs_without_size_or_time"] == 1
    assert info["users"] == 3
    assert info["processors"] == 16
    assert info["processors_in_use_max"] == 16
    assert info["largest_job"] == 12
    assert info["span_s"] == 110.5
    assert info["busy_share"] == round((400 + 600 + 10.5) / (110.5 * 16), 4)
    assert info["unknown"]["wait_s"] == 1
    assert info["unknown"]["run_s"] == 1


def test_jobs_that_run_at_an_instant(log):
    data = joblog.read(log)
    assert data.running(9)["job"].to_list() == []
    assert data.running(10)["job"].to_list() == ["1"], "it waited for 10 s"
    assert data.running(69.9)["job"].to_list() == ["1", "2"]
    assert data.running(70)["job"].to_list() == ["1"], "an end is no longer part of a run"


def test_packed_logs_are_the_same(log, tmp_path):
    (tmp_path / "a.swf.gz").write_bytes(gzip.compress(LOG.encode()))
    with zipfile.ZipFile(tmp_path / "a.swf.zip", "w") as archive:
        archive.writestr("inside.swf", LOG)
    plain = joblog.read(log)
    for name in ("a.swf.gz", "a.swf.zip"):
        assert joblog.read(tmp_path / name).jobs.equals(plain.jobs)
        assert joblog.is_log(tmp_path / name)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Job_name Submit Runtime Nodes Comment Perc\n1 0 7560 512 1 90\n",
         "line 1 has 6 names of columns (`Job_name Submit Runtime Nodes Comment Perc`)"),
        ("1 2 3\n", "line 1 has 3 fields"),
        (LOG + "5 1 2\n", "line 10 has 3 fields"),
        (LOG.replace("100", "1oo"), "line 6 has `1oo` as its field 4 (run_s)"),
        (LOG.replace("100", "nan"), "line 6 has `nan` as its field 4 (run_s)"),
        ("; nothing\n", "it has no jobs"),
        ("", "it has no jobs"),
        ("\x00\x01\x02 \xff", "line 1 has"),
    ],
)  # fmt: skip
def test_what_is_no_log_is_refused(tmp_path, text, said):
    path = tmp_path / "a.swf"
    path.write_text(text, "latin-1")
    with pytest.raises(TextError) as refused:
        joblog.read(path)
    assert said in str(refused.value)
    assert str(path) in str(refused.value)


def test_damaged_archives_are_refused(tmp_path):
    packed = tmp_path / "a.swf.zip"
    packed.write_bytes(b"PK\x03\x04" + b"x" * 40)
    with pytest.raises(TextError, match="damaged"):
        joblog.read(packed)
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("a", LOG)
        archive.writestr("b", LOG)
    with pytest.raises(TextError, match="holds 2 files"):
        joblog.read(packed)
    with pytest.raises(TextError, match="no such file"):
        joblog.read(tmp_path / "b.swf")


def test_the_command_line_reads_logs(odonata, log, tmp_path):
    done = odonata("trace", "info", str(log), "--json")
    assert json.loads(done.stdout)["processors_in_use_max"] == 16
    assert "busy_share" in odonata("trace", "info", str(log)).stdout
    wrong = tmp_path / "b.swf"
    wrong.write_text("Job_name Submit Runtime\n")
    done = odonata("trace", "info", str(wrong))
    assert done.returncode == 2
    assert "3 names of columns" in done.stderr
    assert "Traceback" not in done.stderr


def test_real_logs(shared):
    """The archive's NASA log: the header says how many jobs there are; two others are no logs."""
    folder = shared / "data" / "jobs"
    whole = joblog.read(folder / "swf" / "NASA-iPSC-1993-3.1-cln.swf.zip")
    assert whole.entries == int(whole.header["MaxJobs"]) == 18_239
    info = whole.info()
    assert info["processors"] == 128
    # Jobs of this log overlap a little: it has more processors in use than there were.
    assert 128 <= info["processors_in_use_max"] <= 256
    assert 0.3 < info["busy_share"] < 0.6
    excerpt = joblog.read(folder / "swf" / "NASA-iPSC-1993-3_wrench_excerpt.swf")
    assert len(excerpt.jobs) > 100
    for path in sorted((folder / "allocation_traces_6col").iterdir()):
        with pytest.raises(TextError, match="line 1 has 6 names of columns"):
            joblog.read(path)
