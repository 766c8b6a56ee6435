"""The same mix of jobs on another machine: share of nodes, load per node and placement stay."""

from __future__ import annotations

import copy
import itertools
import math
import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from odonata.core.errors import Error, ScenarioError
from odonata.core.quantities import format_quantity
from odonata.scenario import Scenario, before, machine, registry
from odonata.scenario.jobs import OPEN_LOOP
from odonata.scenario.machine import Machine, Pool
from odonata.scenario.occupancy import KIND as OCCUPANCY
from odonata.scenario.text import to_toml

_PROBED = (64, 512)
"""Ranks of which messages are counted; beyond, the power of ranks that fits these is taken."""

_MOVED = 1.5
"""By so much more or less bytes per node than before, sizes of messages are changed; the rims of
grids and the steps of collectives move them by less."""

_SIZES = (0.01, 20.0)
"""Least and greatest `size_scale`."""

_TRIES = 100
_FILES = ("trace", "profile")
"""Workloads whose file says how many ranks there are."""

_NEAREST = {"random-chassis": "random-router", "random-cabinet": "random-group",
            "chassis": "router", "cabinet": "group"}  # fmt: skip
"""Units that Aries has, and what is nearest to them elsewhere."""

_DECIDED = {"ranks", "ranks_per_node", "grid", "load", "interval", "size_scale", "nodes", "groups"}
"""Keys of jobs that are scaled: a sweep over them is one over the old machine's numbers."""

_ERROR = re.compile(r"[^`]*`(?:jobs\[(\d+)\]\.)?(\w+)[^`]*`: (.*)", re.DOTALL)


@dataclass(slots=True)
class Share:
    """A job on both machines.

    Parameters
    ----------
    name : str
        Of the job.
    nodes : tuple of int
        Before and now; 0 if it has all that are free.
    share : tuple of float
        Of the nodes that such a job can have.
    ranks : tuple of int
        Before and now.
    load : tuple of float, or None
        Bytes per node: in a second of open-loop traffic, in an iteration of anything else.
    is_rate : bool
        Whether it is per second.
    """

    name: str
    nodes: tuple[int, int]
    share: tuple[float, float]
    ranks: tuple[int, int]
    load: tuple[float, float] | None = None
    is_rate: bool = False


@dataclass(frozen=True, slots=True)
class Scaled:
    """A scenario on another machine, and what could not be kept."""

    text: str
    scenario: Scenario
    old: Machine
    new: Machine
    jobs: list[Share]
    notes: list[str]


@dataclass(slots=True)
class _Job:
    """A job while a number of ranks is sought that its workload takes."""

    index: int
    data: dict[str, Any]
    was: dict[str, Any]
    share: Share
    pool: Pool
    per_node: int = 1
    most: int = 0
    why: str = "there is room for no more"
    counts: Iterator[tuple[int, list[int]]] = field(default_factory=lambda: iter(()))

    @property
    def kind(self) -> str:
        return str(self.was["workload"]["kind"])

    def has_own(self, name: str) -> bool:
        """Whether its workload has such a key."""
        entry = registry.find("workloads", self.kind)
        return any(row.name == name for row in entry.parameters) if entry else False


def scaled(path: Path, system: str, out: Path, ranks_per_node: int | None = None) -> Scaled:
    """The jobs of a scenario on another system.

    Parameters
    ----------
    path : pathlib.Path
        Of the scenario.
    system : str
        A preset, or a scenario file whose system and routing are taken.
    out : pathlib.Path
        Where the text will be: it names the scenario, and paths in it begin there.
    ranks_per_node : int, optional
        Of MPI jobs; by default one for each NIC where that was so, otherwise as before.

    Raises
    ------
    Error
        One of the two cannot be read or run, or the jobs have no room.
    """
    point = Scenario.read(path).points[0]
    before.check(point)
    data = copy.deepcopy(point.document.data)
    old = machine.of_point(point, data["system"], data.get("routing", {}))
    new = machine.named(system)
    if path.absolute().parent != out.absolute().parent and (point.files or point.traces):
        raise Error(f"{out}: paths in a scenario begin in its folder; write it to that of {path}.")
    work = _Work(data, old, new, ranks_per_node)
    jobs = work.jobs()
    work.system()
    work.settle(jobs)
    for job in jobs:
        work.keep_load(job)
    work.sweep()
    kept = "Share of nodes, load per node and placement are kept, but for this:"
    said = textwrap.wrap(f"The jobs of {path.name} on {new.name} (`odonata scale`). {kept}", 96)
    for one in work.notes:
        said += textwrap.wrap(one, 96, initial_indent="* ", subsequent_indent="  ")
    text = "".join(f"# {line}\n" for line in said)
    text += to_toml({"schema": 1, **data, "name": out.stem})
    scenario = Scenario.from_text(text, folder=out.parent)
    before.check(scenario.points[0])
    return Scaled(text, scenario, old, new, [job.share for job in jobs], work.notes)


