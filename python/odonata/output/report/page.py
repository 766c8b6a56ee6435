"""Turns a study and its pictures into one HTML page."""

from __future__ import annotations

import base64
import shlex
from collections.abc import Mapping
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import jinja2
import polars as pl

from odonata.analysis.saturation import ends_in_words
from odonata.output.canvas import Picture
from odonata.output.caveats import caveats, ended
from odonata.output.explain.explain import explain
from odonata.output.explain.related_runs import Around, around, standing
from odonata.output.explain.units import count, number, share, size, spread_like, time, times
from odonata.output.report import gather, headline
from odonata.output.report.figures import stalled_count
from odonata.output.report.interactive import plot
from odonata.scenario.nodes import has_several_nics, machine_nodes, node_types
from odonata.scenario.notes import notes
from odonata.scenario.removal import NOBODY, WITHOUT

if TYPE_CHECKING:
    from odonata.output.report.gather import Study, Variant
    from odonata.results import Result

_LARGEST_SVG = 900_000
"""Bytes; a larger picture is put into the page as PNG."""

_FIRST = ("ranking", "load_latency")
"""Pictures that stand above the tables."""

_LONGEST_TABLE = 64
"""Rows of the numbers of a picture that are put into the page."""

_EXPLAINED = 3
"""Variants, and victims of each, of which the page says why they were slow."""

_SEEDS = 3
"""Seeds of a variant that are named."""

_COMMANDS = 16


def render(study: Study, pictures: list[Picture], *, library: str = "") -> str:
    """Render the page.

    Parameters
    ----------
    pictures : list of Picture
        In order.
    library : str
        Program that draws plots to zoom into; without it there are none.

    Returns
    -------
    str
        HTML without any reference to another file.
    """
    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.globals |= {
        "time": time,
        "times": times,
        "share": share,
        "spread": spread_like,
        "number": number,
        "count": count,
        "size": size,
    }
    source = (files("odonata.output.report") / "page.html").read_text(encoding="utf-8")
    summary = study.variants[0].first.summary
    overview = gather.overview(study)
    loads = [] if _has(overview, "beside_ns_mean") else gather.loads(study).to_dicts()
    return environment.from_string(source).render(
        style=style(),
        name=summary.get("name") or study.scenario.get("name") or study.directory.name,
        facts=_facts(study),
        headlines=headline.sentences(study),
        reasons=_reasons(study),
        remedies=_remedies(study),
        warnings=_warnings(study),
        notes=notes(run.scenario for _, run in study.runs),
        caveats=caveats({str(number): run for number, (_, run) in enumerate(study.runs)}),
        diagnoses=[(variant.label, run.stall) for variant, run in study.runs if run.stall],
        overview=overview.to_dicts(),
        has_time=_has(overview, "beside_ns_mean"),
        has_baseline=_has(overview, "alone_ns_mean"),
        has_overlap=_has(overview, "overlap"),
        has_cut=_has(overview, "unfinished") and overview["unfinished"].max(),
        loads=loads,
        saturation=gather.saturation(study),
        between=ends_in_words,
        show_jobs=not loads or len(study.jobs) > 1,
        spreads=_spreads(overview),
        library=library,
        first=[_picture(picture, library) for picture in pictures if picture.name in _FIRST],
        pictures=[_picture(picture, library) for picture in pictures if picture.name not in _FIRST],
        stalled=[
            _link(row) for row in gather.stalled(study, count=stalled_count(study)).to_dicts()
        ],
        several=len(study.variants) > 1,
        engine=[_engine(variant) for variant in study.variants],
        several_runs=any(len(variant.runs) > 1 for variant in study.variants),
        commands=_commands(study),
        scenario_text=study.scenario_text,
    )


def style() -> str:
    """The look of pages, as CSS."""
    return (files("odonata.output.report") / "style.css").read_text(encoding="utf-8")


def _reasons(study: Study) -> list[tuple[str, list[tuple[str, str]]]]:
    """Why the victims of the first variants were slow, where blame was recorded."""
    found = []
    whole = [one for one in study.variants if one.keys.get(WITHOUT, NOBODY) == NOBODY]
    for variant in whole[:_EXPLAINED]:
        if gather.table(variant.first, "blame").is_empty():
            continue
        victims = [name for name, job in variant.first.jobs.items() if job.slowdown is not None]
        for name in victims[:_EXPLAINED]:
            where = f"{name}, {variant.label}" if len(study.variants) > 1 else name
            run, known = _standing(study, variant, name)
            found.append((where, explain(run, name, known=known).steps))
    return found


def _remedies(study: Study) -> list[str]:
    """What to do for each victim, in the variant in which it is slowest."""
    found = []
    for name in study.jobs:
        slowed = [(mean, -place) for place, variant in enumerate(study.variants)
                  if (mean := _slowdown(variant, name)) is not None]  # fmt: skip
        if not slowed:
            continue
        variant = study.variants[-max(slowed)[1]]
        run, known = _standing(study, variant, name)
        where = f"{name}, slowest under {variant.label}" if len(study.variants) > 1 else name
        found.append(f"{where}: {explain(run, name, known=known).steps[-1][1]}")
    if not found:
        found.append(
            'No job with role = "victim" finished and also ran alone, so that this report cannot '
            "say what helps."
        )
    return found[:_EXPLAINED]


