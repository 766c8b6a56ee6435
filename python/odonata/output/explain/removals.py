"""What leaving jobs out does to a job: measured by runs, not read from shares."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from odonata.core.errors import Error, RunError
from odonata.output.canvas import listed
from odonata.output.explain import units
from odonata.output.explain.charged_waits import dusted
from odonata.output.explain.ratios import ratio
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


def removals(pairs: Sequence[tuple[Result, Result]], job: str, gone: list[str]) -> dict[str, Any]:
    """Compare a job with itself where others are left out, replica by replica.

    Parameters
    ----------
    pairs : sequence of tuple of Result
        Of each replica the run, and the same run without some jobs.
    job : str
        Whose time.
    gone : list of str
        The jobs that are left out.

    Returns
    -------
    dict
        ``without`` (names), ``before_ns`` and ``after_ns`` (geometric means over replicas),
        ``gain`` (share of the time that goes; below 0: more time) with ``low`` and ``high`` (ends
        of its 95 % interval, or ``None``), ``replicas`` that were compared, ``is_comm``
        (communication time, not that of a packet), ``packet_before_ns``, ``packet_after_ns``,
        ``packet_gain``, ``is_finished``, and the two ratios as :class:`Ratio`: ``ratio``,
        ``packet_ratio``.

    Raises
    ------
    RunError
        A run leaves out the job itself.
    """
    if any(job not in other.jobs for _, other in pairs):
        raise RunError(f'the results to compare with have no job "{job}".')
    packets = _columns([(_latency(one, job), _latency(other, job)) for one, other in pairs])
    times = _columns([(_comm_time(one, job), _comm_time(other, job)) for one, other in pairs])
    found, of_packets = ratio(times[1], times[0]), ratio(packets[1], packets[0])
    is_comm = found is not None
    if not is_comm:
        found, times = of_packets, packets
    gain = None if found is None else dusted(1.0 - found.typical, 1.0)
    low, high = (None, None) if found is None else (found.low, found.high)
    return {
        "without": gone,
        "before_ns": _typical(times[0]),
        "after_ns": _typical(times[1]),
        "gain": gain,
        "low": None if high is None else 1.0 - high,
        "high": None if low is None else 1.0 - low,
        "replicas": 0 if found is None else len(found.each),
        "is_comm": is_comm,
        "packet_before_ns": _typical(packets[0]),
        "packet_after_ns": _typical(packets[1]),
        "packet_gain": None if of_packets is None else dusted(1.0 - of_packets.typical, 1.0),
        "is_finished": all(one.stop == other.stop == "finished" for one, other in pairs),
        "ratio": found,
        "packet_ratio": of_packets,
    }


Times = list[float | None]


def _columns(rows: Sequence[tuple[float | None, float | None]]) -> tuple[Times, Times]:
    """The times of those replicas that have both."""
    kept = [(one, other) for one, other in rows if one and other]
    return [one for one, _ in kept], [other for _, other in kept]


def _latency(run: Result, job: str) -> float | None:
    return (run.jobs[job].summary.get("packet_latency_ns") or {}).get("mean")


def _comm_time(run: Result, job: str) -> float | None:
    one = run.jobs[job]
    return one.comm_time_ns if one.has_ended else None


def _typical(values: Times) -> float | None:
    """The geometric mean: of ratios and of their parts alike."""
    known = [value for value in values if value]
    if len(known) < 2:
        return known[0] if known else None
    return math.exp(sum(map(math.log, known)) / len(known))


def without(found: Mapping[str, Any]) -> str:
    """Name who is left out: ``without `X` and `Y```."""
    return f"without {_quoted(found['without'])}"


def sentence(
    job: str, found: Mapping[str, Any], through: Mapping[str, float], *, is_alone: bool
) -> str:
    """Say what a removal shows, and whether it confirms what is charged.

    Parameters
    ----------
    job : str
        Whose time.
    found : mapping
        See :func:`removals`.
    through : mapping
        Share of the waits of the job that is charged to each job; empty without blame.
    is_alone : bool
        Whether nobody else is left.
    """
    who = without(found)
    head = f"{who[0].upper()}{who[1:]}"
    if found["gain"] is None:
        return f"{head} there is no time to compare."
    what = "it communicates for" if found["is_comm"] else "a packet takes"
    what = f"it is alone: {what}" if is_alone else what
    said = [
        f"{head} {what} {units.time(found['after_ns'])} instead of "
        f"{units.time(found['before_ns'])}: {changed(found['gain'])} ({found['ratio'].basis})."
    ]
    charged = sum(through.get(name, 0.0) for name in found["without"])
    if through:
        said.append(
            f"Blame charges {units.share(charged)} of the waits of `{job}` to "
            f"{_quoted(found['without'])}: {_verdict(found, charged)}."
        )
    if found["is_comm"] and found["packet_gain"] is not None:
        rest = found["packet_gain"]
        turned = ", the opposite direction" if rest * found["gain"] < 0.0 else ""
        said.append(
            f"A packet takes {units.time(found['packet_after_ns'])} instead of "
            f"{units.time(found['packet_before_ns'])}: {changed(rest)}{turned} "
            f"({found['packet_ratio'].basis})."
        )
    if not found["is_finished"]:
        said.append("One of the compared runs was cut before its end.")
    return " ".join(said)


_NOTHING = 0.001
"""Share of a time, and of waits, that counts as none."""


def _verdict(found: Mapping[str, Any], charged: float) -> str:
    """Whether what was measured confirms what is charged: only an interval can."""
    gain, is_little = found["gain"], charged < _NOTHING
    if not found["ratio"].has_interval:
        verb = "agree" if (gain < _NOTHING) == is_little and gain > -_NOTHING else "disagree"
        count = found["replicas"]
        runs = f"one run {verb}s" if count == 1 else f"{count} replicas {verb}"
        return f"{runs}, which neither confirms nor refutes it without an interval"
    if not found["ratio"].is_sure:
        return "no difference is seen" if is_little else "not confirmed, no difference is seen"
    if gain < 0.0:
        return "not confirmed, it takes longer then"
    return "not confirmed, although it is faster then" if is_little else "confirmed"


def changed(gain: float) -> str:
    """Say a gain: so much less, so much more, or no difference."""
    if gain == 0.0:
        return "no difference"
    return f"{units.percent(abs(gain))} {'less' if gain > 0.0 else 'more'}"
