"""Conclusions of studies follow from their claims; stored runs are repeated; columns are spelt."""

from __future__ import annotations

import json
import re
from types import SimpleNamespace

import pytest

from odonata.cli import main
from odonata.studies import AGREES, AS_CODE, CANNOT, DIFFERS, FITTED, NOT_RUN, StudyIndex
from odonata.studies.conclusions import (
    DEPENDS,
    NOT,
    OPEN,
    PARTLY,
    REPRODUCED,
    WORDS,
    follows,
)
from odonata.studies.records import Records
from odonata.studies.runs import StudyRuns

CLAIMS = [
    "id,claim,where,quantity,relation,published",
    'nodes,a,b,"topology(""dragonfly(2, 4, 2, 9)"", ""nodes"")",value,72',
    'half,a,b,"[topology(""dragonfly(2, 4, 2, 9)"", ""nodes"") / 100, 2]",value,"[0.9, 2]"',
    'time,a,b,"mean(""small"", ""ranks.comm_time_ns"", job=""halo"")",at-least,0',
]
HEADER = "id,conclusion,where,published,simulated,verdict,because,needs,otherwise"


@pytest.fixture
def study(tmp_path, repository):
    """A study with a claim that agrees, one that differs, and one that was not run."""
    folder = tmp_path / "studies" / "demo"
    folder.mkdir(parents=True)
    text = (repository / "scenarios" / "small.toml").read_text("utf-8")
    (folder / "small.toml").write_text(text, "utf-8")
    (folder / "expected.csv").write_text("\n".join(CLAIMS) + "\n", "utf-8")
    return tmp_path / "studies"


def write(study, *rows, header=HEADER):
    (study / "demo" / "conclusions.csv").write_text("\n".join([header, *rows]) + "\n", "utf-8")


def said(study, *words):
    action, *rest = words
    return main(["study", action, *rest, "--studies", str(study)])


def found(study, capsys, *words):
    capsys.readouterr()
    code = said(study, "conclusions", *words, "--json")
    told = json.loads(capsys.readouterr().out)
    assert told["exit_code"] == code
    return code, {one["id"]: one for one in told["conclusions"]}


@pytest.mark.parametrize(
    ("needs", "otherwise", "expected"),
    [
        ([AGREES, AGREES], [], REPRODUCED),
        ([AGREES], [AGREES], REPRODUCED),
        ([AGREES], [AGREES, DIFFERS], DEPENDS),
        ([AGREES, DIFFERS], [AGREES], PARTLY),
        ([AGREES, FITTED], [], PARTLY),
        ([AGREES, CANNOT], [], PARTLY),
        ([DIFFERS, CANNOT], [AGREES], NOT),
        ([AGREES], [AS_CODE], DEPENDS),
        ([AGREES, AS_CODE], [], PARTLY),
        ([AS_CODE], [], NOT),
        ([FITTED], [], OPEN),
        ([PARTLY], [], PARTLY),
        ([PARTLY, DIFFERS], [], PARTLY),
        ([AGREES], [CANNOT], REPRODUCED),
        ([CANNOT], [AGREES], OPEN),
        ([AGREES, NOT_RUN], [], OPEN),
        ([AGREES], [NOT_RUN], OPEN),
    ],
)
def test_a_verdict_follows_from_those_of_the_claims(needs, otherwise, expected):
    needs, otherwise = ([SimpleNamespace(verdict=one) for one in part]
                        for part in (needs, otherwise))  # fmt: skip
    assert follows(needs, otherwise) == expected


