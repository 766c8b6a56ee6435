"""Job scripts: one allocation, one measurement, what ran beside it noted as far as possible."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from odonata.core.errors import MeasurementError, suggestion
from odonata.measured.measure.modes import LIBRARIES

SCHEDULERS = ("slurm", "pbs")
"""Schedulers for which there is a script."""

_MOST = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What to ask of a scheduler.

    Attributes
    ----------
    scheduler : str
        One of :data:`SCHEDULERS`.
    nodes, ranks_per_node : int
        Size of the allocation.
    minutes : int
        Limit of the job.
    preload : str
        Library of Odonata that is preloaded, by the name of ``odonata preload path``; empty for
        none.
    command : str
        What starts the harness on a rank.
    arguments : sequence of str
        Behind ``measure run``, without ``--out``.
    """

    scheduler: str = "slurm"
    nodes: int = 64
    ranks_per_node: int = 1
    minutes: int = 60
    preload: str = ""
    command: str = "odonata"
    arguments: Sequence[str] = ()

    def __post_init__(self) -> None:
        """Refuse what no scheduler can give."""
        if self.scheduler not in SCHEDULERS:
            raise MeasurementError(f"there is no scheduler `{self.scheduler}`."
                                   f"{suggestion(self.scheduler, SCHEDULERS)}")  # fmt: skip
        libraries = [one.preload for one in LIBRARIES]
        if self.preload and self.preload not in libraries:
            raise MeasurementError(f"there is no preload library `{self.preload}`."
                                   f"{suggestion(self.preload, libraries)}")  # fmt: skip
        for what, value in (("nodes", self.nodes), ("ranks per node", self.ranks_per_node),
                            ("minutes", self.minutes)):  # fmt: skip
            if not 1 <= value <= _MOST:
                raise MeasurementError(f"{value} {what} are not possible; give 1 to {_MOST}.")


def script(plan: Plan) -> str:
    """Text of the job script.

    Parameters
    ----------
    plan : Plan
        What to ask for.

    Returns
    -------
    str
        A shell script for the scheduler's submit command.

    Examples
    --------
    >>> print(script(Plan(nodes=2, arguments=["ping-pong"])).splitlines()[1])
    #SBATCH --job-name=odonata-measure
    """
    lines = _slurm(plan) if plan.scheduler == "slurm" else _pbs(plan)
    return "\n".join(lines) + "\n"


_AFTER = (
    "",
    "# After the job, on any machine: is it the network, and does the remedy help?",
    "#   odonata noise measured/ID",
)


def _harness(plan: Plan, out: str) -> str:
    words = [plan.command, "measure", "run", *plan.arguments]
    return f"{' '.join(shlex.quote(word) for word in words)} --out {out}"


def _preload(plan: Plan) -> list[str]:
    if not plan.preload:
        return []
    return [
        "",
        "# The library sets the modes; without it the harness cannot alternate them and refuses.",
        f"library=$(odonata preload path {plan.preload})",
        f'export ODONATA_{plan.preload.upper()}_REPORT="$out/preload"',
        *(_COUNTERS if plan.preload == "fi" else ()),
    ]


_COUNTERS = (
    "# It reads counters of the NIC by number; without this file it refuses the modes.",
    'export ODONATA_FI_COUNTERS="${ODONATA_FI_COUNTERS:-$PWD/counters.txt}"',
    'if [ ! -r "$ODONATA_FI_COUNTERS" ]; then',
    '    echo "$ODONATA_FI_COUNTERS is missing: docs/preload-slingshot.md says how to make it once'
    ' for a machine" >&2',
    "    exit 2",
    "fi",
)
"""Of the library for Slingshot, in front of the run."""


def _slurm(plan: Plan) -> list[str]:
    extra = ' --export=ALL,LD_PRELOAD="$library"' if plan.preload else ""
    return [
        "#!/bin/bash",
        "#SBATCH --job-name=odonata-measure",
        f"#SBATCH --nodes={plan.nodes}",
        f"#SBATCH --ntasks-per-node={plan.ranks_per_node}",
        f"#SBATCH --time={plan.minutes // 60:02d}:{plan.minutes % 60:02d}:00",
        "#SBATCH --exclusive",
        "#SBATCH --output=measured-%j.log",
        "",
        "# One allocation, one folder: measurements of different allocations are not pooled.",
        'out="measured/$SLURM_JOB_ID"',
        "mkdir -p measured/beside",
        "",
        "# Record the other running jobs, for a simulation with the same neighbours.",
        'beside="measured/beside/$SLURM_JOB_ID"',
        "list() {",
        "    { echo 'JobID|User|JobName|Start|End|NNodes|NodeList'",
        "      squeue --states=running --noheader --format='%i|%u|%j|%S|%e|%D|%N'; } "
        '> "$1" || true',
        "}",
        'list "$beside-before.txt"',
        *_preload(plan),
        "",
        f"srun --cpu-bind=cores{extra} {_harness(plan, chr(34) + '$out' + chr(34))}",
        'list "$beside-after.txt"',
        *_AFTER,
    ]


def _pbs(plan: Plan) -> list[str]:
    ranks = plan.nodes * plan.ranks_per_node
    extra = ' --env LD_PRELOAD="$library"' if plan.preload else ""
    return [
        "#!/bin/bash",
        "#PBS -N odonata-measure",
        f"#PBS -l select={plan.nodes}:mpiprocs={plan.ranks_per_node}",
        f"#PBS -l walltime={plan.minutes // 60:02d}:{plan.minutes % 60:02d}:00",
        "#PBS -l place=excl",
        "#PBS -j oe",
        'cd "$PBS_O_WORKDIR"',
        "",
        "# One allocation, one folder: measurements of different allocations are not pooled.",
        'out="measured/${PBS_JOBID%%.*}"',
        "mkdir -p measured/beside",
        "",
        "# Record the other running jobs, for a simulation with the same neighbours.",
        'beside="measured/beside/${PBS_JOBID%%.*}"',
        'list() { qstat -f -F json > "$1" || true; }',
        'list "$beside-before.txt"',
        *_preload(plan),
        "",
        f"mpiexec -n {ranks} --ppn {plan.ranks_per_node} --cpu-bind depth{extra} "
        f"{_harness(plan, chr(34) + '$out' + chr(34))}",
        'list "$beside-after.txt"',
        *_AFTER,
    ]
