"""Links, routers and nodes of random scenarios that change while the network runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from attack import Draw


def let_change(
    draws: tuple[Draw, Draw],
    scenario: dict[str, Any],
    scale: int,
    pair: Callable[[Draw, Mapping[str, Any]], list[int]],
) -> None:
    """Let links, by the first draws, and routers and nodes of some scenarios change.

    Parameters
    ----------
    draws : tuple of Draw
        Of links, and of routers and nodes.
    scenario : dict
        As in a scenario file; it is changed.
    scale : int
        Delays of the system lie around this, ps.
    pair : callable
        Draws two routers of a topology, mostly joined.
    """
    links, routers = draws
    if links.chance(0.2):
        _links_change(links, scenario, scale, pair)
    if routers.chance(0.15):
        _routers_fail(routers, scenario, scale)


def _links_change(
    draw: Draw,
    scenario: dict[str, Any],
    scale: int,
    pair: Callable[[Draw, Mapping[str, Any]], list[int]],
) -> None:
    """Links go down, come back and lose lanes while the network runs."""
    failures = scenario["system"].setdefault("failures", {})
    failures["known_after"] = f"{draw.pick((0, 0, scale * 10, scale * 300))} ps"
    failures["events"] = events = []  # none of them: refused
    for _ in range(draw.pick((1, 1, 1, 2, 4))):
        link = pair(draw, scenario["system"]["topology"])
        if link[0] == link[1]:
            continue
        at = draw.whole(0, scale * 500)
        for _ in range(draw.whole(1, 4)):
            what = draw.pick(("down", "down", "up", "lanes"))
            lanes = {"lanes": f"{draw.whole(1, 10**6)} ppm"}
            change = lanes if what == "lanes" else {"state": what}
            events.append({"at": f"{at} ps", "link": link, **change})
            at += draw.whole(1, scale * 300)
    _leave_refused(draw, scenario)


def _routers_fail(draw: Draw, scenario: dict[str, Any], scale: int) -> None:
    """Routers and nodes fail while the network runs, and some come back; jobs end or wait."""
    failures = scenario["system"].setdefault("failures", {})
    failures["resent_after"] = f"{draw.pick((0, scale * 10, scale * 300))} ps"
    events = failures.setdefault("events", [])
    for _ in range(draw.pick((1, 1, 2, 3))):
        kind = draw.pick(("router", "node"))
        number = draw.whole(0, draw.pick((1, 8, 40)))  # some are not there
        at = draw.whole(0, scale * 500)
        for state in ("down", "up")[: draw.pick((1, 2))]:
            events.append({"at": f"{at} ps", kind: number, "state": state})
            at += draw.whole(0 if draw.chance(0.05) else 1, scale * 300)
    for job in scenario["jobs"]:
        if draw.chance(0.2):
            job["on_failure"] = draw.pick(("end", "wait"))
    _leave_refused(draw, scenario)


def _leave_refused(draw: Draw, scenario: dict[str, Any]) -> None:
    """Mostly nothing is asked for that is refused beside events."""
    if draw.chance(0.9):
        for key in ("blame", "counters", "counter_interval", "counter_view"):
            scenario["telemetry"].pop(key, None)
