"""Families and tables of the simulator as Python sees them; the simulator is the only source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field
from functools import lru_cache
from typing import Any, cast, get_args

from odonata.core import native
from odonata.core.errors import InternalError
from odonata.scenario.fields import REQUIRED, Field, Kind

FAMILIES = {
    "topologies": "shapes of networks",
    "routings": "how packets find their way",
    "policies": "how each message of a job is sent, decided at its NIC",
    "placements": "which nodes a job gets",
    "workloads": "what a job does",
    "controllers": "how NICs control congestion at end points",
    "patterns": "whom open-loop traffic goes to",
    "arrivals": "when open-loop messages are created",
    "collectives": "algorithms of collective operations",
    "profiles": "whose choice of collective algorithms an MPI library follows",
}
"""Families that ``odonata list`` shows beside systems, with what they are."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A member of a family.

    Parameters
    ----------
    name : str
        As in scenarios.
    summary : str
        One line.
    source : str
        Paper and section.
    parameters : tuple of Field
        What may be set.
    needs : str
        What it asks of the network, such as virtual channels; may be empty.
    rule : str
        How a routing decides; may be empty, as everything that follows.
    deadlock : str
        Why a routing cannot block itself.
    families : tuple of str
        Topologies that a routing works on.
    virtual_channels : dict
        Virtual channels that a routing needs, by topology; where a topology is missing, they
        follow from its longest paths.
    former_name : str
        What a routing was called in earlier versions.
    """

    name: str
    summary: str
    source: str
    parameters: tuple[Field, ...]
    needs: str
    rule: str = ""
    deadlock: str = ""
    families: tuple[str, ...] = ()
    virtual_channels: Mapping[str, int] = dataclass_field(default_factory=dict)
    former_name: str = ""


@lru_cache(maxsize=32)
def family(name: str) -> dict[str, Entry]:
    """Members of a family by name, in the order of listings.

    Returns
    -------
    dict
        Empty if the simulator has no such family.
    """
    if name == "controllers":
        return _controllers()
    entries = native.registry().get(name, [])
    return {entry["name"]: _entry(entry, name) for entry in entries}


def find(family_name: str, name: str) -> Entry | None:
    """The member of a family that has a name, today or in earlier versions; ``None``: none has."""
    entries = family(family_name)
    former = (entry for entry in entries.values() if name and entry.former_name == name)
    return entries.get(name) or next(former, None)


@lru_cache(maxsize=1)
def mpi_parameters() -> tuple[Field, ...]:
    """Parameters of ``[system.mpi]``; absent ones keep the value of the preset."""
    return tuple(_parameter(parameter) for parameter in native.registry().get("mpi", []))


@lru_cache(maxsize=32)
def table(name: str) -> tuple[Field, ...]:
    """Rows of a table that every system has, such as ``router``, in the order of listings."""
    tables = native.registry()["tables"]
    return tuple(_field(row) for row in tables[name])


def controller() -> Field:
    """The row of NICs that names a controller; the rows of controllers stand beside it."""
    return next(row for row in table("nic") if row.name == "congestion")


_CONTROLLERS = {
    "none": ("NICs send as soon as they can", ""),
    "pace": ("the sources of a node that has many pace themselves by their number", "SST merlin"),
    "nscc": ("a NIC has a window for each target", "Ultra Ethernet 1.0, as in uet-htsim"),
    "abate": ("NICs that congest a node send what of it is delivered", "CODES"),
    "rccc": ("a NIC sends what its targets give credit for", "Ultra Ethernet 1.0, as in uet-htsim"),
    "nscc-rccc": ("credit of `rccc` beside the windows of `nscc`",
                  "Ultra Ethernet 1.0, as in uet-htsim"),
}  # fmt: skip
"""What controllers do, and where they are from."""


def _controllers() -> dict[str, Entry]:
    """Controllers with the rows of NICs that begin with their names.

    Rows of one controller have only the rest as their names; those of `nscc-rccc` stay whole, since
    some rests are rows of both.
    """
    found = {}
    for kind in controller().choices:
        parts = kind.split("-")
        rows = (row for row in table("nic") if row.name.partition("_")[0] in parts)
        parameters = tuple(
            replace(row, name=row.name.removeprefix(f"{kind}_"), called=row.key_of(None))
            for row in rows
        )
        summary, source = _CONTROLLERS[kind]
        found[kind] = Entry(kind, summary, source, parameters, needs="")
    return found


@dataclass(frozen=True, slots=True)
class ClassProfile:
    """Traffic classes of a machine.

    Parameters
    ----------
    name : str
        As in ``[system.qos]``.
    summary : str
        One line.
    classes : tuple of dict
        As they would be written in ``classes``.
    """

    name: str
    summary: str
    classes: tuple[dict[str, Any], ...]


@lru_cache(maxsize=1)
def class_profiles() -> dict[str, ClassProfile]:
    """Profiles of traffic classes by name."""
    known = native.registry()["class_profiles"]
    return {
        one["name"]: ClassProfile(one["name"], one["summary"], tuple(one["classes"]))
        for one in known
    }


_INNER = {
    "more_groups": ("more_groups", "a kind of groups"),
    "types": ("node_type", "a type of nodes"),
    "events": ("event", "an event of a link, a router or a node"),
    "classes": ("class", "a class"),
    "detours": ("detour", "a source of detours"),
    "calls": ("call", "a cost of calls"),
    "precision": ("precision", "`precision`"),
}
"""Rows whose value is a list of tables: the rows of each, and what messages call it."""


_INNER_OF = {"megafly": {"more_groups": "more_levels"}}
"""The same of the members of a family, where these rows are others than elsewhere."""


def _entry(data: dict[str, Any], family_name: str) -> Entry:
    inner = _INNER_OF.get(data["name"], {})
    return Entry(
        name=data["name"],
        summary=data["summary"],
        source=data.get("source", ""),
        parameters=tuple(
            # Those of other families are in every configuration, since their first day.
            replace(
                _parameter(row, inner.get(row["name"], "")),
                sparse=bool(row.get("sparse")) and family_name == "routings",
            )
            for row in data.get("parameters", [])
        ),
        needs=_needs(data.get("needs")),
        rule=data.get("rule") or "",
        deadlock=data.get("deadlock") or "",
        families=tuple(data.get("families") or ()),
        virtual_channels=data.get("virtual_channels") or {},
        former_name=data.get("former_name") or "",
    )


def channels(entry: Entry) -> str:
    """Virtual channels of a routing by topology, in words; empty for anything else.

    Returns
    -------
    str
        Such as ``dragonfly 2, aries 4``.
    """
    counts = (
        f"{name} {entry.virtual_channels.get(name, 'by its longest paths')}"
        for name in entry.families
    )
    return ", ".join(counts)


def _needs(needs: object) -> str:
    if isinstance(needs, list):
        return ", ".join(str(need) for need in needs)
    return "" if needs is None else str(needs)


def _parameter(data: dict[str, Any], inner: str = "") -> Field:
    """A row of a family's member, or of MPI: the simulator takes it by its bare name."""
    field = _field(data)
    return replace(field, called=data["name"], rows=table(inner) if inner else field.rows)


def _field(data: dict[str, Any]) -> Field:
    kind: Kind = data["type"]
    if kind not in get_args(Kind):
        raise InternalError(f"the registry has a parameter of unknown type `{data['type']}`")
    inner, owner = _INNER[data["name"]] if kind == "list" and data["name"] in _INNER else ("", "")
    unit = data.get("unit") or ""
    doc = data.get("doc", "")
    return Field(
        name=data["name"],
        kind=kind,
        doc=f"{doc} [{unit}]" if unit and kind in ("count", "integer", "number") else doc,
        default=REQUIRED if data.get("required") else data.get("default"),
        choices=tuple(data.get("choices") or ()),
        minimum=cast("float | None", data.get("minimum")),
        maximum=cast("float | None", data.get("maximum")),
        length=cast("int | None", data.get("length")),
        sparse=bool(data.get("sparse")),
        source=data.get("source") or "",
        rows=table(inner) if inner else (),
        owner=owner,
    )
