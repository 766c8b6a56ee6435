"""What a run will cost, before it is made: packets, packet-hops, time and memory.

Packets are counted: those that open-loop traffic creates, and those of the messages of MPI jobs,
each run alone without a network. How long their paths are, by how much jobs hinder each other, and
what a packet costs on this machine is measured: the run itself is begun and stopped when enough has
been seen, or when it is over.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from odonata.campaign.forecast.ahead import Work
from odonata.campaign.forecast.trial import Trial
from odonata.scenario.inputs import Prepared

TRIAL_S = 0.5
"""How long a run is tried at least."""

MOST_S = 3.0
"""How long it is tried at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """What a run will cost.

    Parameters
    ----------
    packets, packet_hops : int or None
        Delivered packets and the routers they traverse; ``None`` if nobody can know.
    cpu_s : float or None
        Seconds of one core, building the network and the tables included.
    memory_bytes : int
        Of a process that makes the run, the interpreter included.
    simulated_ns : float or None
        Simulated time at the end of the run, with contention, hosts and waits, as the trial shows
        them.
    is_whole : bool
        Whether the trial came to the end of the run, so that nothing is estimated.
    warnings : list of str
        What the simulator warns of after the trial.
    """

    packets: int | None
    packet_hops: int | None
    cpu_s: float | None
    memory_bytes: int
    simulated_ns: float | None = None
    is_whole: bool = False
    warnings: list[str] = field(default_factory=list)


def forecast(ready: Prepared, *, trial_s: float = TRIAL_S, most_s: float | None = None) -> Forecast:
    """Forecast one run.

    Parameters
    ----------
    ready : Prepared
        What is run.
    trial_s, most_s : float
        CPU seconds of the trial: at least, and at most if a tenth of the run is longer than that;
        by default six times the first.

    Returns
    -------
    Forecast
        Within 30 % for what docs/campaigns.md says was measured.

    Raises
    ------
    ConfigurationError
        It cannot be run.
    """
    work = Work(ready)
    trial = Trial(ready, trial_s, MOST_S / TRIAL_S * trial_s if most_s is None else most_s,
                  work.share)  # fmt: skip
    engine = trial.engine
    whole = Forecast(packets=engine["packets"], packet_hops=engine["packet_hops"],
                     cpu_s=trial.end_s - trial.start_s, memory_bytes=trial.memory_bytes(0.0),
                     simulated_ns=float(trial.summary["simulated_ns"]), is_whole=True,
                     warnings=trial.summary.get("warnings", []))  # fmt: skip
    if trial.is_whole:
        return whole
    unknown = replace(whole, packets=None, packet_hops=None, cpu_s=None, simulated_ns=None,
                      is_whole=False)  # fmt: skip
    if not engine["packets"]:
        return unknown
    end_ps = work.end_ps(trial)
    if end_ps is None:
        return unknown
    packets = work.packets(trial, end_ps)
    total = max(sum(packets.values()), float(engine["packets"]))
    hops = max(_hops(trial, packets), float(engine["packet_hops"]))
    return Forecast(
        packets=round(total), packet_hops=round(hops), cpu_s=_cpu_s(trial, hops),
        memory_bytes=trial.memory_bytes(end_ps), simulated_ns=end_ps / 1e3,
        warnings=whole.warnings,
    )  # fmt: skip


def _hops(trial: Trial, packets: Mapping[str, float]) -> float:
    """Packet-hops of so many packets of each job, at the paths of the second half of the trial."""
    engine = trial.engine
    mean = float(engine["packet_hops"]) / engine["packets"]
    sampled = trial.hops(None)
    if sampled is None:
        return float(sum(packets.values()) * mean)
    # Responses are not sampled, and go as far as the requests do.
    times = mean / sampled
    found = {job: trial.hops(job, trial.now_ps / 2) for job in packets}
    each = {job: sampled if hops is None else hops for job, hops in found.items()}
    return float(times * sum(count * each[job] for job, count in packets.items()))


def _cpu_s(trial: Trial, hops: float) -> float:
    """CPU time of so many packet-hops, at the speed of the second half of the trial."""
    spent = trial.end_s - trial.start_s
    middle, last = trial.half()
    done = float(trial.engine["packet_hops"])
    late = done * (last.packets - middle.packets) / max(last.packets, 1)
    mean = (last.cpu_s - trial.first_s) / done
    each = (last.cpu_s - middle.cpu_s) / late if late > 0 else mean
    return spent + each * max(hops - done, 0.0)
