"""Processes that a launcher has started, as the compiled simulator lets them meet."""

from __future__ import annotations

from pathlib import Path

from odonata.core.native import Team, compiled, refusals

MPI_SHIM: str = compiled.MPI_SHIM
"""C that calls MPI, which is compiled where it runs."""


class Meeting:
    """Processes that a launcher has started, and what they say to each other."""

    def __init__(self, inner: compiled.Meeting) -> None:
        self._inner = inner

    @classmethod
    def lead(cls, name: str, processes: int, *, secret: str, task: str) -> Meeting:
        """Process 0, which the others reach as `name`; see :meth:`gather`.

        Raises
        ------
        LostError
            The name is not of this machine.
        """
        with refusals():
            return cls(compiled.Meeting.lead(name, 0, processes, secret, task))

    @classmethod
    def join(cls, address: str, rank: int, processes: int, *, secret: str, task: str) -> Meeting:
        """Another process.

        Raises
        ------
        LostError
            Process 0 is not at `address`, or refuses this one.
        """
        with refusals():
            return cls(compiled.Meeting.join(address, rank, processes, secret, task))

    @classmethod
    def over_mpi(cls, shim: Path, processes: int, *, task: str) -> Meeting:
        """A process that the launcher of an MPI has started; all of them call this.

        Parameters
        ----------
        shim : pathlib.Path
            What was compiled of :data:`MPI_SHIM`.
        processes : int
            How many the launcher has started.
        task : str
            What all have to agree on.

        Raises
        ------
        LostError
            It cannot be loaded, is of another MPI, or MPI fails; or one has another build.
        """
        with refusals():
            return cls(compiled.Meeting.over_mpi(shim, processes, task))

    def team(self, channel: int, beside: int) -> Team:
        """A simulation of all of them over their MPI.

        Parameters
        ----------
        channel : int
            Its number, from 1, the same in all.
        beside : int
            How many of them are on this machine, whose memory they share.

        Raises
        ------
        LostError
            They do not use MPI.
        """
        with refusals():
            return Team(self._inner.team(channel, beside))

    def finish(self) -> None:
        """Nothing more is said: end MPI, if there is one. All of them call this.

        Raises
        ------
        LostError
            MPI fails.
        """
        with refusals():
            self._inner.finish()

    @property
    def rank(self) -> int:
        """Number of this process."""
        return self._inner.rank

    @property
    def address(self) -> str:
        """Where process 0 listens, before all others are there."""
        return self._inner.address

    def gather(self) -> None:
        """Wait for all others, at most 10 minutes.

        Raises
        ------
        LostError
            One does not come, or has another build or another task.
        """
        with refusals():
            self._inner.gather()

    def send(self, other: int, message: bytes) -> None:
        """Send process `other` a message.

        Raises
        ------
        LostError
            It is gone.
        """
        with refusals():
            self._inner.send(other, message)

    def receive(self, other: int) -> bytes:
        """Wait for the next message of process `other`.

        Raises
        ------
        LostError
            It is gone.
        """
        with refusals():
            return self._inner.receive(other)

    @property
    def is_broken(self) -> bool:
        """Whether another process is gone."""
        return self._inner.is_broken()
