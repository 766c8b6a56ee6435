"""A scenario whose background jobs are those that a log has at an instant."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from odonata.core.errors import Error, ScenarioError, suggestion
from odonata.scenario import Scenario, before, mixes, presets, registry
from odonata.scenario.joblogs import hosts
from odonata.scenario.joblogs.log import JobLog
from odonata.scenario.model import read_document
from odonata.scenario.text import to_toml

MOST_JOBS = 200
"""Jobs of a log in a scenario; all of a scenario are 255 at most."""

_SYSTEMS = {"frontier": "frontier", "aurora": "aurora"}
"""Presets of the machines whose logs have a form of their own."""

_BIAS = (
    (1, ""),
    (4, "4 moved a victim's slowdown by up to a tenth in 17 of 20 pairs, by 22 % in the worst"),
    (16, "16 moved a victim's slowdown by -12 to +93 %"),
    (64, "64 moved a victim's slowdown by -19 to +310 %"),
)
"""What docs/studies/large-packets.md has measured."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What a user asks for beside log and instant.

    Parameters
    ----------
    system : str or None
        Preset; by default that of the victim's scenario, or the log's machine.
    mix : str
        See :func:`mixes.read`.
    victim : str or None
        A scenario file, ``WORKLOAD[:NODES]``, or ``job:ID`` of the log.
    placement : str
        Of jobs without node lists.
    per_node : float
        Nodes or processors of the log that a node of the scenario stands for.
    ranks_per_node : int or None
        By default one for each NIC.
    packets : int
        ``packet_multiple`` of the neighbours.
    most : int
        Jobs at most, the largest.
    own : str or None
        Job of the log that was measured: it is no neighbour, and its nodes are the victim's.
    first : int or None
        See :func:`hosts.places`.
    seed : int
        Of the scenario.
    """

    system: str | None = None
    mix: str = "hpc"
    victim: str | None = None
    placement: str = "random-node"
    per_node: float = 1.0
    ranks_per_node: int | None = None
    packets: int = 1
    most: int = MOST_JOBS
    own: str | None = None
    first: int | None = None
    seed: int = 1


@dataclass(slots=True)
class Neighbour:
    """A job of the log that is to run.

    Parameters
    ----------
    job : str
        Its id.
    nodes : int
        How many it has in the scenario.
    places : list of int
        Nodes of the system; empty where the log has none.
    load : float
        Share of the injection bandwidth that it used, if the log says it; otherwise 0.
    """

    job: str
    nodes: int
    places: list[int]
    load: float


@dataclass(frozen=True, slots=True)
class Written:
    """A scenario, and what was assumed for it."""

    text: str
    jobs: int
    nodes: int
    system_nodes: int
    assumed: list[str]


@dataclass(frozen=True, slots=True)
class _Machine:
    """A system: its tables, nodes that jobs can have, NICs of each, bytes per second of a node."""

    tables: dict[str, Any]
    nodes: list[int]
    nics: int
    bandwidth: float
    is_controlled: bool


def scenario(log: JobLog, at_s: float, wish: Wish, out: Path) -> Written:
    """Text of a scenario that passes ``odonata check``.

    Parameters
    ----------
    log : JobLog
        The log.
    at_s : float
        When, in seconds of the log.
    wish : Wish
        What is asked for.
    out : pathlib.Path
        Where it will be: it names the scenario, and paths in it begin there.

    Raises
    ------
    Error
        The jobs, the system and the wishes do not go together.
    """
    base = _beside(wish, out)
    victims = base.pop("jobs", [])
    machine = _machine(log, wish, base)
    assumed: list[str] = []
    found, own = _neighbours(log, at_s, wish, machine, assumed)
    jobs = [*_jobs(found, wish, machine, assumed)]
    victims += _victims(wish, machine, jobs)
    _settle(victims, own, wish, assumed)
    _tell_of_packets(wish, machine, assumed)
    data = {"schema": 1, "name": out.stem, **base, **machine.tables, "seed": wish.seed}
    data["jobs"] = [*jobs, *victims]
    if not victims and all(job["role"] == "background" for job in jobs):
        data["measure"] = {"warm_up": "20 us", "window": "100 us"}
    data.setdefault("stop", {"time": "1 s"})
    if "sweep" in data:  # neighbours are in front of the jobs that its keys count
        later = partial(re.sub, r"^jobs\.(\d+)", lambda one: f"jobs.{int(one[1]) + len(jobs)}")
        data["sweep"] = {later(key): values for key, values in data["sweep"].items()}
    said = textwrap.wrap(
        f"Jobs of {log.path.name} ({log.form}) at {log.clock(at_s)}, as neighbours. Assumed:",
        96,
    )
    for one in assumed:
        said += textwrap.wrap(one, 96, initial_indent="* ", subsequent_indent="  ")
    text = "".join(f"# {line}\n" for line in said) + to_toml(data)
    _check(text, out)
    nodes = sum(one.nodes for one in found)
    return Written(text, len(found), nodes, len(machine.nodes), assumed)


def _check(text: str, out: Path) -> None:
    try:
        before.check(Scenario.from_text(text, folder=out.parent).points[0])
    except ScenarioError as error:
        said = re.sub(r"^<text>(, line \d+)?: ", "", str(error))
        room = "--most N leaves the smallest out; --victim job:ID makes one the victim."
        more = f" {room}" if " free" in said else ""
        raise Error(
            f"{out}: the jobs of the log make no scenario that can run: {said}{more}"
        ) from None


def _beside(wish: Wish, out: Path) -> dict[str, Any]:
    """Tables of the scenario of the victim, if there is one."""
    if not (wish.victim or "").endswith(".toml"):
        return {}
    path = Path(str(wish.victim))
    data = read_document(path).data
    if path.absolute().parent != out.parent:
        raise Error(
            f"--out {out}: paths in a scenario begin in its folder; write it to that of {path}."
        )
    for index, job in enumerate(data.get("jobs", ())):
        placement = job.get("placement")
        if isinstance(placement, dict) and "file" in placement:
            placement.setdefault("line", index)
    return {key: data[key] for key in data if key not in {"schema", "name", "seed"}}


def _victims(wish: Wish, machine: _Machine, jobs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The job that a wish names: a new one, or one of the log's, which becomes the victim."""
    what, _, which = (wish.victim or "").partition(":")
    if not what or what.endswith(".toml"):
        return []
    if what == "job":
        named = {one["name"].removeprefix("log-"): one for one in jobs}
        if which not in named:
            near = suggestion(which, named)[:300]
            raise Error(f"--victim {wish.victim}: no such job runs on several nodes then.{near}")
        if named[which]["workload"].get("kind") in {None, mixes.OPEN_LOOP}:
            raise Error(
                f"--victim {wish.victim}: open-loop traffic has no time that others could prolong; "
                "choose a mix of workloads."
            )
        named[which]["role"] = "victim"
        named[which].pop("packet_multiple", None)
        return []
    known = [one for one in registry.family("workloads") if one not in mixes.NEED_MORE]
    if what not in known:
        near = suggestion(what, ["job:ID", "FILE.toml", *known])
        raise Error(f"--victim {wish.victim}: this is no workload, scenario or job.{near}")
    if which and not (which.isdecimal() and 1 < int(which) < 10**6):
        raise Error(
            f"--victim {wish.victim}: `{which}` is no number of nodes; write, for example, "
            f"{what}:64."
        )
    keys = mixes.workload(what, int(which or 64), machine.nics, _ranks(wish, machine))
    return [{"name": "victim", "role": "victim", "placement": "random-node", **keys}]


