"""What a policy is held against: the same scenario with each of its ways for all messages."""

from __future__ import annotations

from typing import Any

from odonata.scenario import registry
from odonata.scenario.document import Document, Key, dotted

ALWAYS = "always"
"""Parameter of every policy; its first choice is to decide."""


def with_ways(document: Document) -> Document:
    """The same scenario, swept: the policy as it is, then each way it could always go.

    Parameters
    ----------
    document : Document
        A scenario in which one job has a policy.

    Raises
    ------
    ScenarioError
        No job has a policy, or several have.
    """
    jobs = document.data.get("jobs")
    jobs = jobs if isinstance(jobs, list) else []
    having = [index for index, job in enumerate(jobs) if isinstance(job, dict) and "policy" in job]
    if len(having) != 1:
        found = "several jobs have one" if having else "no job has one"
        raise document.error(
            ("jobs", having[1], "policy") if having else (),
            f"regret is that of one policy, and {found}; give one job a policy, such as "
            'policy = "application-aware".',
        )
    key: Key = ("jobs", having[0], "policy")
    given = jobs[having[0]]["policy"]
    name = given.get("kind") if isinstance(given, dict) else given
    entry = registry.family("policies").get(name) if isinstance(name, str) else None
    if entry is None:
        known = ", ".join(registry.family("policies"))
        raise document.error(key, f"a policy is one of {known}.")
    changes: list[tuple[Key, Any, str]] = []
    if not isinstance(given, dict):
        changes.append((key, {"kind": name}, "--regret"))
    choices = next(field.choices for field in entry.parameters if field.name == ALWAYS)
    changes.append((("sweep", dotted((*key, ALWAYS))), list(choices), "--regret"))
    return document.changed_copy(changes)
