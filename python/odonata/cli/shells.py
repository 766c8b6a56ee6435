"""``odonata completion SHELL`` and ``odonata man``: what the parser knows, for other programs."""

from __future__ import annotations

from odonata.cli import command_tree, completion, manual
from odonata.cli.arguments import parser
from odonata.cli.options import Commands


def add(commands: Commands) -> None:
    """Let the command line understand both."""
    command = commands.add_parser(
        "completion",
        description='Print a completion script. For bash: eval "$(odonata completion bash)".',
    )
    command.add_argument("shell", choices=completion.SHELLS, help="bash, zsh or fish")
    command.set_defaults(
        command=lambda options: completion.completion(options.shell, command_tree.read(parser()))
    )
    page = commands.add_parser(
        "man",
        description="Print the manual page in the language of man: odonata man | man -l -",
    )
    page.set_defaults(command=lambda _: manual.man(command_tree.read(parser())))
