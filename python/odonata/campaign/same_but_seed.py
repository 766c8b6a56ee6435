"""Points that differ in nothing but their seed: what they have in common is worked out once."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from odonata.core.native import ENGINE
from odonata.scenario import Point

_SEED = "\0 the seed"
"""Stands where a seed will be: no text of a scenario holds it."""


class _Seeded:
    """A text with a seed in it."""

    __slots__ = ("_after", "_before")

    def __init__(self, config: Mapping[str, Any], **form: Any) -> None:  # noqa: ANN401 - of json
        text = json.dumps({**config, "seed": _SEED}, **form)
        self._before, self._after = text.split(json.dumps(_SEED))

    def of(self, seed: int) -> str:
        return f"{self._before}{seed}{self._after}"


class _Canonical(_Seeded):
    """What a fingerprint is made of, as :meth:`odonata.scenario.Point.scenario_hash` does."""

    def __init__(self, config: Mapping[str, Any]) -> None:
        super().__init__(config, sort_keys=True, separators=(",", ":"))

    def digest(self, seed: int) -> str:
        return hashlib.sha256(self.of(seed).encode()).hexdigest()


class Alike:
    """Points of one variant that read no files.

    Parameters
    ----------
    point : Point
        One of them.
    alone : mapping
        Per victim, the point whose fingerprint is that of its isolated run.

    Attributes
    ----------
    packet_sample : int
        Every how many packets one is recorded; 0: none.
    """

    def __init__(self, point: Point, alone: Mapping[str, Point]) -> None:
        self.packet_sample: int = point.config["telemetry"]["packet_sample"]
        self._own = _Canonical(point.config)
        self._alone = {job: _Canonical(one.config) for job, one in alone.items()}
        whole: dict[str | None, Point] = {None: point, **{job: point.alone(job) for job in alone}}
        self._whole = {job: _Canonical(one.config) for job, one in whole.items()}
        self._configs = {job: _Seeded(one.config) for job, one in whole.items()}

    def keys(self, seed: int) -> tuple[str, dict[str, str]]:
        """Key of the point's own task, and of the isolated run of each victim."""
        alone = {job: _run_hash(one.digest(seed)) for job, one in self._alone.items()}
        return _run_hash(self._own.digest(seed)), alone

    def scenario_hash(self, job: str | None, seed: int) -> str:
        """Fingerprint without the engine of the point, or of the isolated run of a job."""
        return self._whole[job].digest(seed)

    def config(self, job: str | None, seed: int) -> str:
        """The configuration as JSON."""
        return self._configs[job].of(seed)


def _run_hash(scenario_hash: str) -> str:
    return hashlib.sha256(f"{scenario_hash} {ENGINE}".encode()).hexdigest()
