"""`odonata advise`: what is asked, what is refused, what is said, and what is kept."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from odonata.advise.conduct import Contest, StoppedError
from odonata.advise.findings import best_of, found
from odonata.advise.objective import jain, value_of
from odonata.advise.question import question
from odonata.advise.verdict import verdict
from odonata.campaign.executors.choice import Options
from odonata.campaign.experiment import run_one
from odonata.cli import main
from odonata.core.errors import ScenarioError
from odonata.scenario.advice import Wish
from odonata.scenario.document import Document

HEAD = """
schema = 1
name = "mix"
seed = 1

[system]
preset = "dragonfly(2, 4, 2, 9)"

[routing]
algorithm = "valiant-node"

[[jobs]]
name = "solver"
role = "victim"
placement = "random-node"
workload = { kind = "halo3d", ranks = 8, grid = [2, 2, 2], face = "4 KiB", iterations = 1, overlap = false }

[[jobs]]
name = "others"
placement = "random-node"
workload = { kind = "open-loop", ranks = 16, pattern = "uniform", load = 0.2, message = "1 KiB" }
"""  # noqa: E501 - a job a line

ROUTINGS = '[sweep]\n"routing.algorithm" = ["valiant-node", "minimal"]\n'
COMM_TIME = '[advise]\nobjective = "comm_time"\nfirst_seeds = 5\n'
SERIAL = Options(executor="serial")


def asked(text, *settings):
    return question(Document.parse(text, name="mix.toml", folder=Path()), settings)


def raced(text, *settings):
    contest = Contest(asked(text, *settings), SERIAL)
    contest.admit()
    contest.run()
    return contest


def refusal(text, *settings):
    with pytest.raises(ScenarioError) as error:
        asked(text, *settings)
    return str(error.value)


def test_the_scenario_as_it_stands_is_the_base_case_and_counts_once():
    every = asked(HEAD + ROUTINGS).candidates.every
    assert [one.label for one in every] == ["valiant-node", "minimal"]
    # A value that is not listed stands in front of those that are.
    others = HEAD + '[sweep]\n"routing.algorithm" = ["minimal", "par"]\n'
    labels = [one.label for one in asked(others).candidates.every]
    assert labels == ["as it stands", "minimal", "par"]


def test_values_that_mean_the_same_are_one_candidate():
    text = HEAD + '[sweep]\n"jobs.solver.placement" = ["random-node", { kind = "random-node" }]\n'
    found_ones = asked(text).candidates
    assert len(found_ones.every) == 1
    assert "the same as" in next(iter(found_ones.refused.values()))


def test_a_value_that_no_candidate_can_have_is_a_mistake_and_others_drop_out():
    text = HEAD + '[sweep]\n"routing.algorithm" = ["valiant-node", "minimul"]\n'
    said = refusal(text)
    assert "mix.toml, line" in said
    assert "Did you mean `minimal`?" in said
    # `minimal` has no bias: it cannot be combined with any value of it.
    text = (
        HEAD + '[sweep]\n"routing.algorithm" = ["ugal-node", "minimal"]\n"routing.bias" = [0, 8]\n'
    )
    assert "unknown key of routing `minimal`" in refusal(text)
    # Each grid fits one number of ranks: half of the combinations drop out.
    text = HEAD + (
        '[sweep]\n"jobs.solver.workload.ranks" = [8, 16]\n'
        '"jobs.solver.workload.grid" = [[2, 2, 2], [4, 2, 2]]\n'
    )
    contest = Contest(asked(text), SERIAL)
    contest.admit()
    assert [one.label for one in contest.runners] == ["8, 2 2 2", "16, 4 2 2"]
    assert sorted(contest.refused) == ["16, 2 2 2", "8, 4 2 2"]


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ('[advise]\nobjektive = "slowdown"\n', "Did you mean `objective`?"),
        ('[advise]\nobjective = "slowdwn"\n', "Did you mean `slowdown`?"),
        ('[advise]\nobjective = { quantity = "slowdown", job = "solvr" }\n', "`solver`"),
        ('[advise]\nobjective = { quantity = "slowdown", job = "others" }\n', "has no slowdown"),
        ('[advise]\nobjective = { quantity = "makespan", job = "solver" }\n', "whole mix"),
        ('[advise]\nobjective = "fairness"\n', "two victims"),
        ('[advise]\nconditions = [{ worse_by_at_most = "5" }]\n', "has no unit"),
        ('[advise]\nfixed = ["routing.algoritm"]\n', "Did you mean `routing.algorithm`?"),
        ("[advise]\nmost_seeds = 4\n", "raise it"),
        ('[advise]\nobjective = ["slowdown", "comm_time", "makespan"]\n', "one objective, or two"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(table, words):
    said = refusal(HEAD + ROUTINGS + table)
    assert words in said
    assert "mix.toml, line" in said
    assert "advise" in said


def test_nothing_to_choose_from_is_refused():
    assert "nothing to choose from" in refusal(HEAD)
    fixed = '[advise]\nfixed = ["routing.algorithm"]\n'
    assert "nothing to choose from" in refusal(HEAD + ROUTINGS + fixed)
    assert "nothing to choose from" in refusal(HEAD + ROUTINGS, "routing.algorithm=par")


def test_seeds_are_no_candidates():
    assert "seeds are not chosen from" in refusal(HEAD + "[sweep]\nseed = [1, 2]\n")


def test_objectives_are_what_the_tables_say():
    run = run_one(asked(HEAD + ROUTINGS).candidates.every[0].point.resolved)
    solver = run.jobs["solver"]
    assert value_of(Wish(quantity="slowdown"), run) == pytest.approx(solver.slowdown)
    assert value_of(Wish(quantity="comm_time", job="solver"), run) == pytest.approx(
        solver.comm_time_ns
    )
    slowest = value_of(Wish(quantity="comm_time", job="solver", statistic="max"), run)
    assert slowest == pytest.approx(solver.summary["comm_time_ns"]["max"])
    assert value_of(Wish(quantity="makespan"), run) == run.summary["simulated_ns"]
    latency = solver.summary["packet_latency_ns"]["p99"]
    wish = Wish(quantity="packet_latency", job="solver", statistic="p99")
    assert value_of(wish, run) == pytest.approx(latency)
    steps = run.table("iterations")
    longest = (steps["end_ns"] - steps["start_ns"]).max()
    wish = Wish(quantity="iteration_time", job="solver", statistic="max")
    assert value_of(wish, run) == pytest.approx(longest)
    assert jain([1.0, 1.0, 1.0]) == 1.0


def test_the_better_routing_wins_and_the_verdict_says_by_how_much():
    contest = raced(HEAD + ROUTINGS + COMM_TIME)
    best = best_of(contest)
    fresh = contest.again([0, best])
    findings = found(contest, best, fresh)
    said = verdict(contest, findings)
    assert contest.runners[best].label == "minimal"
    assert said.helps
    assert findings.gain is not None
    assert findings.gain.high < 1.0
    assert said.text.startswith("Change valiant-node to minimal:")
    assert (
        said.rest[-1] == "What to do: give `run` the setting --set 'routing.algorithm=\"minimal\"'."
    )
    # Fresh seeds had no part in the race.
    assert fresh.start == contest.race.seeds
    assert f"{findings.gain.estimate:.3g}" in said.text
    assert "95 %" in said.text


def test_where_nothing_helps_it_says_so():
    same = '[sweep]\n"jobs.others.workload.message" = ["1 KiB", "1025 B"]\n'
    load = HEAD.replace("load = 0.2", "load = 0.01")
    contest = raced(load + same + COMM_TIME)
    best = best_of(contest)
    fresh = contest.again([0, best]) if best else range(0)
    said = verdict(contest, found(contest, best, fresh))
    assert not said.helps
    assert said.text.startswith("Nothing helps")
    assert "Nothing that was tried helps: keep 1 KiB" in said.rest[-1]


def test_a_condition_drops_a_candidate_that_breaks_it():
    """With valiant-node, everybody's packets take longer by far more than allowed."""
    table = (
        '[advise]\nobjective = { quantity = "packet_latency", job = "others", direction = '
        '"highest" }\nfirst_seeds = 5\n'
        'conditions = [{ job = "solver", worse_by_at_most = "5 %" }]\n'
    )
    text = HEAD.replace('"valiant-node"', '"minimal"') + ROUTINGS + table
    contest = raced(text)
    place = next(at for at, one in enumerate(contest.runners) if one.label == "valiant-node")
    assert contest.race.standings[place].fate == "condition"
    assert best_of(contest) == 0


