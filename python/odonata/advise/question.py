"""What is asked: candidates, objectives and conditions of a scenario file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from odonata.advise import objective
from odonata.scenario.advice import Advice, Wish, read
from odonata.scenario.candidates import Candidates, candidates
from odonata.scenario.document import Document
from odonata.scenario.model import read_document, set_from
from odonata.scenario.resolve import name_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is asked.

    Parameters
    ----------
    name : str
        Of the scenario.
    advice : Advice
        The table ``[advise]``.
    candidates : Candidates
        What there is to choose from; the first is the base case.
    objectives : tuple of Wish
        One or two.
    conditions : tuple of Wish
        What candidates must keep to, of one job each.
    """

    name: str
    advice: Advice
    candidates: Candidates
    objectives: tuple[Wish, ...]
    conditions: tuple[Wish, ...]

    def unit(self, wish: Wish) -> str:
        """Unit of an objective."""
        return objective.unit(wish, self.candidates.every[0].point.config["jobs"])

    @property
    def needs_baseline(self) -> bool:
        """Whether victims must run alone, too."""
        return any(one.quantity in objective.COMPARED for one in self.objectives + self.conditions)


def read_question(path: Path, overrides: Sequence[str] = ()) -> Question:
    """Read a scenario file with a sweep and, if it has one, the table ``[advise]``.

    Parameters
    ----------
    path : pathlib.Path
        The file.
    overrides : sequence of str
        ``key=value`` settings that replace what the file says; what they set is not swept.

    Raises
    ------
    ScenarioError
        Says what is wrong, and where.
    """
    return question(read_document(path), overrides)


def question(document: Document, overrides: Sequence[str] = ()) -> Question:
    """The same of a scenario that is read already."""
    document, fixed = set_from(document, overrides)
    asked = read(document)
    found = candidates(document, fixed=[*asked.fixed, *fixed])
    jobs = found.every[0].point.config["jobs"]
    objectives = asked.objectives or (objective.default(jobs),)
    objective.checked([*objectives, *asked.conditions], jobs, document)
    return Question(
        name=name_of(document), advice=asked, candidates=found, objectives=objectives,
        conditions=tuple(objective.single(asked.conditions, jobs)),
    )  # fmt: skip
