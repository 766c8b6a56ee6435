"""Campaigns: what a scenario asks for as tasks, and who carries them out.

A task is one simulation, known by the hash of what decides its outcome: a point of the sweep, a
replica of it, or an isolated run, which several points may share. Executors carry tasks out in this
process, in many, or on a Dask cluster; what a task returns does not depend on where it ran.
"""

from __future__ import annotations

from odonata.campaign.plan import Plan, Planned, plan
from odonata.campaign.task import Done, Failure, Task, run_task

__all__ = ["Done", "Failure", "Plan", "Planned", "Task", "plan", "run_task"]