def test_conclusions_change_with_their_claims(study, capsys):
    write(
        study, "one,a,b,72,{nodes},reproduced,,nodes,",
        'two,a,b,0.9,"{half[0]:.1%}, {half[max]*1e3:.0f}, {half}",partly,why,nodes half,',
        "three,a,b,,{time},open,,time,", "four,a,b,,,,,half,", "five,a,b,,,depends,why,nodes,half",
    )  # fmt: skip
    code, told = found(study, capsys)
    assert code == 0
    assert [one["verdict"] for one in told.values()] == [REPRODUCED, PARTLY, OPEN, NOT, DEPENDS]
    assert [one["simulated"] for one in told.values()] == [
        "72", "72.0 %, 2000, 0.72, 2", "not run", "", "",
    ]  # fmt: skip
    claims = study / "demo" / "expected.csv"
    claims.write_text(claims.read_text("utf-8").replace("value,72", "value,73"), "utf-8")
    code, told = found(study, capsys, "o*")
    assert code == 2
    assert list(told) == ["one"]
    assert told["one"]["verdict"] == NOT
    assert said(study, "conclusions", "demo") == 2
    out = capsys.readouterr().out
    assert out.startswith("5 conclusions: 4 not reproduced, 1 open.\n")
    assert "`one` is written `reproduced`, and `not reproduced` follows from nodes differs" in out
    assert "  needs: nodes differs, half differs\n" in out


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        ("x,a,b,,,reproduced,,nods,", "has no claim `nods`. Did you mean `nodes`?"),
        ("x,a,b,,{nods},reproduced,,nodes,", "has no claim `nods`. Did you mean `nodes`?"),
        ("x,a,b,,,reproducd,,nodes,", "Did you mean `reproduced`?"),
        ("x,a,b,,,partly,,nodes half,", "x, because: say why it is `partly`."),
        ("x,a,b,,,reproduced,,,", "`needs` is empty."),
        ("x,a,b,,{half[2]},,,half,", "x, simulated: `half` has 2 numbers, the first is [0]."),
        ("x,a,b,,{half:z!},,,half,", "x, simulated: `{half:z!}`: "),
        ("x,a,b,,,,,nodes,\nx,a,b,,,,,nodes,", "x, id: it is already used in "),
    ],
)
def test_a_bad_row_is_refused_at_its_place(study, capsys, row, sentence):
    write(study, row)
    assert said(study, "conclusions") == 2
    assert sentence in capsys.readouterr().err


def test_bad_words_columns_and_studies_are_refused(study, capsys):
    assert said(study, "conclusions") == 0
    assert "No study has a file conclusions.csv" in capsys.readouterr().out
    for row, header, sentence in (
        ("x,a,b,nodes,", "id,conclusion,where,needs,becaus", "Did you mean `because`?"),
        ("x,a,b,nodes,dem", "id,conclusion,where,needs,study", "Did you mean `demo`?"),
    ):
        write(study, row, header=header)
        assert said(study, "conclusions") == 2
        assert sentence in capsys.readouterr().err
    write(study, "x,a,b,,,,,nodes,")
    assert said(study, "conclusions", "dema") == 2
    assert "Did you mean `demo`?" in capsys.readouterr().err


def test_pages_begin_with_conclusions(study, capsys):
    write(study, "x,it is so,Fig. 1,72,{nodes},reproduced,,nodes,")
    assert said(study, "page") == 0
    capsys.readouterr()
    text = (study / "demo" / "README.md").read_text("utf-8")
    assert text.index("1 conclusion: 1 reproduced.") < text.index("<!-- study: claims -->")
    assert "| it is so | 72 | 72 | **reproduced** |" in text
    assert "* `x` (Fig. 1), reproduced. Claims that agree: `nodes`. [Picture](x.svg)." in text
    drawn = (study / "demo" / "x.svg").read_text("utf-8")
    assert "nodes</text>" in drawn.replace("\n", "")


@pytest.mark.parametrize(
    ("quantity", "relation", "published"),
    [
        ('"[[1, 2], [3, 4], [5, 6]]"', "sign", "+"),
        ('"[[1, 2, 4], [3, 4, 5]]"', "rank-correlation", "+"),
        ('"[[1, 2, 4], [-1, 4, 5]]"', "crossing", '"[1, 2]"'),
        ("1.5", "within", '"[1, 2]"'),
        ('"[1.5, 190]"', "at-most", "200"),
        ("1.5", "ratio", "1"),
    ],
)
def test_claims_of_any_shape_have_a_panel(study, quantity, relation, published):
    (study / "demo" / "expected.csv").write_text(
        f"{CLAIMS[0]}\nshape,a,b,{quantity},{relation},{published}\n", "utf-8"
    )
    write(study, "x,it is so,Fig. 1,,,reproduced,,shape,")
    assert said(study, "page") == 0
    drawn = (study / "demo" / "x.svg").read_text("utf-8")
    assert f"{relation} +" in drawn or f">{relation}<" in drawn.replace("\n", "")


