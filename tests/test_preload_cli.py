"""``odonata preload``: the library that `make setup` builds, and reports of many processes."""

from __future__ import annotations

import json
import os
import subprocess

import pytest

from odonata.measured import preload

REPORT = {
    "schema": 1, "library": "libodonata_aries", "host": "nid1", "pid": 7, "rank": 0,
    "problem": None, "plan": "application-aware",
    "messages": {"adaptive-0": 1, "adaptive-1": 0, "adaptive-3": 4},
    "bytes": {"adaptive-0": 1_000, "adaptive-1": 0, "adaptive-3": 3_000},
    "left_alone": {"other_mode": 2, "other_kind": 0},
    "decisions": 3, "small": 2, "changes": 1, "counter_reads": 3, "failed_reads": 0, "resets": 0,
    "contended": 0,
}  # fmt: skip


@pytest.fixture
def reports(tmp_path):
    folder = tmp_path / "reports"
    folder.mkdir()

    def write(name, content):
        text = content if isinstance(content, str) else json.dumps(content)
        (folder / name).write_text(text)
        return folder

    write("odonata-aries-nid1-7.json", REPORT)
    write("odonata-aries-nid2-9.json", REPORT)
    write("odonata-aries-nid3-1.json", {"schema": 1, "problem": "PAPI was not found"})
    write(".odonata-aries-nid4-2.json.part", "{")
    write("notes.txt", "of someone else")
    return write


@pytest.mark.usefixtures("reports")
def test_reports_are_added_up(odonata, tmp_path):
    done = odonata("preload", "report", tmp_path / "reports", "--json")
    assert done.returncode == 0, done.stderr
    total = json.loads(done.stdout)
    assert (total["processes"], total["steered"]) == (3, 2)
    assert total["messages"] == {"adaptive-0": 2, "adaptive-1": 0, "adaptive-3": 8}
    assert total["default_share"] == 0.25
    assert total["left_alone"] == {"other_mode": 4, "other_kind": 0}
    assert total["counts"]["decisions"] == 6
    assert total["problems"] == {"PAPI was not found": 1}
    assert total["plans"] == {"application-aware": 2, "nothing": 1}


def test_reports_of_the_library_for_slingshot_are_added_up(odonata, reports, tmp_path):
    lanes = {
        "adaptive-0": {"lane": "own+unordered", "class": "unknown"},
        "adaptive-3": {"lane": "low-latency", "class": "not seen"},
    }
    report = {**REPORT, "library": "libodonata-fi", "held_by_order": 5, "aliases": 4}
    reports("odonata-fi-nid1-7.json", {**report, "lanes": lanes})
    reports("odonata-fi-nid1-8.json", {**report, "lanes": lanes})
    done = odonata("preload", "report", tmp_path / "reports", "--json")
    assert done.returncode == 0, done.stderr
    total = json.loads(done.stdout)
    assert (total["processes"], total["counts"]["held_by_order"]) == (5, 10)
    assert total["classes"]["low-latency"] == {"not seen": 2}
    done = odonata("preload", "report", tmp_path / "reports")
    lines = done.stdout.splitlines()
    assert "class of low-latency: not seen in 2 processes" in lines, done.stdout
    assert "sent on another lane than decided, to keep the order: 10" in lines
    reports("odonata-fi-nid1-9.json", {**report, "lanes": {"adaptive-0": {"lane": "own"}}})
    done = odonata("preload", "report", tmp_path / "reports")
    assert done.returncode == 2, done.stdout
    assert "odonata-fi-nid1-9.json is not a report of a preload library" in done.stderr


def test_both_libraries_have_a_path(odonata):
    done = odonata("preload", "path", "--json")
    assert done.returncode == 0, done.stderr
    files = json.loads(done.stdout)["paths"]
    assert sorted(files) == ["aries", "fi"]
    said = odonata("preload", "path").stdout.splitlines()
    assert said == list(files.values())
    assert odonata("preload", "path", "fi").stdout.strip() == files["fi"]
    assert files["fi"].endswith("-fi.so")  # or libfabric would not take it as a provider


@pytest.mark.usefixtures("reports")
def test_what_a_job_did_is_said_in_lines(odonata, tmp_path):
    done = odonata("preload", "report", tmp_path / "reports")
    assert done.returncode == 0, done.stderr
    for line in (
        "3 processes, 2 with steered messages",
        "adaptive-3: 8 messages, 6000 B",
        "25.0 % of the steered bytes without a bias",
        "left alone, other mode: 4",
        "1 processes steered nothing, or stopped: PAPI was not found",
    ):
        assert line in done.stdout.splitlines(), done.stdout


@pytest.mark.parametrize(
    "content",
    ["", "[]", "{}", '{"schema": 2}', "[" * 5_000, '{"schema": 1, "messages": 3}',
     '{"schema": 1, "bytes": {"adaptive-0": -1}}', '{"schema": 1, "decisions": "x"}',
     '{"schema": 1, "messages": {"adaptive-0": "2"}}'],
)  # fmt: skip
def test_a_damaged_report_is_named(odonata, reports, tmp_path, content):
    reports("odonata-aries-nid5-3.json", content)
    done = odonata("preload", "report", tmp_path / "reports")
    assert done.returncode == 2, done.stdout
    assert "odonata-aries-nid5-3.json is not a report of a preload library" in done.stderr


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["report", "nowhere"], "nowhere: no such file or directory; name the folder of the"),
        (["report", "."], "holds no reports (odonata-aries-*.json or odonata-fi-*.json); check"),
        (["path", "arise"], "there is no preload library `arise`"),
    ],
)
def test_what_is_wrong_is_said(odonata, words, sentence):
    done = odonata("preload", *words)
    assert (done.returncode, sentence in done.stderr) == (2, True), done.stderr


def test_a_library_that_was_not_built_is_named(monkeypatch, tmp_path):
    monkeypatch.setattr(preload, "__file__", str(tmp_path / "preload.py"))
    with pytest.raises(preload.PreloadError, match="is missing; run `make setup`"):
        preload.path("aries")


def test_a_program_without_aries_does_not_notice_the_library(odonata, tmp_path):
    done = odonata("preload", "path", "aries")
    assert done.returncode == 0, done.stderr
    environment = {
        **os.environ,
        "LD_PRELOAD": done.stdout.strip(),
        "ODONATA_ARIES_REPORT": str(tmp_path / "r"),
    }
    program = ["/bin/sh", "-c", "echo said; exit 7"]
    ran = subprocess.run(program, env=environment, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr) == (7, "said\n", "")
    # It was never called, and so has nothing to report.
    assert not (tmp_path / "r").exists()