class _Work:
    """A scenario that is being changed."""

    def __init__(
        self, data: dict[str, Any], old: Machine, new: Machine, per_node: int | None
    ) -> None:
        self.data, self.old, self.new, self._per_node = data, old, new, per_node
        self.notes: list[str] = []
        self._swept = data.pop("sweep", {})
        self._folder = old.point.document.folder
        self._has_usual_routing = False

    def note(self, text: str) -> None:
        """Say what is assumed or not kept, once."""
        if text not in self.notes:
            self.notes.append(text)

    def jobs(self) -> list[_Job]:
        """Every job with its number of nodes, but for those of a log."""
        resolved = {job["name"]: job for job in self.old.point.config["jobs"]}
        found = []
        for index, data in enumerate(self.data["jobs"]):
            pools = self._pools(data)
            if data["workload"].get("kind") == OCCUPANCY:
                factor = pools[0].nodes / pools[1].nodes
                each = data["workload"].get("processors_per_rank", 1.0)
                data["workload"]["processors_per_rank"] = each * factor
                self.note("Jobs of a log have their share of the nodes, rounded up.")
                continue
            was = resolved[data.get("name", data["workload"].get("kind", OPEN_LOOP))]
            job = _Job(index, data, was, Share(was["name"], (0, 0), (0, 0), (0, 0)), pools[1])
            self._places(job)
            (self._open_loop if job.kind == OPEN_LOOP else self._mpi)(job, pools[0])
            found.append(job)
        self._make_room(found)
        for job in found:
            if job.kind != OPEN_LOOP and job.kind not in _FILES:
                job.counts = _counts(job)
                _next_count(job, ())
        return found

    def _pools(self, data: dict[str, Any]) -> tuple[Pool, Pool]:
        """Where a job is among others, before and now."""
        place = data.get("placement")
        keys = {} if not isinstance(place, dict) else {
            key: place[key] for key in ("nodes", "groups") if isinstance(place.get(key), str)
        }  # fmt: skip
        name = next((one for one in keys.values() if one in self.old.pools), "")
        was = self.old.pools.get(name, self.old.default)
        if name in self.new.pools or not name:
            return was, self.new.pools.get(name, self.new.default)
        for key in keys:
            del place[key]  # type: ignore[union-attr]
        self.note(f"{self.new.name} has no nodes called `{name}`: such jobs have their share of "
                  f"all nodes of {self.old.name}, among the usual ones.")  # fmt: skip
        return replace(was, nodes=self.old.nodes), self.new.default

    def _places(self, job: _Job) -> None:
        place, kind = job.data.get("placement"), job.was["placement"]["kind"]
        if kind == "list":
            job.data["placement"] = "random-node"
            self.note(f"Nodes of `{job.share.name}` are listed: on {self.new.name} they are drawn.")
        elif isinstance(place, dict) and not isinstance(place.get("mapping", ""), str):
            del place["mapping"]
            self.note(f"The mapping of `{job.share.name}` is for its ranks: it is linear now.")
        groups = [one.summary.get("groups", 0) for one in (self.old, self.new)]
        if "group" in str([*job.was["placement"].values()]) and groups[1] < groups[0]:
            self.note(f"`{job.share.name}` is placed by groups: {self.new.name} has {groups[1]} of "
                      f"them, {self.old.name} {groups[0]}.")  # fmt: skip

    def _mpi(self, job: _Job, pool: Pool) -> None:
        workload, per_node = job.was["workload"], job.was.get("ranks_per_node", 1)
        ranks = workload.get("ranks") or math.prod(workload.get("grid", [])) or 0
        ranks = ranks if ranks > 1 else self._asked(job.data["workload"], 8)["ranks"]
        nodes = -(-ranks // per_node)
        job.per_node = self._per_node or (job.pool.nics if per_node == pool.nics else per_node)
        target = max(1, round(nodes * job.pool.nodes / pool.nodes), -(-2 // job.per_node))
        if job.kind in _FILES:
            self.note(f"The file of `{job.share.name}` says that it has {ranks} ranks: they stay.")
            job.per_node, target = per_node, nodes
        job.data["ranks_per_node"] = job.per_node
        if job.per_node == 1:
            del job.data["ranks_per_node"]
        if pool.nics != job.pool.nics:
            used = min(job.per_node, job.pool.nics)
            self.note(
                f"A node has {job.pool.nics} NICs, before {pool.nics}; ranks of a job on a node: "
                f"{job.per_node}, before {per_node}; NICs that they use: {used}."
            )
        job.share = Share(job.share.name, (nodes, target), (nodes / pool.nodes, 0), (ranks, ranks))

    def _open_loop(self, job: _Job, pool: Pool) -> None:
        was, workload = job.was["workload"], job.data["workload"]
        nodes = was.get("ranks", pool.nodes * pool.nics) // pool.nics
        target = max(1 + (job.pool.nics == 1), round(nodes * job.pool.nodes / pool.nodes))
        ranks = (nodes * pool.nics, target * job.pool.nics)
        if "ranks" in was:
            workload["ranks"] = ranks[1]
        load = None
        if "load" in was:
            load = was["load"] * self.old.injected(pool)
            share = load / self.new.injected(job.pool)
            workload["load"] = float(f"{share:.4g}")
            if share > 1 >= was["load"]:
                self.note(f"`{job.share.name}` offers more than the NICs of a node can send.")
        else:
            factor = job.pool.nics / pool.nics
            if was["pattern"] == "all-to-all":
                factor *= (ranks[1] - 1) / (ranks[0] - 1)
            workload["interval"] = format_quantity(round(was["interval"] * factor), "time")
        shown = (nodes, target) if "ranks" in was else (0, 0)
        job.share = Share(job.share.name, shown, (nodes / pool.nodes, target / job.pool.nodes),
                          ranks, load and (load, load), is_rate=True)  # fmt: skip

    def _make_room(self, jobs: Sequence[_Job]) -> None:
        """See to it that rounding takes no more nodes than there are."""
        for pool in self.new.pools.values():
            here = [job for job in jobs if job.pool == pool and job.share.nodes[0]]
            over = sum(job.share.nodes[1] for job in here) - pool.nodes
            is_crowded = sum(job.share.share[0] for job in here) > 1 + 1e-9  # not all at one time
            for job in here:
                job.most = pool.nodes if is_crowded else job.share.nodes[1] + max(-over, 0) // len(
                    here)  # fmt: skip
            if over > 0 and not is_crowded:
                largest = max(here, key=lambda job: job.share.nodes[1])
                largest.most -= over

    def system(self) -> None:
        """The system, and how packets find their way in it."""
        own = [f"system.{key}" for key in self.old.table if key not in
               ("preset", "topology", "name", "note")]  # fmt: skip
        if own and "preset" in self.old.table:
            self.note(f"What the scenario changes in its system is left out: {', '.join(own)}.")
        mpis = [one.mpi for one in (self.old, self.new)]
        if mpis[0] != mpis[1]:
            self.note(f"MPI is `{mpis[1]}` of {self.new.name}, before `{mpis[0]}`.")
        self.data["system"] = copy.deepcopy(self.new.table)
        given = self.data.get("routing", {}).get("algorithm")
        usual = machine.routing_of(self.old.table).get("algorithm")
        if given in (None, usual):
            self._usual_routing(f"`{usual}` is that of {self.old.name}")
        elif given != self.new.routing.get("algorithm", given):
            self.note(f"Routing is `{given}`, which the scenario chose; {self.new.name} has "
                      f"`{self.new.routing['algorithm']}` in production.")  # fmt: skip
        if self.data.pop("advise", None):
            self.note("[advise] is left out: its candidates are for the old machine.")

    def _usual_routing(self, why: str) -> None:
        self._has_usual_routing = True
        found = self.new.routing or {"algorithm": "par"}
        self.data.pop("routing", None)
        if found != machine.routing_of(self.new.table):
            self.data["routing"] = copy.deepcopy(found)
        whose = f"that of {self.new.name}" if self.new.routing else "assumed"
        self.note(f"Routing is `{found['algorithm']}`, {whose}: {why}.")

    def settle(self, jobs: Sequence[_Job]) -> None:
        """Change what the simulator refuses until it takes the scenario."""
        by_index = {job.index: job for job in jobs}
        for _ in range(_TRIES):
            try:
                before.check(Scenario.from_mapping(self.data, folder=self._folder).points[0])
            except ScenarioError as error:
                found = _ERROR.fullmatch(str(error))
                if found is None or not self._mend(found, by_index):
                    said = str(error).removeprefix("scenario: ")
                    raise Error(f"the jobs cannot run on {self.new.name}: {said}") from None
            else:
                for job in jobs:
                    self._tell_count(job)
                return
        raise Error(f"no numbers of ranks were found that the jobs can have on {self.new.name}.")

    def _mend(self, found: re.Match[str], jobs: dict[int, _Job]) -> bool:
        """Give way to a refusal; whether there is a way."""
        number, key, sentence = found.groups()
        reason = re.split(r"[;.] ", sentence)[0].rstrip(".")
        if number is None:
            if key != "routing" or self._has_usual_routing:
                return False
            self._usual_routing(f"that of the scenario cannot run there ({reason})")
            return True
        data = self.data["jobs"][int(number)]
        if key == "workload" and int(number) in jobs:
            return self._other_ranks(jobs[int(number)], sentence, reason)
        if key == "placement" and " free" not in sentence:
            return self._replace(data, reason)
        if key in data and key not in ("workload", "placement"):
            del data[key]
            self.note(f"`{key}` of `{data.get('name', number)}` is left out: {reason}.")
            return True
        return False

    def _other_ranks(self, job: _Job, sentence: str, reason: str) -> bool:
        """Another number of ranks, or none that divides them; whether there is one."""
        divisor = re.search(r"`(\w+)` must divide `ranks`", sentence)
        if divisor and job.data["workload"].pop(divisor[1], None):
            self.note(f"`{divisor[1]}` of `{job.share.name}` is left out: it does not divide the "
                      "ranks.")  # fmt: skip
            return True
        job.why = reason.rpartition(": ")[2]
        near = re.findall(r"(?:such as|or) `?(?:ranks = )?(\d+)", sentence)
        return _next_count(job, [int(one) for one in near])

    def _replace(self, data: dict[str, Any], reason: str) -> bool:
        """Another placement, as near as there is."""
        place = data.get("placement", "contiguous")
        table = {"kind": place} if isinstance(place, str) else place
        key = "unit" if table.get("unit") in _NEAREST else "kind"
        new = _NEAREST.get(table[key], "random-node")
        if table[key] == new:
            return False
        data["placement"] = {**table, key: new}
        self.note(f"`{new}` is in place of `{table[key]}`: {reason}.")
        return True

    def _tell_count(self, job: _Job) -> None:
        share, workload = job.share, job.data["workload"]
        if job.kind == OPEN_LOOP:
            return
        ranks = workload.get("ranks", share.ranks[0])
        nodes = -(-ranks // job.per_node)
        if nodes != share.nodes[1]:
            shape = " x ".join(map(str, workload.get("grid", ())))
            why = f"its grid is {shape}" if shape else job.why
            self.note(f"`{share.name}` has {nodes} nodes, its share being {share.nodes[1]}: {why}.")
        job.share = replace(share, nodes=(share.nodes[0], nodes), ranks=(share.ranks[0], ranks),
                            share=(share.share[0], nodes / job.pool.nodes))  # fmt: skip

    def keep_load(self, job: _Job) -> None:
        """Sizes of messages for as many bytes per node as before."""
        share, workload = job.share, job.data["workload"]
        if job.kind == OPEN_LOOP or not job.has_own("iterations"):
            return
        old = {**workload, **{key: job.was["workload"][key] for key in ("grid", "nz")
                              if key in job.was["workload"]}}  # fmt: skip
        if job.kind == "fft3d":  # its computation is shared by all ranks
            workload["nz"] = max(1, round(old["nz"] * share.ranks[1] / share.ranks[0]))
            self.note(f"`{share.name}` has nz = {workload['nz']}, before {old['nz']}: as many "
                      "points per rank.")  # fmt: skip
        each = self._per_rank(old, workload, share.ranks)
        if each is None:
            self.note(f"What `{share.name}` sends is not known: sizes of its messages stay.")
            return
        was, now = (one * ranks / nodes for one, ranks, nodes in
                    zip(each, share.ranks, share.nodes, strict=True))  # fmt: skip
        if now and not 1 / _MOVED < was / now < _MOVED:
            past = workload.get("size_scale", 1.0)
            wanted = float(f"{was / now * past:.3g}")
            factor = min(max(wanted, _SIZES[0]), _SIZES[1])
            now *= factor / past
            workload["size_scale"] = factor
            why = "for as many bytes per node and iteration as before"
            if factor != wanted:
                why = f"not {wanted:g}, which would keep the bytes per node: it is no size_scale"
            self.note(f"Messages of `{share.name}` have {factor:g} of their size, {why}.")
        job.share = replace(share, load=(was, now))

    def sweep(self) -> None:
        """What of a sweep still has a meaning."""
        kept = {key: values for key, values in self._swept.items()
                if not key.startswith("system") and not _DECIDED & set(key.split("."))}  # fmt: skip
        if kept:
            try:
                for point in Scenario.from_mapping({**self.data, "sweep": kept},
                                                   folder=self._folder).points:  # fmt: skip
                    before.check(point)
            except ScenarioError as error:
                self.note(f"The sweep cannot run on {self.new.name}: {error}")
                kept = {}
        if kept:
            self.data["sweep"] = kept
        gone = ", ".join(key for key in self._swept if key not in kept)
        if gone:
            self.note(f"No longer swept: {gone}. The first values count.")

    def _asked(self, workload: dict[str, Any], per_node: int = 1) -> dict[str, Any]:
        """What a job says of itself without a network, in one iteration."""
        entry = registry.find("workloads", workload["kind"])
        own = {row.name for row in entry.parameters} if entry else set()
        table = {**workload, **({"iterations": 1} if "iterations" in own else {})}
        data = {"system": {"preset": before.REFERENCE}, "routing": {"algorithm": "minimal"},
                "jobs": [{"name": "a", "workload": table, "ranks_per_node": per_node}]}  # fmt: skip
        return before.demand(Scenario.from_mapping(data, folder=self._folder).points[0])[0]

    def _sent(self, workload: dict[str, Any], ranks: int) -> float:
        """Bytes that a rank sends in an iteration; 0 if it is not known."""
        try:
            found = self._asked({**workload, "ranks": ranks})
        except ScenarioError:
            return 0.0
        share = 1.0 if found["whole"] else found["share"] or math.inf
        return float(found["bytes_sent"] / share / ranks)

    def _per_rank(
        self, old: dict[str, Any], new: dict[str, Any], ranks: tuple[int, int]
    ) -> tuple[float, float] | None:
        """Bytes that a rank sends in an iteration, before and now."""
        if max(ranks) <= _PROBED[1]:
            was, now = self._sent(old, ranks[0]), self._sent(new, ranks[1])
        else:
            plain = {key: value for key, value in old.items() if key != "grid"}
            low, high = (self._sent(plain, count) for count in _PROBED)
            if not low or not high:
                return None
            power = math.log(high / low) / math.log(_PROBED[1] / _PROBED[0])
            was, now = (high * (count / _PROBED[1]) ** power for count in ranks)
            now *= new.get("nz", 1) / old.get("nz", 1)
        return (was, now) if was and now else None


def _counts(job: _Job) -> Iterator[tuple[int, list[int]]]:
    """Numbers of ranks, and their grid if one is given, the nearest to the share first."""
    target, most = min(job.share.nodes[1], job.most), job.most
    grid = job.was["workload"].get("grid")
    if grid:
        growth = (target * job.per_node / math.prod(grid)) ** (1 / len(grid))
        ideal = [side * growth for side in grid]
        sides = [range(max(1, int(side) - 1), int(side) + 3) for side in ideal]

        def off(shape: tuple[int, ...]) -> float:
            bent = max(abs(math.log(a / b)) for a, b in zip(shape, ideal, strict=True))
            return bent + 4 * abs(math.log(math.prod(shape) / job.per_node / target))

        for shape in sorted(itertools.product(*sides), key=off):
            if 1 < math.prod(shape) <= most * job.per_node:
                yield math.prod(shape), [*shape]
        return
    if not job.has_own("grid") and target * job.per_node > 1:
        yield target * job.per_node, []
    job.why = "other numbers of ranks make no even grid" if job.has_own("grid") else job.why
    near = range(max(1, target // 2), min(2 * target, most) + 1)
    for nodes in sorted(filter(_is_smooth, near), key=lambda one: abs(math.log(one / target))):
        if nodes * job.per_node > 1:
            yield nodes * job.per_node, []


def _is_smooth(count: int) -> bool:
    """Whether it has no prime factor above 7, so that grids of it are even."""
    for prime in (2, 3, 5, 7):
        while count % prime == 0:
            count //= prime
    return count == 1


def _next_count(job: _Job, suggested: Sequence[int]) -> bool:
    """Take the next number of ranks; whether there is one."""
    near = [(one, list[int]()) for one in suggested if 1 < one <= job.most * job.per_node]
    if near and "grid" not in job.data["workload"]:
        wanted = job.share.nodes[1] * job.per_node
        near.sort(key=lambda one: abs(math.log(one[0] / wanted)))
        job.counts = itertools.chain(near, job.counts)
    ranks, grid = next(job.counts, (0, []))
    if ranks:
        job.data["workload"] |= {"ranks": ranks, **({"grid": grid} if grid else {})}
    return ranks > 0
