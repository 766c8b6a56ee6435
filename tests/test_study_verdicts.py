"""Verdicts: what does not count as agreed, and claims that state one fact."""

from __future__ import annotations

import csv
import json

import pytest

from odonata.cli import main
from odonata.studies import AGREES, AS_CODE, CANNOT_FAIL, DIFFERS, INPUT, PARTLY, claims
from odonata.studies.about import OTHER, PAPER
from odonata.studies.index import StudyIndex

QUALIFIED = """
id,claim,where,quantity,relation,published,partly,input,cannot_fail,reason,fact
plain,a,b,1,value,1,,,,,
part,a,b,1,value,1,the rest,,,,
preset,a,b,1,value,1,,of the preset,,,
sure,a,b,1,value,1,,,nothing moves it,,
broken,a,b,2,value,1,,of the preset,,the preset has moved,
again,a,b,1,value,1,,,,,plain
twice,a,b,1,value,1,the rest,,,,plain
"""


@pytest.fixture
def qualified(tmp_path):
    """A study whose claims have each verdict that stands in the place of "agrees"."""
    folder = tmp_path / "studies" / "words"
    folder.mkdir(parents=True)
    (folder / "expected.csv").write_text(QUALIFIED.lstrip(), "utf-8")
    return tmp_path / "studies"


def said(studies, action, *words):
    """Exit code of a command about the studies of a folder."""
    return main(["study", action, *words, "--studies", str(studies)])


def judged_rows(studies, capsys):
    capsys.readouterr()
    assert said(studies, "judge", "--json") == 0
    return {one["id"]: one for one in json.loads(capsys.readouterr().out)["claims"]}


def test_what_could_not_have_differed_does_not_count_as_agreed(qualified, capsys):
    judged = judged_rows(qualified, capsys)
    assert {name: (one["verdict"], one["reason"]) for name, one in judged.items()} == {
        "plain": (AGREES, ""), "part": (PARTLY, "the rest"), "preset": (INPUT, "of the preset"),
        "sure": (CANNOT_FAIL, "nothing moves it"), "broken": (DIFFERS, "the preset has moved"),
        "again": (AGREES, ""), "twice": (PARTLY, "the rest"),
    }  # fmt: skip
    assert judged["again"]["fact"] == "plain"
    assert judged["part"]["fact"] == "part"


@pytest.mark.parametrize(
    ("simulated", "published", "code", "verdict"),
    [
        ("[14, 24]", "[17, 25]", "[14.5, 25]", AS_CODE),
        ("[14, 18]", "[17, 25]", "[14.5, 25]", DIFFERS),
        ("[17, 24]", "[17, 25]", "[14.5, 25]", AGREES),
        ("15", "17", "16", DIFFERS),  # the code of the authors gives what they published
    ],
)
def test_what_differs_as_the_code_of_the_authors_does_has_a_verdict_of_its_own(
    tmp_path, capsys, simulated, published, code, verdict
):
    (tmp_path / "words").mkdir()
    (tmp_path / "words" / "expected.csv").write_text(
        "id,claim,where,quantity,relation,published,tolerance,authors_code\n"
        f'time,a,b,"{simulated}",value,"{published}",10%,"{code}"\n', "utf-8"
    )  # fmt: skip
    one = judged_rows(tmp_path, capsys)["time"]
    assert one["verdict"] == verdict
    assert (one["reason"] == "the authors' code gives 14.5, 25") == (verdict == AS_CODE)


def test_a_number_of_a_code_needs_a_relation_that_takes_one(tmp_path, capsys):
    (tmp_path / "words").mkdir()
    (tmp_path / "words" / "expected.csv").write_text(
        "id,claim,where,quantity,relation,published,authors_code\nup,a,b,1,sign,-,2\n", "utf-8"
    )
    assert said(tmp_path, "judge") == 2
    assert "up, authors_code: `sign` is compared with no number" in capsys.readouterr().err