def _ranks(wish: Wish, machine: _Machine) -> int:
    """Ranks on a node."""
    return wish.ranks_per_node or machine.nics


def _machine(log: JobLog, wish: Wish, base: dict[str, Any]) -> _Machine:
    name = wish.system or ("" if "system" in base else _SYSTEMS.get(log.form, ""))
    own = {"preset": name} if name else base.get("system")
    if not isinstance(own, dict):
        raise Error("which system? Give --system PRESET; `odonata list systems` lists them.")
    tables: dict[str, Any] = {"system": own}
    preset = presets.find(own.get("preset"))
    if "routing" not in base and not (preset and preset.routing):
        tables["routing"] = {"algorithm": "par"}
    tiny = {"name": "a", "workload": {"kind": "barrier", "ranks": 2}}
    try:
        routing = {"routing": base["routing"]} if "routing" in base else {}
        point = Scenario.from_mapping({**routing, **tables, "jobs": [tiny]}).points[0]
        count = before.check(point)["nodes"]
    except ScenarioError as error:
        raise Error(f"the system: {str(error).removeprefix('scenario: ')}") from None
    system = point.config["system"]
    node = system.get("node", {})
    nics = node.get("nics", 1)
    for other in system["topology"].get("more_groups", ()):
        count -= other["groups"] * other["routers_per_group"] * other["nodes_per_router"]
    out = {one for first, last in node.get("out_of_service", ()) for one in range(first, last + 1)}
    nodes = [one for one in range(count // nics) if one not in out]
    bandwidth = nics * system["links"]["host"]["bandwidth_bytes_per_s"]
    controller = system["nic"].get("congestion") or "none"
    kind = controller["kind"] if isinstance(controller, dict) else controller
    return _Machine(tables, nodes, nics, bandwidth, kind != "none")


def _neighbours(
    log: JobLog, at_s: float, wish: Wish, machine: _Machine, assumed: list[str]
) -> tuple[list[Neighbour], list[int]]:
    """Jobs that run at the instant, without those that do not communicate; nodes of one's own."""
    running = log.running(at_s)
    if not len(running):
        raise Error(f"no job of {log.path.name} runs at {log.clock(at_s)}; try --at busiest.")
    where = _where(log, wish, machine, assumed)
    found: list[Neighbour] = []
    taken: set[int] = set()
    lost = 0
    for row in running.iter_rows(named=True):
        nodes = -int(-row["size"] // wish.per_node)
        places = [where[name] for name in row["node_list"] or ()] if where else []
        if places:
            lost += len(taken & set(places))
            places = [one for one in places if one not in taken]
            taken |= set(places)
            nodes = len(places)
        lasted = row["end_s"] - row["start_s"]
        rate = (row["sent_bytes"] or 0.0) / lasted / row["size"] * wish.per_node
        found.append(Neighbour(row["job"], nodes, places, rate / machine.bandwidth))
    if lost:
        assumed.append(f"{_count(lost, 'node')} that several jobs share: the first job has them.")
    own = _own(found, wish, log.clock(at_s))
    found = _largest([one for one in found if one not in own], wish, assumed)
    total = sum(one.nodes for one in found)
    if not found or total > len(machine.nodes):
        raise Error(
            f"jobs of {total} nodes run at {log.clock(at_s)}, and the system has "
            f"{len(machine.nodes)}; choose another system or instant, or let a node stand for "
            f"several {log.unit} with --per-node."
        )
    for index, one in enumerate(found):  # parts of a job, or one that was started again
        one.job = re.sub(r"[^\w.+\-\[\]]", "-", one.job)
        if any(one.job == other.job for other in found[:index]):
            one.job += f"-again-{index}"
    return found, [place for one in own for place in one.places]


def _own(found: list[Neighbour], wish: Wish, when: str) -> list[Neighbour]:
    """The job that was measured, if one is named."""
    own = [one for one in found if one.job == wish.own]
    if wish.own is not None and not own:
        near = suggestion(wish.own, [one.job for one in found])[:300]
        raise Error(f"--own {wish.own}: no such job runs at {when}.{near}")
    return own


def _settle(victims: list[dict[str, Any]], own: list[int], wish: Wish, assumed: list[str]) -> None:
    """Put the victim on the nodes of the job that was measured."""
    if wish.own is None:
        return
    if len(victims) != 1:
        raise Error(f"--own {wish.own}: its nodes are for one victim beside the log's jobs; give "
                    "--victim WORKLOAD:NODES, or a scenario of one job.")  # fmt: skip
    if own:
        victims[0]["placement"] = {"kind": "list", "nodes": own}
        assumed.append(f"`{victims[0]['name']}` has the {_count(len(own), 'node')} of job "
                       f"{wish.own}.")  # fmt: skip


def _largest(found: list[Neighbour], wish: Wish, assumed: list[str]) -> list[Neighbour]:
    """The jobs that are taken, the largest first."""
    several = sorted((one for one in found if one.nodes > 1), key=lambda one: -one.nodes)
    if len(several) < len(found):
        alone = len(found) - len(several)
        assumed.append(
            f"{_count(alone, 'job')} of one node {'is' if alone == 1 else 'are'} left out: nothing "
            "is sent to others."
        )
    rest = several[wish.most :]
    if rest:
        assumed.append(
            f"Of {len(several)} jobs the {wish.most} largest are taken; the others have "
            f"{sum(one.nodes for one in rest)} nodes, which stay idle."
        )
    return several[: wish.most]


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"


def _where(log: JobLog, wish: Wish, machine: _Machine, assumed: list[str]) -> dict[str, int]:
    """Nodes of the system by their names in the log; empty if places are drawn."""
    known = registry.family("placements")
    if wish.placement not in known:
        near = suggestion(wish.placement, known)
        raise Error(f"--placement: `{wish.placement}` is not known.{near}")
    names = log.jobs["node_list"].explode().drop_nulls().unique().to_list()
    drawn = (f"Places are drawn by `{wish.placement}`, and anew in each replica "
             f"(odonata run --replicas)")  # fmt: skip
    if not names or wish.per_node != 1:
        why = "the log has no node lists" if not names else "a node stands for several"
        if wish.first is not None:
            raise Error(f"--first: {why}, so that places are drawn.")
        assumed.append(f"{drawn}: {why}.")
        return {}
    try:
        found, rule = hosts.places(names, machine.nodes, wish.first)
    except ValueError as error:
        raise Error(
            f"the nodes of the log are no nodes of the system: {error}. Choose another system or "
            "--first, or --per-node above 1, which draws places."
        ) from None
    assumed.append(f"Nodes are those of the log: {rule}.")
    if len(log.jobs) > log.jobs["node_list"].count():
        assumed.append(f"{drawn}, for jobs without a node list.")
    return found


def _jobs(
    found: list[Neighbour], wish: Wish, machine: _Machine, assumed: list[str]
) -> Iterator[dict[str, Any]]:
    """Entries of ``[[jobs]]``; those with nodes of their own come first."""
    shares = mixes.read(wish.mix)
    if shares:
        kinds = mixes.dealt(shares, [one.nodes for one in found])
        shown = ", ".join(f"{name} {share:.0%}" for name, share in shares.items())
        assumed.append(f"What jobs communicate is not in the log. Mix `{wish.mix}`: {shown} of the "
                       "nodes, dealt to the largest jobs first.")  # fmt: skip
    elif not any(one.load for one in found):
        raise Error(
            "--mix measured: the log does not say what its jobs sent (Lassen's does, with its node "
            "history, and a list with `sent_bytes`); choose another mix."
        )
    else:
        kinds = [mixes.OPEN_LOOP] * len(found)
        assumed.append("Each job sends its measured mean rate as uniform random traffic, without "
                       "bursts; jobs whose rate is unknown or 0 send nothing and are left out. "
                       "Lassen's counters are taken as words of 4 bytes.")  # fmt: skip
    per_node = _ranks(wish, machine)
    assumed.append(
        f"Each job has {_count(per_node, 'rank')} on a node, runs all the time, and has the "
        "defaults of its workload."
    )
    for one, kind in sorted(zip(found, kinds, strict=True), key=lambda pair: not pair[0].places):
        keys = mixes.workload(kind, one.nodes, machine.nics, per_node)
        if not shares:
            if not one.load:
                continue
            keys["workload"]["load"] = max(float(f"{one.load:.4g}"), 1e-9)
        where = {"kind": "list", "nodes": one.places} if one.places else wish.placement
        large = {"packet_multiple": wish.packets} if wish.packets > 1 else {}
        yield {"name": f"log-{one.job}", "role": "background", "placement": where, **large, **keys}


def _tell_of_packets(wish: Wish, machine: _Machine, assumed: list[str]) -> None:
    if wish.packets < 2:
        return
    bias = next((words for most, words in _BIAS if wish.packets <= most), _BIAS[-1][1])
    assumed.append(f"A packet of a neighbour stands for up to {wish.packets}: {bias} "
                   "(docs/studies/large-packets.md).")  # fmt: skip
    if machine.is_controlled:
        machine.tables["system"] = presets.merged(
            machine.tables["system"], {"nic": {"congestion": {"kind": "none"}}}
        )
        assumed.append("Congestion control of the system is off: it counts packets.")