def _slowdown(variant: Variant, job: str) -> float | None:
    """Mean slowdown of a job in the finished runs of a variant with all jobs."""
    if variant.keys.get(WITHOUT, NOBODY) != NOBODY:
        return None
    runs = [run for run in variant.runs if run.stop == "finished" and job in run.jobs]
    found = [value for run in runs if (value := run.jobs[job].slowdown) is not None]
    return sum(found) / len(found) if found else None


def _standing(study: Study, variant: Variant, job: str) -> tuple[Result, Around]:
    """The run that stands for a variant, and what else is known of it."""
    if study.sweep is None:
        return variant.first, Around()
    same = [pl.col(key).eq_missing(pl.lit(value)) for key, value in variant.keys.items()]
    rows = study.sweep.index.filter(*same)
    name = standing(study.sweep, rows, job)
    return study.sweep.runs[name], around(study.sweep, name, is_chosen=len(rows) > 1)


def _spreads(overview: pl.DataFrame) -> str:
    """What stands next to the slowdowns of the table."""
    if not _has(overview, "spread"):
        return ""
    return " or ".join(overview["spread"].drop_nulls().unique(maintain_order=True))


def _has(frame: pl.DataFrame, column: str) -> bool:
    return column in frame.columns and frame[column].drop_nulls().len() > 0


_SHAPES = {
    "dragonfly": "dragonfly: {groups} groups of {routers_per_group} routers with "
    "{nodes_per_router} {ends} and {global_ports_per_router} global ports each",
    "aries": "Aries: {groups} groups of {rows} rows and {columns} columns of routers with "
    "{nodes_per_router} {ends} and {global_ports_per_router} global ports each",
    "megafly": "megafly: {groups} groups of {leaf_routers_per_group} leaf routers with "
    "{nodes_per_leaf} {ends} each and {spine_routers_per_group} spine routers, "
    "{links_per_group_pair} links between each two groups",
    "aries-interconnect": "Aries, rebuilt from {interconnect}",
    "file": "the channels of {channels}",
}


def _system(study: Study) -> str:
    """Name and shape of the system, as far as the resolved scenario tells them."""
    system = study.scenario.get("system", {})
    topology = system.get("topology", {})
    parts = [str(system["name"])] if "name" in system else []
    node = system.get("node", {})
    nics = sorted({one.nics for one in node_types(node)})
    each = " or ".join(map(str, nics))
    ends = f"network ends ({each} of a node of the machine)" if nics[-1] > 1 else "nodes"
    shape = _SHAPES.get(topology.get("kind"))
    if shape is not None:
        parts.append(shape.format_map({**topology, "ends": ends}))
    parts += [
        f"{kind['name']}: {kind['groups']} groups of {_routers(kind)}"
        for kind in topology.get("more_groups", ())
    ]
    sizes = _sizes(study, node)
    return "; ".join([*parts, sizes] if sizes else parts)


def _routers(kind: Mapping[str, Any]) -> str:
    """The routers of a group of another kind."""
    if "routers_per_group" in kind:
        return f"{kind['routers_per_group']} routers"
    return f"{kind['leaf_routers_per_group']} leaves and {kind['spine_routers_per_group']} spines"


def _sizes(study: Study, node: Mapping[str, Any]) -> str:
    """What the system has in all, counted in the table of links: whatever its family."""
    links = gather.table(study.variants[0].first, "links")
    if links.is_empty() or "kind" not in links.columns:
        return ""
    kinds = dict(links.group_by("kind", maintain_order=True).len().iter_rows())
    hosts = kinds.pop("host", 0)
    routers = {*links["source_router"].to_list(), *links["target_router"].to_list()} - {None}
    said = [f"{sum(machine_nodes(hosts, node)):,} nodes"] if hosts else []
    said += [f"{hosts:,} network ends"] if has_several_nics(node) else []
    said.append(f"{len(routers):,} routers")
    said += [f"{number // 2:,} {kind} links" for kind, number in kinds.items()]
    return ", ".join(said)


def _saturated(study: Study) -> str:
    """In how many runs the network is saturated; empty if nothing was measured."""
    marks = [(run.summary.get("network") or {}).get("saturated") for _, run in study.runs]
    known = [mark for mark in marks if mark is not None]
    if not known:
        return ""
    if study.is_sweep:
        return f"in {sum(known)} of {len(known)} runs"
    return "yes" if known[0] else "no"


def _variants(study: Study) -> str:
    labels = [variant.label for variant in study.variants]
    return "; ".join(labels) if len(labels) <= 8 else f"{len(labels)}, see the summary"


