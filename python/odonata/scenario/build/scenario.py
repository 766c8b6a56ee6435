"""A scenario that is built and changed in Python, without a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Self

from odonata.core import files
from odonata.core.errors import ScenarioError
from odonata.scenario import Scenario as Checked
from odonata.scenario.build.table import plain, unknown
from odonata.scenario.build.tables import ScenarioTable
from odonata.scenario.document import Document, split_dotted
from odonata.scenario.text import to_toml


class Scenario(ScenarioTable):
    """Everything that decides the outcome of a run, or of a sweep of runs.

    ``odonata.run`` takes it, ``replace`` and ``changed`` give others like it.

    Examples
    --------
    >>> from odonata.build import Job, Scenario, System, routings, workloads
    >>> quiet = Scenario(
    ...     name="quiet",
    ...     system=System(preset="dragonfly(2, 4, 2, 9)"),
    ...     routing=routings.Par(),
    ...     jobs=[Job(name="halo", workload=workloads.Halo3d(ranks=27, iterations=2))],
    ... )
    >>> quiet.changed({"routing.bias": 4, "jobs.halo.workload.face": "16 KiB"}).routing
    Par(bias=4)
    >>> quiet.check().points[0].config["routing"]["algorithm"]
    'par'
    """

    __slots__ = ("_folder",)
    if TYPE_CHECKING:
        replace: ClassVar[type[Scenario]]

    @property
    def folder(self) -> Path:
        """Where relative paths in it start."""
        here: Path = getattr(self, "_folder", Path())
        return here

    def within(self, folder: str | Path) -> Self:
        """The same with relative paths that start in another folder.

        Parameters
        ----------
        folder : str or pathlib.Path
            Where relative paths of traces, job logs and tables start.

        Returns
        -------
        Scenario
            A copy; this one stays.
        """
        made = self._again(self._values)
        made._place(Path(folder))  # noqa: SLF001 - one of its own kind
        return made

    def _place(self, folder: Path) -> None:
        self._folder = folder

    @classmethod
    def read(cls, path: str | Path) -> Self:
        """The scenario of a file.

        Parameters
        ----------
        path : str or pathlib.Path
            TOML; relative paths in it go on to start in its folder.

        Returns
        -------
        Scenario
            Named after the file if it has no ``name``.

        Raises
        ------
        ScenarioError
            The file cannot be read or the scenario is wrong, with the line.
        """
        data = Checked.read(path).points.document.data
        return cls.from_dict({"name": Path(path).stem} | data).within(Path(path).parent)

    def changed(self, changes: Mapping[str, object]) -> Self:
        """The same with other values at dotted keys, as ``--set`` and sweeps name them.

        Parameters
        ----------
        changes : mapping
            Such as ``{"routing.algorithm": "par", "jobs.halo.workload.ranks": 27}``.

        Returns
        -------
        Scenario
            A copy; this one stays.

        Raises
        ------
        ScenarioError
            A key leads nowhere, or there is none of that name.
        """
        given = [(split_dotted(key), plain(value), f"changed({key})")
                 for key, value in changes.items()]  # fmt: skip
        document = Document(self.to_dict(), self._called(), self.folder).changed_copy(given)
        for key in document.changed:
            if (remedy := unknown((type(self),), document.data, key)) is not None:
                raise document.error(key, remedy)
        return type(self).from_dict(document.data).within(self.folder)

    def _again(self, values: Mapping[str, object]) -> Self:
        made = super()._again(values)
        made._place(self.folder)  # noqa: SLF001 - one of its own kind
        return made

    def check(
        self,
        *,
        overrides: Sequence[str] = (),
        regret: bool = False,
        without_each: bool = False,
    ) -> Checked:
        """The scenario with every default, each run of its sweep validated.

        Parameters
        ----------
        overrides : sequence of str
            ``key=value`` settings.
        regret : bool
            Whether it is also run with each way of its policy for all messages.
        without_each : bool
            Whether it is also run without each job beside which a victim remains.

        Returns
        -------
        odonata.Scenario
            What :func:`odonata.run` takes.

        Raises
        ------
        ScenarioError
            It cannot be run; the sentence is that of the command line.
        """
        return Checked.from_mapping(self.to_dict(), overrides=overrides, folder=self.folder,
                                    called=self._called(), regret=regret,
                                    without_each=without_each)  # fmt: skip

    def _called(self) -> str:
        return f'scenario "{self.name}"' if isinstance(self.name, str) else "scenario"

    def to_toml(self) -> str:
        """Text of a scenario file.

        Returns
        -------
        str
            TOML that :meth:`read` and ``odonata run`` take.
        """
        return to_toml(self.to_dict())

    def save(self, path: str | Path) -> Path:
        """Write a scenario file.

        Parameters
        ----------
        path : str or pathlib.Path
            Relative paths in the scenario start in the folder that it was read from; write it
            there if there are any.

        Returns
        -------
        pathlib.Path
            The file.

        Raises
        ------
        ScenarioError
            It cannot be written.
        """
        path = Path(path)
        try:
            files.write_whole(path, self.to_toml().encode(),
                              partial=path.with_name(f".{path.name}.partial"))  # fmt: skip
        except OSError as error:
            raise ScenarioError(f"{path}: {files.problem(error)}; choose another file.") from None
        return path
