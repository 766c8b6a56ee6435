"""The verdict of a race in a paragraph: what to change, what it brings, what it rests on."""

from __future__ import annotations

import math
import shlex
from dataclasses import dataclass

from odonata.advise.conduct import Contest
from odonata.advise.findings import Findings, Row
from odonata.analysis.quantiles import Interval
from odonata.scenario.advice import HIGHEST
from odonata.scenario.text import inline


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a race says in words.

    Parameters
    ----------
    helps : bool
        Whether a candidate is better than the base case by more than what does not matter.
    headline : str
        One sentence.
    rest : tuple of str
        Further sentences: what it rests on, and last what to do.
    """

    helps: bool
    headline: str
    rest: tuple[str, ...]

    @property
    def text(self) -> str:
        """All of it, as one paragraph."""
        return " ".join([self.headline, *self.rest])


def helps(contest: Contest, findings: Findings) -> bool:
    """Whether the winner is better on fresh seeds, beyond chance and by what matters."""
    gain = findings.gain
    if gain is None or findings.best <= 0 or math.isnan(gain.low):
        return False
    difference = 1.0 + contest.question.advice.difference
    if contest.question.objectives[0].direction == HIGHEST:
        return gain.low > 1.0 and gain.estimate >= difference
    return gain.high < 1.0 and gain.estimate * difference <= 1.0


def verdict(contest: Contest, findings: Findings) -> Verdict:
    """The verdict of a race."""
    is_helped = helps(contest, findings)
    rest = (*_rest(contest, findings), _advice(contest, findings, is_helped=is_helped))
    if contest.ended == "none left":
        return Verdict(is_helped, "No candidate keeps the conditions.", rest)
    if len(contest.question.objectives) > 1:
        return Verdict(not findings.rows[0].is_left, _pareto(findings), rest)
    return Verdict(is_helped, _headline(contest, findings, is_helped=is_helped), rest)


def _headline(contest: Contest, findings: Findings, *, is_helped: bool) -> str:
    base, what = findings.rows[0].label, contest.question.objectives[0].name
    percent = _percent(contest.question.advice.difference)
    winner = findings.winner
    if is_helped and winner is not None and findings.gain is not None:
        return (
            f"Change {base} to {winner.label}: the {what} becomes {_times(findings.gain)} times "
            f"that of the base case, measured again on {findings.fresh} fresh seeds."
        )
    if contest.ended == "decided" and findings.best == 0:
        return f"Nothing helps: {base}, the base case, is the best of {len(findings.rows)}."
    if winner is not None and findings.gain is not None:
        return (
            f"Nothing helps by more than {percent}: {winner.label} came first, and on "
            f"{findings.fresh} fresh seeds its {what} is {_times(findings.gain)} times that of "
            f"{base}, the base case."
        )
    return f"It is not known what helps: {len(findings.left)} candidates are left."


def _pareto(findings: Findings) -> str:
    names = ", ".join(row.label for row in findings.left)
    base = findings.rows[0]
    ending = "and the base case is one of them" if base.is_left else (
        f"and {base.label}, the base case, is worse in both objectives"
    )  # fmt: skip
    return f"No other candidate beats these in both objectives: {names}; {ending}."


def _rest(contest: Contest, findings: Findings) -> list[str]:
    advice = contest.question.advice
    said = [_ended(contest, findings)]
    winner = findings.winner
    if winner is not None and winner.place != 0 and not math.isnan(winner.others):
        said.append(f"The other jobs take {winner.others:.3g} times as long as in the base case.")
    if contest.question.conditions:
        said.append(
            "A candidate that breaks a condition by less than "
            f"{_percent(advice.difference)} may count as keeping it."
        )
    if findings.saved is not None:
        factor = findings.saved
        if factor >= 1.05:
            said.append(f"Common seeds reduce the variance of the differences {factor:.3g} times.")
        else:
            said.append("Common seeds reduce no variance: the candidates' draws are unrelated.")
    return said


def _advice(contest: Contest, findings: Findings, *, is_helped: bool) -> str:
    """What to do, or that nothing that was tried helps."""
    base, winner = findings.rows[0], findings.winner
    if contest.ended == "budget":
        return "What to do: give the same command a larger --budget."
    if contest.ended == "none left":
        return (
            "Nothing that was tried helps: relax a condition, or list other values under [sweep]."
        )
    if len(contest.question.objectives) > 1:
        if base.is_left:
            return "What to do: keep the base case, or choose one of these by what matters more."
        return "What to do: choose one of these by which objective matters more."
    if not is_helped or winner is None:
        return (
            f"Nothing that was tried helps: keep {base.label}, or list other keys and values under "
            "[sweep]."
        )
    runners = contest.runners
    old, new = runners[base.place].values, runners[winner.place].values
    changed = [f"{key}={inline(value)}" for key, value in new.items() if old.get(key) != value]
    settings = " ".join(f"--set {shlex.quote(one)}" for one in changed)
    return f"What to do: give `run` the setting{'s' * (len(changed) > 1)} {settings}."


def _ended(contest: Contest, findings: Findings) -> str:
    advice = contest.question.advice
    sure, percent = _percent(1.0 - advice.error), _percent(advice.difference)
    left = _names(findings.left)
    if contest.ended == "decided":
        if len(contest.question.objectives) > 1:
            return (
                f"With a probability of at least {sure} none that was dropped is better than all "
                f"of these by more than {percent} in an objective."
            )
        return (
            f"With a probability of at least {sure} no other candidate is better by more than "
            f"{percent}."
        )
    if contest.ended == "budget":
        return (
            f"The budget ended the race after {contest.race.seeds} seeds with {left} left, so that "
            "no probability is promised."
        )
    if contest.ended == "seeds":
        return (
            f"After {contest.race.seeds} seeds (`advise.most_seeds`) {left} are left; which of "
            "them is best is not decided."
        )
    return f"{len(findings.rows)} candidates were run."


def _names(rows: list[Row]) -> str:
    names = [row.label for row in rows[:6]]
    more = f" and {len(rows) - 6} more" if len(rows) > 6 else ""
    return ", ".join(names) + more


def _times(one: Interval) -> str:
    if math.isnan(one.low):
        return f"{one.estimate:.3g}"
    return f"{one.estimate:.3g} ({one.low:.3g} to {one.high:.3g}, {_percent(one.level)} interval)"


def _percent(share: float) -> str:
    return f"{100.0 * share:.4g} %"
