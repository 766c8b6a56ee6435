"""Preload libraries: where they are, and what the processes of a job report of them.

What this room does not know: how messages are steered. A report is a file of one process, made by
the library at its end; see ``docs/preload.md`` and
``docs/preload-slingshot.md``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from odonata.core.errors import PreloadError, suggestion
from odonata.core.files import UnreadableError, build_hint, problem, read_text

LIBRARIES = {"aries": "libodonata_aries.so", "fi": "libodonata-fi.so"}
"""Files of the libraries, by the name under which the command line has them."""

MODES = ("adaptive-0", "adaptive-1", "adaptive-3")
"""Modes that a library gives, as reports name them."""

_COUNTS = ("decisions", "small", "changes", "counter_reads", "failed_reads", "resets", "contended")
_SOME_COUNTS = (
    "held_by_order", "retried", "fence_waits", "endpoints", "endpoints_left_alone", "aliases",
    "aliases_refused", "sent_unordered",
)  # fmt: skip
"""Counts of the library for Slingshot alone."""
_REPORTS = ("odonata-aries-", "odonata-fi-")
_MOST_BYTES = 1 << 20
_SCHEMA = 1


def path(name: str) -> Path:
    """File of a library, to be put into ``LD_PRELOAD``.

    Parameters
    ----------
    name : str
        One of :data:`LIBRARIES`.

    Returns
    -------
    pathlib.Path
        Absolute path of a file that is there.

    Raises
    ------
    PreloadError
        There is no such library, or it was not built.
    """
    if name not in LIBRARIES:
        raise PreloadError(f"there is no preload library `{name}`{suggestion(name, LIBRARIES)}")
    file = Path(__file__).resolve().parents[1] / LIBRARIES[name]
    if not file.is_file():
        raise PreloadError(f"{file} is missing; {build_hint()}.")
    return file


def paths() -> dict[str, Path]:
    """Files of all libraries, by name.

    Raises
    ------
    PreloadError
        One was not built.
    """
    return {name: path(name) for name in LIBRARIES}


@dataclass
class Summary:
    """What all processes of a folder did."""

    processes: int = 0
    steered: int = 0
    """Processes with at least one steered message."""
    plans: dict[str, int] = field(default_factory=dict)
    messages: dict[str, int] = field(default_factory=lambda: dict.fromkeys(MODES, 0))
    bytes: dict[str, int] = field(default_factory=lambda: dict.fromkeys(MODES, 0))
    left_alone: dict[str, int] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(_COUNTS, 0))
    problems: dict[str, int] = field(default_factory=dict)
    """Why processes steered nothing or stopped, with how many of them."""
    classes: dict[str, dict[str, int]] = field(default_factory=dict)
    """Lanes of the library for Slingshot: processes by whether the class took effect."""

    @property
    def default_share(self) -> float | None:
        """Share of the steered bytes without a bias, as in De Sensi et al. 2019, Fig. 8."""
        total = sum(self.bytes.values())
        return self.bytes["adaptive-0"] / total if total else None

    def as_json(self) -> dict[str, Any]:
        """The same as a JSON object."""
        return {**vars(self), "default_share": self.default_share}


def gather(folder: Path) -> Summary:
    """Add up the reports of a folder.

    Parameters
    ----------
    folder : pathlib.Path
        What ``ODONATA_ARIES_REPORT`` or ``ODONATA_FI_REPORT`` named.

    Raises
    ------
    PreloadError
        There are no reports, or one cannot be read.
    """
    try:
        files = sorted(file for file in folder.iterdir() if _is_report(file))
    except OSError as error:
        raise PreloadError(f"{folder}: {problem(error)}; name the folder of the reports.") from None
    if not files:
        raise PreloadError(
            f"{folder} holds no reports (odonata-aries-*.json or odonata-fi-*.json); check that "
            "the programs ran with ODONATA_ARIES_REPORT or ODONATA_FI_REPORT set to this "
            "folder, and that they exited normally."
        )
    return add_up((file.name, _read(file)) for file in files)


def add_up(reports: Iterable[tuple[str, Mapping[str, Any]]]) -> Summary:
    """Add up reports, given with the names of their files.

    Examples
    --------
    >>> calm = {"plan": "application-aware", "messages": {"adaptive-3": 2}, "decisions": 1}
    >>> idle = {"problem": "PAPI was not found"}
    >>> total = add_up([("a", calm), ("b", idle), ("c", idle)])
    >>> total.processes, total.steered, total.messages["adaptive-3"], total.problems
    (3, 1, 2, {'PAPI was not found': 2})
    """
    total = Summary()
    for name, report in reports:
        try:
            _add(total, report)
        except (KeyError, TypeError, ValueError, AttributeError):
            raise _damaged(name) from None
    return total


def _add(total: Summary, report: Mapping[str, Any]) -> None:
    total.processes += 1
    if (why := report.get("problem")) is not None:
        total.problems[str(why)] = total.problems.get(str(why), 0) + 1
    plan = str(report.get("plan", "nothing"))
    total.plans[plan] = total.plans.get(plan, 0) + 1
    messages = report.get("messages", {})
    total.steered += any(messages.values())
    for mine, theirs in (
        (total.messages, messages),
        (total.bytes, report.get("bytes", {})),
        (total.left_alone, report.get("left_alone", {})),
        (total.counts, {key: report.get(key, 0) for key in _COUNTS}),
        (total.counts, {key: report[key] for key in _SOME_COUNTS if key in report}),
    ):
        for key, count in theirs.items():
            if not isinstance(count, int) or count < 0:
                raise ValueError(key)
            mine[key] = mine.get(key, 0) + count
    for lane in report.get("lanes", {}).values():
        processes = total.classes.setdefault(str(lane["lane"]), {})
        verdict = str(lane["class"])
        processes[verdict] = processes.get(verdict, 0) + 1


def _is_report(file: Path) -> bool:
    return file.name.startswith(_REPORTS) and file.suffix == ".json"


def _read(file: Path) -> Mapping[str, Any]:
    try:
        report = json.loads(read_text(file, most=_MOST_BYTES))
    except OSError as error:
        raise PreloadError(f"{file}: {problem(error)}; choose another folder.") from None
    except (UnreadableError, ValueError, RecursionError):
        raise _damaged(file.name) from None
    if not isinstance(report, dict) or report.get("schema") != _SCHEMA:
        raise _damaged(file.name)
    return report


def _damaged(name: str) -> PreloadError:
    return PreloadError(f"{name} is not a report of a preload library; move it out of the folder.")
