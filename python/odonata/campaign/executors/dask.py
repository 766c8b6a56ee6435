"""A Dask cluster: one that runs already, or one of processes on this machine.

Tasks go in bundles that take about a second, so that what Dask costs for each does not show. A
worker that dies costs the bundle it was at, which Dask gives to another one.
"""

from __future__ import annotations

import contextlib
import logging
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Self

from odonata.campaign.task import Done, Failure, Task, run_task
from odonata.campaign.work import Work
from odonata.core.errors import RunError
from odonata.scenario.inputs import Inputs

_BUNDLE_S = 1.0
_MOST_IN_BUNDLE = 100
_MOST_STARTS = 10
"""How often a worker of this machine is started before it is given up."""

_AHEAD = 2
"""Bundles for each thread of the cluster that are under way."""

Answer = tuple[str, list[bytes] | Failure, float]
"""Key of a task, bytes of what was done or why not, seconds."""

_MISSING = (
    "Dask is not installed: `pip install 'odonata[dask]'` brings it, or use --executor processes."
)


def carry_out(tasks: Sequence[Task], threads: int) -> list[Answer]:
    """Carry out a bundle on a worker of the cluster.

    Returns
    -------
    list of tuple
        Key, bytes of what was done or why not, seconds.
    """
    answers = list[Answer]()
    inputs = Inputs()
    for task in tasks:
        found = run_task(task, inputs, threads=threads)
        if isinstance(found, Failure):
            answers.append((task.key, found, 0.0))
        else:
            seconds = float(found.summary["engine"]["wall_s"])
            answers.append((task.key, [bytes(part) for part in found.encoded()], seconds))
    return answers


class _Local:
    """A scheduler in this process and workers of this machine, each a process of its own."""

    def __init__(self, distributed: Any, workers: int) -> None:  # noqa: ANN401 - without types
        self._cluster = distributed.LocalCluster(
            n_workers=0, dashboard_address="127.0.0.1:0", silence_logs=logging.CRITICAL
        )
        self.address = str(self._cluster.scheduler_address)
        self._left = _MOST_STARTS * workers
        self.processes = [self._start() for _ in range(workers)]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            process.wait()
        self._cluster.close()

    def keep_up(self) -> None:
        """Start another worker for each that has died.

        Raises
        ------
        RunError
            They die again and again.
        """
        for number, process in enumerate(self.processes):
            if process.poll() is not None:
                if self._left <= 0:
                    raise RunError(
                        "the workers of the Dask cluster die repeatedly, as they do when memory "
                        "runs out; use fewer --workers or a larger machine."
                    )
                self.processes[number] = self._start()

    def _start(self) -> subprocess.Popen[bytes]:
        self._left -= 1
        path = os.pathsep.join([str(Path(__file__).parents[3]), *filter(None, sys.path)])
        command = [sys.executable, "-P", "-m", "distributed.cli.dask_worker", self.address]
        command += ["--no-nanny", "--nthreads", "1", "--no-dashboard", "--death-timeout", "60"]
        # A session of its own: Ctrl-C is for this process.
        return subprocess.Popen(  # noqa: S603 - this interpreter, a fixed command
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": path}, start_new_session=True,
        )  # fmt: skip


def _client(distributed: Any, address: str | None) -> Any:  # noqa: ANN401 - without types
    try:
        return distributed.Client(address, timeout="20s")
    except (OSError, ValueError, TimeoutError) as error:
        raise RunError(
            f"the Dask scheduler {address} does not answer ({error}); give the address that "
            "`dask scheduler` prints, such as tcp://10.0.0.1:8786."
        ) from None


class Cluster:
    """A Dask cluster.

    Parameters
    ----------
    scheduler : str, optional
        Address of its scheduler, such as ``tcp://10.0.0.1:8786``; without one, processes of this
        machine.
    workers : int
        Processes, if they are of this machine.
    threads : int
        Of the simulator, in each task.
    """

    def __init__(self, scheduler: str | None, workers: int, threads: int = 1) -> None:
        self._scheduler = scheduler
        self._workers = workers
        self._threads = threads
        self._seconds = 0.0
        self._returned = 0

    def run(self, work: Work) -> None:
        """Carry out all that is wanted."""
        try:
            import distributed  # noqa: PLC0415 - an extra
        except ImportError:
            raise RunError(_MISSING) from None
        with contextlib.ExitStack() as stack:
            local = None
            if self._scheduler is None:
                local = stack.enter_context(_Local(distributed, self._workers))
            address = self._scheduler if local is None else local.address
            client = stack.enter_context(_client(distributed, address))
            try:
                self._loop(work, client, distributed, local)
            except KeyboardInterrupt:
                work.interrupted()

    def _loop(self, work: Work, client: Any, distributed: Any, local: _Local | None) -> None:  # noqa: ANN401 - as above
        source = work.wanted()
        bundles: dict[Any, list[Task]] = {}
        while True:
            most = _AHEAD * max(1, sum(client.nthreads().values()))
            while len(bundles) < most and (bundle := self._bundle(work, source)):
                bundles[self._submitted(work, client, bundle)] = bundle
            if not bundles:
                return
            try:
                ended = distributed.wait(list(bundles), timeout=1, return_when="FIRST_COMPLETED")
            except (TimeoutError, distributed.TimeoutError):
                if local is not None:
                    local.keep_up()
                continue
            for future in ended.done:
                bundle = bundles.pop(future)
                if not self._took(work, future, bundle):
                    bundles[self._submitted(work, client, bundle)] = bundle
                future.release()

    def _submitted(self, work: Work, client: Any, bundle: list[Task]) -> Any:  # noqa: ANN401 - as above
        for task in bundle:
            work.started(task.key)
        return client.submit(carry_out, bundle, self._threads, pure=False)

    def _bundle(self, work: Work, source: Iterator[str]) -> list[Task]:
        mean = self._seconds / self._returned if self._returned else _BUNDLE_S
        count = max(1, min(_MOST_IN_BUNDLE, int(_BUNDLE_S / max(mean, 1e-3))))
        return [work.task(key, is_here=False) for key in islice(source, count)]

    def _took(self, work: Work, future: Any, bundle: list[Task]) -> bool:  # noqa: ANN401 - as above
        """Have what a bundle has returned; it has not if its worker died with it since it ended."""
        status: str = future.status
        if status == "error":
            error = future.exception()
            for task in bundle:
                work.returned(task.key, Failure(
                    f"{task.label}: the cluster could not run it ({error}); see the logs of its "
                    "workers.", is_fault=True))  # fmt: skip
        if status != "finished":
            return status == "error"
        for key, found, seconds in future.result():
            self._seconds += seconds
            self._returned += 1
            if isinstance(found, Failure):
                work.returned(key, found)
                continue
            done = Done.decoded(b"".join(found))
            work.returned(key, done, seconds)
        return True