def test_what_cannot_be_run_drops_out_with_its_reason():
    """One virtual channel less than a ladder needs: the dependency check refuses it."""
    text = HEAD.replace('"valiant-node"', '"minimal"') + ROUTINGS + COMM_TIME
    contest = Contest(asked(text, "system.router.virtual_channels=2"), SERIAL)
    contest.admit()
    assert [one.label for one in contest.runners] == ["minimal"]
    assert "virtual channel" in contest.refused["valiant-node"]


def test_decisions_do_not_depend_on_how_many_runs_go_at_a_time():
    text = HEAD + '[sweep]\n"routing.algorithm" = ["minimal", "ugal-node", "par"]\n' + COMM_TIME
    fates = []
    for workers in (1, 8):
        contest = Contest(asked(text, "advise.most_seeds=12"),
                          Options(executor="serial", workers=workers))  # fmt: skip
        contest.admit()
        contest.run()
        fates.append([(one.fate, one.seeds, one.by) for one in contest.race.standings])
    assert fates[0] == fates[1]


def test_an_interrupt_keeps_runs_and_the_same_call_goes_on(tmp_path):
    class Impatient:
        done = 0

        def finished(self, _label):
            Impatient.done += 1
            if Impatient.done == 4:
                raise KeyboardInterrupt

        def __getattr__(self, name):
            return lambda *_: None

    options = Options(executor="serial", store=tmp_path / "store")
    first = Contest(asked(HEAD + ROUTINGS + COMM_TIME), options, Impatient())
    first.admit()
    with pytest.raises((StoppedError, KeyboardInterrupt)):
        first.run()

    class Counting(Impatient):
        made = 0

        def finished(self, _label):
            Counting.made += 1

    second = Contest(asked(HEAD + ROUTINGS + COMM_TIME), options, Counting())
    second.admit()
    second.run()
    assert Counting.made <= 10 - 3 + 10  # those of the first seeds that are missing, and later ones
    again = Contest(asked(HEAD + ROUTINGS + COMM_TIME), options, Counting())
    made = Counting.made
    again.admit()
    again.run()
    assert Counting.made == made
    assert [one.fate for one in again.race.standings] == [one.fate for one in second.race.standings]