@pytest.fixture(scope="module")
def written(repository):
    """Conclusions of the repository, each with the verdicts that are stored of its claims."""
    index = StudyIndex(repository / "studies")
    return index.concluded(())


def test_conclusions_of_the_repository_follow_from_their_claims(repository, capsys, written):
    code, told = found(repository / "studies", capsys)
    assert [one["contradiction"] for one in told.values() if one["contradiction"]] == []
    assert code == 0
    assert len(told) == len(written) >= 16
    for one in written:
        assert one.verdict in WORDS, one.place
        assert len(one.conclusion) < 90, f"{one.place}: a conclusion is a short sentence"
        assert re.search("[0-9]", one.published + one.simulated), one.place


def test_papers_have_the_conclusions_that_readers_take_home(written):
    least = {"kang2022": 4, "desensi2019": 3, "groves2017": 3, "mubarak2019": 3, "wang2018": 3}
    for study, number in least.items():
        assert sum(one.study == study for one in written) >= number


def test_the_table_of_conclusions_is_whole_at_80_columns(study, monkeypatch, capsys):
    long = "a job with a high peak ingress volume resists others and disturbs all of them"
    write(study, f'mubarak-collectives,{long},b,"LQCD +10.1 % at most, Stencil5D +8 %",'
          '"LQCD {half[0]:+.1%}, Stencil5D {nodes}",not reproduced,why,half,')  # fmt: skip
    for name, text in (("COLUMNS", "80"), ("FORCE_COLOR", "1"), ("NO_COLOR", "1"),
                       ("TERM", "dumb")):  # fmt: skip
        monkeypatch.setenv(name, text)
    assert said(study, "conclusions") == 0
    lines = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", capsys.readouterr().out).splitlines()
    assert lines[0] == "1 conclusion: 1 not reproduced."
    assert all(len(line.rstrip()) <= 80 for line in lines)
    together = " ".join(" ".join(lines).split())
    assert "…" not in together
    assert "Not shown" not in together
    assert all(word in together for word in [*long.split(), "mubarak-collectives", "+72.0"])


def test_stored_runs_are_repeated_where_that_is_asked(study, capsys):
    run = ("--quiet", "--executor", "serial")
    assert said(study, "run", *run) == 0
    stored = Records(study / "demo").values
    index = StudyIndex(study)
    assert not StudyRuns(index, index.needing(["time"])).wanted
    assert len(StudyRuns(index, index.needing(["time"]), again=True).wanted) == 1
    assert said(study, "run", "--dry") == 0
    assert "has been run; `--again` repeats it" in " ".join(capsys.readouterr().out.split())
    assert said(study, "run", "time", "--again", "--json", *run) == 0
    assert json.loads(capsys.readouterr().out)["made"] == ["small"]
    assert Records(study / "demo").values == stored
    assert said(study, "run", "--again", *run) == 2
    assert "name a claim, figure or study" in capsys.readouterr().err


def test_a_mistyped_column_is_named_by_judge(study, capsys):
    claims = study / "demo" / "expected.csv"
    right = claims.read_text("utf-8")
    for wrong, near in (("ranks.comm_tim_ns", "comm_time_ns"), ('jop=""halo""', "job")):
        name = "ranks.comm_time_ns" if "ranks" in wrong else 'job=""halo""'
        claims.write_text(right.replace(name, wrong), "utf-8")
        assert said(study, "judge") == 0
        out = capsys.readouterr().out
        assert f"Did you mean `{near}`?" in out
        assert "expected.csv:4, time, quantity: small: not run" in out
    claims.write_text(right, "utf-8")
    assert said(study, "judge") == 0
    assert "Did you mean" not in capsys.readouterr().out
