"""What leaving jobs out does to a job: measured by runs, not read from shares."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from odonata.core.errors import Error, RunError
from odonata.output.report import units
from odonata.output.report.canvas import listed
from odonata.output.report.charged_waits import dusted
from odonata.scenario import Scenario
from odonata.scenario.inputs import Inputs

if TYPE_CHECKING:
    from odonata.results import Result

_NAMED = 3
"""Keys in which two scenarios differ that are named."""

_FREE = ("name", "description", "telemetry")
"""Of a scenario: what does not touch what is simulated."""


def left_out(result: Result, other: Result) -> list[str]:
    """Names of the jobs that another run of the same scenario leaves out.

    Parameters
    ----------
    result : Result
        The run.
    other : Result
        The same without some jobs, whose nodes stay reserved.

    Returns
    -------
    list of str
        At least one, in the order of the run.

    Raises
    ------
    RunError
        The other run is of another scenario, or leaves nobody out.
    """
    differing = _differences(result, other)
    if differing:
        more = len(differing) - _NAMED
        shown = [f"{key} ({here} here, {there} there)" for key, here, there in differing[:_NAMED]]
        shown += [f"{more} more"] if more > 0 else []
        raise RunError(
            f"the results to compare with are of another scenario: they differ in {listed(shown)}. "
            "Compare with a run that leaves jobs out and changes nothing else, such as that of "
            "`odonata run FILE --without JOB`."
        )
    added = [name for name in other.jobs if name not in result.jobs]
    gone = [name for name in result.jobs if name not in other.jobs]
    if added:
        raise RunError(
            f"the results to compare with have {_quoted(added)}, which this run leaves out; give "
            "the run with more jobs first."
        )
    if gone and not _reads_the_same(result, other, gone):
        raise RunError(
            "the results to compare with are of another scenario: a file that it reads, such as a "
            "trace, had another content. Run both again."
        )
    if not gone:
        raise RunError(
            "the results to compare with leave no job out: they are of the same run. Leave one "
            "out with `odonata run FILE --without JOB`."
        )
    return gone


def _reads_the_same(result: Result, other: Result, gone: list[str]) -> bool:
    """Whether the files of two runs had the same content, as far as that can be told.

    Fingerprints hold the content of files. With the files as they are today that of the run is made
    again; if it is still the same, that of the other run follows from it.
    """
    telemetry = [run.scenario.get("telemetry") for run in (result, other)]
    if telemetry[0] != telemetry[1]:
        return True  # it is in the fingerprint, too
    try:
        point = Scenario.from_mapping(result.scenario, folder=result.directory or Path()).points[0]
        if not (point.traces or point.files):
            return True
        inputs = Inputs(executes=False)
        inputs.of(point)
    except Error:  # files are elsewhere
        return True
    digests = inputs.digests
    if point.scenario_hash(digests) != result.summary["scenario_hash"]:
        return True
    muted = [
        {**job, **({"muted": True} if job["name"] in gone else {})} for job in point.config["jobs"]
    ]
    less = replace(point, config={**point.config, "jobs": muted})
    expected = [less, *(point.alone(name) for name in other.jobs if len(other.jobs) == 1)]
    found = other.summary["scenario_hash"]
    return found in {one.scenario_hash(digests) for one in expected}


def _quoted(names: list[str]) -> str:
    return listed([f"`{name}`" for name in names])


def _differences(result: Result, other: Result) -> list[tuple[str, str, str]]:
    """Keys of the resolved scenarios whose values differ, but for who is left out."""
    if not result.scenario or not other.scenario:
        raise RunError(
            "the scenario of one of the results is not known (scenario.resolved.toml is missing), "
            "so that they cannot be compared; run it again."
        )
    here, there = dict(_flat(_core(result.scenario))), dict(_flat(_core(other.scenario)))
    keys = [*here, *(key for key in there if key not in here)]
    found = [
        (key, _shown(here.get(key)), _shown(there.get(key)))
        for key in keys
        if here.get(key) != there.get(key)
    ]
    versions = [str(run.summary.get("odonata_version")) for run in (result, other)]
    if versions[0] != versions[1]:
        found.append(("the version of Odonata", versions[0], versions[1]))
    return found


def _core(scenario: Mapping[str, Any]) -> dict[str, Any]:
    """What is simulated, with jobs by their names, whether they are silent or not."""
    kept = {key: value for key, value in scenario.items() if key not in _FREE}
    jobs = kept.pop("jobs", [])
    silent = ("muted",)
    kept["jobs"] = {
        job["name"]: {key: value for key, value in job.items() if key not in silent} for job in jobs
    }
    kept["order of jobs"] = [job["name"] for job in jobs]
    return kept


def _flat(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:  # noqa: ANN401 - any TOML value
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from _flat(inner, f"{path}.{key}" if path else str(key))
    else:
        yield path, value


def _shown(value: object) -> str:
    return "nothing" if value is None else str(value)[:40]


def removal(result: Result, job: str, other: Result, gone: list[str]) -> dict[str, Any]:
    """Compare a job with itself where others are left out.

    Parameters
    ----------
    result : Result
        The run.
    job : str
        Whose time.
    other : Result
        The run without some jobs.
    gone : list of str
        The jobs that it leaves out.

    Returns
    -------
    dict
        ``without`` (names), ``before_ns`` and ``after_ns``, ``gain`` (share of the time that
        goes; below 0: more time), ``is_comm`` (communication time, not that of a packet),
        ``packet_before_ns``, ``packet_after_ns``, ``is_finished``.

    Raises
    ------
    RunError
        The other run leaves out the job itself.
    """
    if job not in other.jobs:
        raise RunError(f'the results to compare with have no job "{job}".')
    mine, theirs = result.jobs[job], other.jobs[job]
    packets = [(one.summary.get("packet_latency_ns") or {}).get("mean") for one in (mine, theirs)]
    times = [one.comm_time_ns if one.has_ended else None for one in (mine, theirs)]
    is_comm = None not in times
    before, after = times if is_comm else packets
    gain = None
    if before and after is not None:
        gain = dusted((before - after) / before, 1.0)
    return {
        "without": gone,
        "before_ns": before,
        "after_ns": after,
        "gain": gain,
        "is_comm": is_comm,
        "packet_before_ns": packets[0],
        "packet_after_ns": packets[1],
        "is_finished": result.stop == other.stop == "finished",
    }


def without(found: Mapping[str, Any]) -> str:
    """Name who is left out: ``without `X` and `Y```."""
    return f"without {_quoted(found['without'])}"


def sentence(
    job: str, found: Mapping[str, Any], through: Mapping[str, float], *, is_alone: bool
) -> str:
    """Say what a removal shows, and whether it bears out what is charged.

    Parameters
    ----------
    job : str
        Whose time.
    found : mapping
        See :func:`removal`.
    through : mapping
        Share of the waits of the job that is charged to each job; empty without blame.
    is_alone : bool
        Whether nobody else is left.

    Returns
    -------
    str
        One sentence or a few.
    """
    who = without(found)
    head = f"{who[0].upper()}{who[1:]}"
    if found["gain"] is None:
        return f"{head} nothing was measured that can be compared."
    what = "it communicates for" if found["is_comm"] else "a packet takes"
    what = f"it is alone: {what}" if is_alone else what
    said = [
        f"{head} {what} {units.time(found['after_ns'])} in place of "
        f"{units.time(found['before_ns'])}: {changed(found['gain'])}."
    ]
    charged = sum(through.get(name, 0.0) for name in found["without"])
    if through:
        said.append(
            f"Blame charges {units.share(charged)} of the waits of `{job}` to "
            f"{_quoted(found['without'])}: {_verdict(found['gain'], charged)}."
        )
    packets = found["packet_before_ns"], found["packet_after_ns"]
    if found["is_comm"] and None not in packets:
        rest = dusted((packets[0] - packets[1]) / packets[0], 1.0) if packets[0] else 0.0
        turned = ", the other way round" if rest * found["gain"] < 0.0 else ""
        said.append(
            f"A packet takes {units.time(packets[1])} in place of {units.time(packets[0])}, "
            f"{changed(rest)}{turned}."
        )
    if not found["is_finished"]:
        said.append("One of the two runs did not come to its end.")
    return " ".join(said)


_NOTHING = 0.001
"""Share of a time, and of waits, that counts as none."""


def _verdict(gain: float, charged: float) -> str:
    if abs(gain) < _NOTHING:
        is_little = charged < _NOTHING
        return "confirmed, it does nothing" if is_little else "not confirmed, hardly anything moves"
    if gain < 0.0:
        return "not confirmed, it takes longer then"
    return "confirmed" if charged >= _NOTHING else "not confirmed, it gains all the same"


def changed(gain: float) -> str:
    """Say a gain: so much less, so much more, or no difference."""
    if gain == 0.0:
        return "no difference"
    return f"{units.percent(abs(gain))} {'less' if gain > 0.0 else 'more'}"
