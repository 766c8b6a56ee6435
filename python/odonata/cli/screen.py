"""Where a command shows what it has to say."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from odonata.cli.words import printable


class _Screen(Console):
    """A console that shows letters that a terminal would obey, and leaves errors to the caller."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=printable(segment.text))


def screen(*, to_stderr: bool = False) -> Console:
    """Where results are shown; lines keep their length where there is no terminal."""
    console = _Screen(stderr=to_stderr, highlight=False)
    if not console.is_terminal:
        console.width = max(console.width, 120)
    return console


def tell(
    console: Console, text: str, *, indent: str = "", plain: int = 0, style: str | None = None
) -> None:
    """Print sentences, wrapped at words to the terminal.

    Parameters
    ----------
    text : str
        What; a command in it is not taken apart at its hyphens.
    indent : str
        In front of every line.
    plain : int
        Columns where there is no terminal; 0: a line stays whole.
    style : str, optional
        Colour.
    """
    width = console.width if console.is_terminal else plain
    if width:
        text = textwrap.fill(text, width, initial_indent=indent, subsequent_indent=indent,
                             break_on_hyphens=False, break_long_words=False)  # fmt: skip
    console.print(text, markup=False, soft_wrap=True, style=style)
