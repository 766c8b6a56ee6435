"""Which job a run leaves out: the scenario as it is, and once without each job."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from odonata.core.errors import suggestion
from odonata.scenario.document import Document

WITHOUT = "without"
"""Key of a scenario: the job that is left out while its nodes stay reserved."""

NOBODY = "none"
"""Its value where every job is there."""


def leave_out(jobs: Sequence[dict[str, Any]], document: Document) -> None:
    """Mute the job that a scenario leaves out by its key ``without``.

    Parameters
    ----------
    jobs : sequence of dict
        All of them; the one that is left out becomes silent, as with ``muted = true``.
    document : Document
        The scenario.

    Raises
    ------
    ScenarioError
        No job is called so, or one is called as what stands for nobody.
    """
    name = document.data.get(WITHOUT, NOBODY)
    names = [job["name"] for job in jobs]
    if WITHOUT in document.data and NOBODY in names:
        raise document.error(
            (WITHOUT,), f'"{NOBODY}" leaves no job out, and a job is called so; rename the job.'
        )
    if name == NOBODY:
        return
    if name not in names:
        nearest = suggestion(str(name), names) if isinstance(name, str) else ""
        raise document.error(
            (WITHOUT,), f"{name!r:.60} is no job; name the one to leave out.{nearest}"
        )
    jobs[names.index(name)]["muted"] = True


def removable(jobs: Sequence[Mapping[str, Any]]) -> list[str]:
    """Names of the jobs without which a run still has somebody to tell about.

    Parameters
    ----------
    jobs : sequence of mapping
        Of a resolved configuration.

    Returns
    -------
    list of str
        In their order: those beside which another victim runs; where there are no victims, all
        of several jobs.

    Examples
    --------
    >>> jobs = [{"name": "a", "role": "victim"}, {"name": "b", "role": "aggressor"}]
    >>> removable(jobs)
    ['b']
    """
    there = [job for job in jobs if not job.get("muted")]
    victims = {job["name"] for job in there if job["role"] == "victim"}
    told = victims or {job["name"] for job in there}
    return [job["name"] for job in there if told - {job["name"]}]


def with_removals(document: Document, jobs: Sequence[Mapping[str, Any]]) -> Document:
    """The same scenario, swept: with all jobs, then once without each.

    Parameters
    ----------
    document : Document
        A scenario.
    jobs : sequence of mapping
        Its jobs, resolved.

    Raises
    ------
    ScenarioError
        There is nobody to leave out, or what is left out is given already.
    """
    sweep = document.data.get("sweep")
    if WITHOUT in document.data or (isinstance(sweep, dict) and WITHOUT in sweep):
        raise document.error((), "--without-each sweeps `without`, which the scenario gives; keep "
                             "one of them.")  # fmt: skip
    names = removable(jobs)
    if not names:
        raise document.error(
            (), "there is no job to leave out: nobody would be left to tell about; give the "
            "victim another job beside it."
        )  # fmt: skip
    return document.changed_copy([(("sweep", WITHOUT), [NOBODY, *names], "--without-each")])
