"""The view as one HTML page: template, style, program, library and data."""

from __future__ import annotations

import json
from importlib.resources import files

import jinja2
import matplotlib as mpl
from markupsafe import Markup

from odonata.output.plots.style import HEAT
from odonata.output.view.content import Content
from odonata.output.view.packing import pack

PROGRAM = ("data.js", "words.js", "measure.js", "charts.js", "scene.js", "panel.js", "main.js")
"""Parts of the program; none uses one that stands behind it before all are read."""

LIBRARY = "library.js"
"""deck.gl, bundled by ``tools/view/build.mjs``; it begins with its licences."""

_STEPS = 96
_DARKEST = 0.12
"""Steps of the colour scale, and where it begins: below, colours are lost on the dark ground."""


def scale() -> list[list[int]]:
    """Colours from the lowest value to the highest: red, green and blue from 0 to 255."""
    colours = mpl.colormaps[HEAT]
    spots = [_DARKEST + (1 - _DARKEST) * step / (_STEPS - 1) for step in range(_STEPS)]
    return [[round(part * 255) for part in colours(spot)[:3]] for spot in spots]


def render(content: Content) -> str:
    """Render the page.

    Parameters
    ----------
    content : Content
        What there is to see.

    Returns
    -------
    str
        HTML without any reference to another file.
    """
    index, columns = pack(content.arrays)
    given = json.dumps({"facts": content.facts, "index": index, "scale": scale()}, allow_nan=False)
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined)
    return environment.from_string(_part("view.html")).render(
        name=content.facts["name"] or "run",
        style=Markup(_part("view.css")),  # noqa: S704 - our own text
        facts=Markup(given.replace("<", "\\u003c")),  # noqa: S704 - cannot end its element
        columns=columns,
        library=Markup(_part(LIBRARY)),  # noqa: S704 - our own text
        program=Markup("\n".join(map(_part, PROGRAM))),  # noqa: S704 - our own text
    )


def _part(name: str) -> str:
    return (files("odonata.output.view") / "app" / name).read_text(encoding="utf-8")