def _facts(study: Study) -> list[tuple[str, str]]:
    summary = study.variants[0].first.summary
    seeds = list(dict.fromkeys(str(run.summary["seed"]) for _, run in study.runs))
    named = seeds if len(seeds) <= 8 else [*seeds[:4], f"... ({len(seeds)})"]
    hashes = {str(run.summary["scenario_hash"]) for _, run in study.runs}
    facts = [
        ("System", _system(study)),
        ("Variants", _variants(study)),
        ("Runs", str(len(study.runs)) if study.is_sweep else ""),
        ("Seed" if len(seeds) == 1 else "Seeds", ", ".join(named)),
        ("Simulated", "" if study.is_sweep else time(summary.get("simulated_ns"))),
        ("Ended", ", ".join(dict.fromkeys(run.stop for _, run in study.runs))),
        ("Saturated", _saturated(study)),
        ("Odonata", str(summary["odonata_version"])),
        ("Scenario hash", next(iter(hashes)) if len(hashes) == 1 else ""),
    ]
    return [(name, value) for name, value in facts if value]


_WARNINGS = 12
"""Runs that did not finish that are named one by one."""


def _warnings(study: Study) -> list[str]:
    found = _unfinished(study)
    more = len(found) - _WARNINGS
    return [*found[:_WARNINGS], f"And {more} more."] if more > 0 else found


def _unfinished(study: Study) -> list[str]:
    found = []
    for variant, run in study.runs:
        where = f"Run {variant.label}, seed {run.summary['seed']}" if study.is_sweep else "The run"
        for who, result in [(where, run), *_baselines(where, run)]:
            if result.stop != "finished":
                found.append(f"{who} {ended(result)}.")
    return found


def _baselines(where: str, run: Result) -> list[tuple[str, Result]]:
    return [(f"{where}, {job} alone,", result) for job, result in run.baselines.items()]


def _picture(picture: Picture, library: str) -> dict[str, Any]:
    as_svg = len(picture.svg) <= _LARGEST_SVG
    kind, data = ("svg+xml", picture.svg) if as_svg else ("png", picture.png)
    few = len(picture.table) <= _LONGEST_TABLE
    return {
        "name": picture.name,
        "title": picture.title,
        "caption": picture.caption,
        "alternative": picture.alternative,
        "note": picture.note,
        "plot": plot(picture) if library else "",
        "pixels": round(96 * picture.width),
        "source": f"data:image/{kind};base64,{base64.b64encode(data).decode()}",
        "columns": picture.table.columns if few else [],
        "rows": [[_cell(v) for v in row] for row in picture.table.iter_rows()] if few else [],
    }


def _cell(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else "" if value is None else str(value)


def _end(row: dict[str, Any], side: str) -> str:
    node = row.get(f"{side}_node")
    if row.get("kind") == "host" and node is not None and node == node:  # noqa: PLR0124 - no NaN
        return f"node {node:.0f}"
    return f"router {row[f'{side}_router']} (group {row[f'{side}_group']})"


def _link(row: dict[str, Any]) -> dict[str, Any]:
    return {
        **row,
        "source": _end(row, "source"),
        "target": _end(row, "target"),
        "main_job": row.get("main_job"),
        "main_job_fraction": row.get("main_job_fraction"),
        "saturated_ns": row.get("saturated_ns"),
        "congestion_index": row.get("congestion_index"),
    }


def _engine(variant: Variant) -> dict[str, Any]:
    """What the runs of a variant cost, together; seeds get no rows of their own."""
    engines = [run.summary.get("engine") or {} for run in variant.runs]
    sums = ("wall_s", "cpu_s", "packets", "packet_hops")
    row: dict[str, Any] = {name: _sum([one.get(name) for one in engines]) for name in sums}
    simulated = [run.summary.get("simulated_ns") for run in variant.runs]
    memory = [one["rss_bytes_max"] for one in engines if one.get("rss_bytes_max") is not None]
    hops, spent = row["packet_hops"], row["cpu_s"]
    return {
        **row,
        "label": variant.label,
        "runs": len(variant.runs),
        "seed": ", ".join(str(run.summary["seed"]) for run in variant.runs[:_SEEDS])
        + (", ..." if len(variant.runs) > _SEEDS else ""),
        "simulated_ns": _sum(simulated),
        "threads": max((one.get("threads") or 1 for one in engines), default=1),
        "packet_hops_per_s_million": hops / spent / 1e6 if hops is not None and spent else None,
        "rss_bytes_max": max(memory, default=None),
    }


def _sum(values: list[Any]) -> Any:  # noqa: ANN401 - numbers of one kind
    known = [value for value in values if value is not None]
    return sum(known) if known else None


def _commands(study: Study) -> list[str]:
    """Return one command per run; the resolved scenario holds everything, the seed included."""
    commands = []
    for _, run in study.runs:
        if run.directory is None:
            continue
        place = run.directory.relative_to(study.directory).as_posix()
        prefix = "" if place == "." else f"{place}/"
        scenario = shlex.quote(f"{prefix}scenario.resolved.toml")
        again = shlex.quote(f"again/{place}" if prefix else "again")
        commands.append(f"odonata run {scenario} --out {again}")
    return commands[:_COMMANDS]