def test_a_budget_ends_the_race_and_no_probability_is_promised():
    contest = Contest(asked(HEAD + ROUTINGS + COMM_TIME), SERIAL)
    contest.admit()
    contest.run(budget_s=-1.0)
    assert contest.ended == "budget"
    assert contest.race.seeds == 0
    said = verdict(contest, found(contest, best_of(contest), range(0)))
    assert "no probability is promised" in said.text
    assert "larger --budget" in said.rest[-1]


def test_two_objectives_leave_a_pareto_set():
    two = '[advise]\nobjective = ["comm_time", { quantity = "packet_latency", job = "others" }]\n'
    contest = raced(HEAD + ROUTINGS + two + "first_seeds = 5\n")
    findings = found(contest, best_of(contest), range(0))
    assert findings.best == -1
    # Minimal paths are shorter for both, at this load.
    assert [row.label for row in findings.left] == ["minimal"]
    said = verdict(contest, findings)
    assert said.text.startswith("No other candidate beats these in both objectives: minimal")
    assert len(findings.rows[0].ratios) == 2


@pytest.fixture
def mix(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mix.toml").write_text(HEAD + ROUTINGS + COMM_TIME, encoding="utf-8")
    return tmp_path


def test_the_command_writes_a_page_and_its_numbers(mix, capsys):
    words = ["advise", "mix.toml", "--json", "--executor", "serial"]
    assert main(words) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["best"] == "minimal"
    assert told["helps"]
    page = (mix / "advice" / "mix" / "advice.html").read_text("utf-8")
    assert told["verdict"].partition(":")[0] in page
    assert "http" not in page.replace("http://www.w3.org", "")
    stored = json.loads((mix / "advice" / "mix" / "advice.json").read_text("utf-8"))
    assert stored["gain"] == told["gain"]
    assert [one["label"] for one in stored["why"]] == ["valiant-node", "minimal"]
    assert all(one["steps"][0][0] == "In short" for one in stored["why"])
    assert (mix / "advice" / "mix" / "figures" / "candidates.svg").is_file()
    assert (mix / "advice" / "mix" / "figures" / "tradeoff.svg").is_file()
    assert math.isfinite(told["candidates"][1]["others"])
    # Once more: nothing is run again, and the same is said.
    assert main([*words[:-2], "--executor", "serial"]) == 0
    again = json.loads(capsys.readouterr().out)
    assert again["verdict"] == told["verdict"]


def test_a_forecast_runs_nothing(mix, capsys):
    assert main(["advise", "mix.toml", "--dry"]) == 0
    said = capsys.readouterr().out
    assert "minimal" in said
    assert "2 candidates" in said
    assert "The whole race takes" in said
    assert main(["advise", "mix.toml", "--dry", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    seed, whole = told["expected_of_a_seed"]["wall_s"], told["expected_wall_s"]
    # Five first seeds of both; 200 at most; then both with five fresh seeds and once with blame.
    assert whole == pytest.approx({"least": 11 * seed, "most": 206 * seed})
    assert not (mix / "advice").exists()


def test_a_budget_below_the_first_seeds_is_refused_before_anything_runs(mix, capsys):
    assert main(["advise", "mix.toml", "--budget", "0.001s"]) == 2
    assert "more than the budget" in capsys.readouterr().err
    assert not (mix / "advice").exists()


def test_a_folder_of_something_else_is_not_touched(mix, capsys):
    (mix / "there").mkdir()
    (mix / "there" / "mine.txt").write_text("mine", encoding="utf-8")
    assert main(["advise", "mix.toml", "--out", "there"]) == 2
    assert "did not write" in capsys.readouterr().err
    assert [one.name for one in (mix / "there").iterdir()] == ["mine.txt"]


def test_a_scenario_with_the_table_runs_as_any_other(mix):
    assert main(["run", "mix.toml", "--quiet", "--no-baseline"]) == 0
    assert (mix / "results" / "mix" / "index.parquet").is_file()