def test_claims_that_state_one_fact_are_counted_once(qualified, capsys):
    assert said(qualified, "list", "--json") == 0
    counts = json.loads(capsys.readouterr().out)["studies"]["words"]
    assert (counts["claims"], counts[AGREES], counts[PARTLY]) == (7, 2, 2)
    assert sum(counts["facts"].values()) == 5
    assert (counts["facts"][AGREES], counts["facts"][PARTLY]) == (0, 2), "the worst one counts"
    assert said(qualified, "page") == 0
    page = (qualified / "words" / "README.md").read_text("utf-8")
    assert "| words | 7 (5) | 2 (0) | 2 | 0 | 0 | 1 | 1 | 1 | 0 | 0 |" in page
    assert "same fact as `plain`" in page
    capsys.readouterr()
    assert said(qualified, "list") == 0
    assert "They state 5 facts: 0 agrees, 2 partly" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        (",cannot_fail,", ",canot_fail,", "there is no column `canot_fail`. Did you mean `cannot"),
        ("1,the rest,,,,\n", "1,the rest,a preset,,,\n", "`partly` and `input` are two verdicts"),
        (",,,,,plain\n", ",,,,,plian\n", "no claim `plian`. Did you mean `plain`?"),
        ("the rest,,,,plain", "the rest,,,,again", "`again` states the fact of `plain`"),
    ],
)
def test_words_and_facts_of_a_row_are_looked_at(qualified, capsys, old, new, sentence):
    path = qualified / "words" / "expected.csv"
    path.write_text(path.read_text("utf-8").replace(old, new, 1), "utf-8")
    assert said(qualified, "list") == 2
    assert sentence in " ".join(capsys.readouterr().err.split())


MEAN = 'mean(""t.csv"", ""x"", who=""{}"")'
RATIO = f'"{MEAN.format("beside")} / {MEAN.format("alone")}"'
PLACEBOS = f"""
id,claim,where,quantity,unit,relation,published,tolerance,placebo
caused,a,b,{RATIO},,value,1.5,10%,beside -> alone
vague,a,b,{RATIO},,value,1.5,50%,beside -> alone
off,a,b,"{MEAN.format("alone")}",,value,9,,alone <-> beside
least,a,b,"[{MEAN.format("alone")}, {MEAN.format("beside")}]",,least,alone,,alone <-> beside
bare,a,b,1,,value,1,,
"""


@pytest.fixture
def placebos(tmp_path):
    """A study with claims that differ without their cause, and one that does not."""
    folder = tmp_path / "studies" / "causes"
    folder.mkdir(parents=True)
    (folder / "t.csv").write_text("who,x\nalone,2\nbeside,3\n", "utf-8")
    (folder / "expected.csv").write_text(PLACEBOS.lstrip(), "utf-8")
    return tmp_path / "studies"


def test_a_claim_that_agrees_without_its_cause_does_not_count(placebos, capsys):
    judged = judged_rows(placebos, capsys)
    assert {name: (one["verdict"], one["placebo"]) for name, one in judged.items()} == {
        "caused": (AGREES, 1.0), "vague": (CANNOT_FAIL, 1.0), "off": (DIFFERS, None),
        "least": (AGREES, [3.0, 2.0]), "bare": (AGREES, None),
    }  # fmt: skip
    assert "its placebo agrees, too" in judged["vague"]["reason"]


def test_the_table_of_placebos_names_claims_without_one(placebos, capsys):
    assert said(placebos, "judge", "--placebo") == 2
    text = capsys.readouterr().out
    assert "These agree and name no placebo: bare." in text
    assert "beside -> alone" in text
    capsys.readouterr()
    assert said(placebos, "judge", "caused", "least", "--placebo") == 0


@pytest.mark.parametrize(
    ("placebo", "sentence"),
    [
        ("alnoe -> beside", "caused, placebo: the quantity has no `alnoe`."),
        ("alone", "`alone` is no exchange; write `OLD -> NEW`, or `ONE <-> OTHER`."),
        ("alone -> alone", "`alone -> alone` is no exchange"),
    ],
)
def test_a_placebo_that_takes_nothing_away_is_refused(placebos, capsys, placebo, sentence):
    path = placebos / "causes" / "expected.csv"
    text = path.read_text("utf-8").replace("beside -> alone", placebo, 1)
    path.write_text(text, "utf-8")
    assert said(placebos, "judge") == 2
    assert sentence in " ".join(capsys.readouterr().err.split())


def test_every_agreeing_claim_of_a_paper_differs_without_its_cause(repository):
    agreeing, index = [], StudyIndex(repository / "studies")
    for study in (index.of_kind(PAPER) | index.of_kind(OTHER)).values():
        with (study.folder / "verdicts.csv").open(encoding="utf-8") as file:
            agreeing += [row for row in csv.DictReader(file) if row["verdict"] == AGREES]
    assert len(agreeing) > 150
    assert [row["id"] for row in agreeing if not row["placebo"]] == []


def test_claims_of_the_repository_that_hold_have_no_reason_of_an_earlier_verdict(repository):
    reasons = {}
    for path in (repository / "studies").rglob("expected.csv"):
        reasons |= {one.id: one.reason for one in claims.read(path)}
    for path in (repository / "studies").glob("*/verdicts.csv"):
        with path.open(encoding="utf-8") as file:
            for row in csv.DictReader(file):
                assert row["verdict"] in (DIFFERS, AS_CODE) or not reasons[row["id"]], row["id"]
