"""Does `odonata advise` find the best candidate, and at which cost? A table for docs/advise.md.

``python benches/advise/measure.py [--mix NAME] [--seeds 40] [--out FILE]`` carries out every mix of
mixes.py twice: every candidate with a fixed number of seeds (exhaustively), and as a race on other
seeds. The truth is what the exhaustive runs say. Cost is counted in points: a candidate with a
seed, isolated runs included; the race pays for its fresh seeds and the two explained runs, too.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))

from mixes import HELPED, MIXES

from odonata.advise.conduct import Contest
from odonata.advise.findings import best_of, found
from odonata.advise.question import question
from odonata.advise.verdict import verdict
from odonata.campaign.executors.choice import Options
from odonata.scenario.document import Document

EXPLAINED = 2
"""Runs that explain the winner and the base case; they are not needed for the answer."""

OTHER_SEED = 1_000_003


def contest(name: str, *settings: str) -> Contest:
    """The race of a mix, its candidates checked."""
    document = Document.parse(MIXES[name], name=name, folder=Path())
    ready = Contest(question(document, settings), Options(executor="serial"))
    ready.admit()
    return ready


def exhaustive(name: str, seeds: int) -> Any:  # noqa: ANN401 - an array by candidate and seed
    """Scores of every candidate with as many seeds, larger ones are better."""
    ready = contest(name, f"seed={OTHER_SEED}", f"advise.first_seeds={seeds}",
                    f"advise.most_seeds={seeds}")  # fmt: skip
    ready.run()
    return {ready.runners[place].label: np.array([ready.seen[place, seed].scores[0]
                                                  for seed in range(seeds)])
            for place in range(len(ready.runners))}  # fmt: skip


def rinott(scores: dict[str, Any], *, difference: float, first: int = 10) -> int:
    """Seeds of all candidates together that Rinott's procedure needs, 95 %.

    The number of each is (h S / d)^2 with the constant h for its first seeds, here by simulation
    (Rinott 1978; Law, Simulation Modeling and Analysis, section 10.4).
    """
    h = _rinott_constant(len(scores), first)
    each = (max(first, math.ceil((h * one[:first].std(ddof=1) / difference) ** 2))
            for one in scores.values())  # fmt: skip
    return sum(each)


def _rinott_constant(candidates: int, first: int, error: float = 0.05) -> float:
    """H with P(all k-1 others lose) = 1 - error, from draws with a fixed seed."""
    draw = np.random.Generator(np.random.PCG64(candidates * 1000 + first))
    count, freedom = 40_000, first - 1
    best = draw.chisquare(freedom, count) / freedom
    rest = draw.chisquare(freedom, (candidates - 1, count)) / freedom
    scale = np.sqrt(1.0 / best + 1.0 / rest)
    normal = draw.standard_normal((candidates - 1, count))
    # One candidate is the same in all comparisons; Rinott's bound takes them as independent.
    worst = (normal * scale).max(axis=0)
    return float(np.quantile(worst, 1.0 - error))


def kept_truth(name: str, seeds: int, folder: Path | None) -> tuple[dict[str, Any], float]:
    """What the exhaustive runs say and what they took; from the folder if they are there."""
    path = None if folder is None else folder / f"{name}-{seeds}.json"
    if path is not None and path.is_file():
        told = json.loads(path.read_text("utf-8"))
        return {label: np.array(one) for label, one in told["scores"].items()}, told["cpu_s"]
    begun = time.process_time()
    truth = exhaustive(name, seeds)
    spent = time.process_time() - begun
    if path is not None:
        told = {"scores": {label: one.tolist() for label, one in truth.items()}, "cpu_s": spent}
        path.write_text(json.dumps(told), encoding="utf-8")
    return truth, spent


def measure(name: str, seeds: int, folder: Path | None = None) -> dict[str, Any]:
    """One mix: what the exhaustive runs say, and what the race."""
    truth, exhaustive_s = kept_truth(name, seeds, folder)
    between = time.process_time()
    ready = contest(name)
    ready.run()
    best = best_of(ready)
    fresh = ready.again([0, best]) if best > 0 else range(0)
    findings = found(ready, best, fresh)
    said = verdict(ready, findings)
    means = {label: float(scores.mean()) for label, scores in truth.items()}
    top = max(means, key=means.__getitem__)
    chosen = ready.runners[best].label if best >= 0 else ""
    base = ready.runners[0].label
    return {
        "mix": name, "candidates": len(ready.runners), "best": top, "chosen": chosen,
        "loss": math.exp(means[top] - means[chosen]) - 1.0,
        "gain_true": math.exp(means[top] - means[base]) - 1.0,
        "helps": said.helps, "expected_to_help": name in HELPED,
        "difference": ready.question.advice.difference, "ended": ready.ended,
        "seeds": ready.race.seeds, "points": len(ready.seen), "explained": EXPLAINED,
        "exhaustive_points": seeds * len(truth),
        "rinott_points": rinott(truth, difference=math.log1p(ready.question.advice.difference)),
        "saved": findings.saved, "verdict": said.text, "exhaustive_cpu_s": exhaustive_s,
        "race_cpu_s": time.process_time() - between,
    }  # fmt: skip


def rows(measured: list[dict[str, Any]]) -> list[str]:
    """The table as Markdown."""
    lines = [
        "| mix | candidates | best of all | chosen | worse by | gain | verdict | points | of the "
        "exhaustive | of Rinott's |", "|---" * 10 + "|",
    ]  # fmt: skip
    for one in measured:
        cost = one["points"] + one["explained"]
        lines.append(
            f"| {one['mix']} | {one['candidates']} | {one['best']} | {one['chosen']} | "
            f"{one['loss']:.1%} | {one['gain_true']:.1%} | "
            f"{'change' if one['helps'] else 'nothing helps'} | {cost} | "
            f"{cost / one['exhaustive_points']:.0%} | {cost / one['rinott_points']:.0%} |"
        )
    return lines


def totals(measured: list[dict[str, Any]]) -> list[str]:
    """Sums over the mixes in which something helps, and over the others."""
    lines = []
    for helped in (True, False):
        part = [one for one in measured if one["expected_to_help"] == helped]
        right = [one for one in part if one["loss"] <= one["difference"] and one["helps"] == helped]
        cost = sum(one["points"] + one["explained"] for one in part)
        shares = [cost / max(sum(one[name] for one in part), 1)
                  for name in ("exhaustive_points", "rinott_points")]  # fmt: skip
        what = "something helps" if helped else "nothing helps"
        lines.append(
            f"{what}: right in {len(right)} of {len(part)}, {cost} points, {shares[0]:.0%} of the "
            f"exhaustive, {shares[1]:.0%} of Rinott's"
        )
    return lines


def main() -> None:
    """Measure the mixes and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mix", action="append", choices=list(MIXES))
    parser.add_argument("--seeds", type=int, default=40)
    parser.add_argument("--out", type=Path, metavar="FILE", help="all numbers as JSON")
    parser.add_argument("--truth", type=Path, metavar="DIR", help="keeps exhaustive runs' scores")
    options = parser.parse_args()
    measured = []
    for name in options.mix or MIXES:
        measured.append(measure(name, options.seeds, options.truth))
        print(rows(measured)[-1], flush=True)
        if options.out is not None:
            options.out.write_text(json.dumps(measured, indent=1) + "\n", encoding="utf-8")
    print("\n".join([*rows(measured), *totals(measured)]))


if __name__ == "__main__":
    main()
