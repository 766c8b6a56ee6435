"""``odonata completion SHELL``: what the tab key offers in bash, zsh and fish."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

from odonata.cli.command_tree import PROGRAM, Command, Word

_HOW = {
    "bash": f'eval "$({PROGRAM} completion bash)"   in ~/.bashrc',
    "zsh": f'eval "$({PROGRAM} completion zsh)"   in ~/.zshrc, behind compinit',
    "fish": f"{PROGRAM} completion fish > ~/.config/fish/completions/{PROGRAM}.fish",
}


def completion(shell: str, program: Command) -> int:
    """``odonata completion SHELL``."""
    sys.stdout.write("\n".join(_SHELLS[shell](program)) + "\n")
    return 0


def bash(program: Command) -> Iterator[str]:
    """Completion script for bash: a function that looks at the words so far."""
    yield f"# bash completion of {PROGRAM}; {_HOW['bash']}"
    yield f"_{PROGRAM}() {{"
    yield "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}"
    yield '    local command="" options="" names="" files="" word i'
    yield "    for ((i = 1; i < COMP_CWORD; i++)); do"
    yield "        word=${COMP_WORDS[i]}"
    yield '        case "$command $word" in'
    calls = "|".join(
        f'"{" ".join(one.path[:-1])} {one.path[-1]}"' for one in program.walk() if one.path
    )
    yield f"            {calls})"
    yield '                command="${command:+$command }$word" ;;'
    yield "        esac"
    yield "    done"
    yield '    case "$command $prev" in'
    for command in program.walk():
        for option in command.options:
            if option.takes != "nothing":
                calls = "|".join(f'"{" ".join(command.path)} {flag}"' for flag in option.flags)
                yield f"        {calls}) {_bash_value(option)} return ;;"
    yield "    esac"
    yield '    case "$command" in'
    for command in program.walk():
        flags = " ".join(flag for option in command.options for flag in option.flags)
        names = [one.path[-1] for one in command.commands]
        names += [name for word in command.positionals for name in word.names]
        kinds = {word.takes for word in command.positionals}
        files = "-f" if "file" in kinds else "-d" if "folder" in kinds else ""
        yield (
            f'        "{" ".join(command.path)}") options="{flags}"; names="{" ".join(names)}"; '
            f'files="{files}" ;;'
        )
    yield "    esac"
    yield "    if [[ $cur == -* ]]; then"
    yield '        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$cur")'
    yield "        return"
    yield "    fi"
    yield '    mapfile -t COMPREPLY < <(compgen -W "$names" -- "$cur")'
    yield "    if [[ -n $files ]]; then"
    yield "        compopt -o filenames 2> /dev/null"
    yield '        mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen $files -- "$cur")'
    yield "    fi"
    yield "}"
    yield f"complete -F _{PROGRAM} {PROGRAM}"


def _bash_value(option: Word) -> str:
    if option.takes == "name":
        return f'mapfile -t COMPREPLY < <(compgen -W "{" ".join(option.names)}" -- "$cur");'
    if option.takes in ("file", "folder"):
        kind = "-f" if option.takes == "file" else "-d"
        return (
            "compopt -o filenames 2> /dev/null; "
            f'mapfile -t COMPREPLY < <(compgen {kind} -- "$cur");'
        )
    return "COMPREPLY=();"


def zsh(program: Command) -> Iterator[str]:
    """Completion script for zsh: a function per command, in the terms of ``_arguments``."""
    yield f"#compdef {PROGRAM}"
    yield f"# {_HOW['zsh']}"
    for command in reversed(list(program.walk())):
        yield from _zsh_function(command)
    yield f"if [[ $funcstack[1] == _{PROGRAM} ]]; then"
    yield f'    _{PROGRAM} "$@"'
    yield "else"
    yield f"    compdef _{PROGRAM} {PROGRAM}"
    yield "fi"


def _zsh_name(command: Command) -> str:
    return "_".join(("", PROGRAM, *command.path))


def _zsh_function(command: Command) -> Iterator[str]:
    yield f"{_zsh_name(command)}() {{"
    lines = [_zsh_option(option, flag) for option in command.options for flag in option.flags]
    if command.commands:
        yield "    local context state state_descr line"
        yield "    typeset -A opt_args"
        yield from _continued([*lines, "'1:command:->command'", "'*::argument:->argument'"], "-C ")
        yield "    case $state in"
        yield "        command)"
        yield "            local -a commands"
        yield "            commands=("
        for one in command.commands:
            yield f"                {_quoted(f'{one.path[-1]}:{one.help}')}"
        yield "            )"
        yield "            _describe command commands ;;"
        yield "        argument)"
        yield "            case $line[1] in"
        for one in command.commands:
            yield f"                {one.path[-1]}) {_zsh_name(one)} ;;"
        yield "            esac ;;"
        yield "    esac"
    else:
        for place, word in enumerate(command.positionals, 1):
            where = "*" if word.is_repeated else f"{place}:" if word.is_optional else str(place)
            lines.append(_quoted(f"{where}:{_zsh_plain(word.shown)}:{_zsh_action(word)}"))
        yield from _continued(lines, "")
    yield "}"


def _continued(lines: list[str], start: str) -> Iterator[str]:
    yield f"    _arguments {start}\\"
    for number, line in enumerate(lines):
        yield f"        {line}" + (" \\" if number < len(lines) - 1 else "")


def _zsh_option(option: Word, flag: str) -> str:
    many = "*" if option.is_repeated else ""
    value = "" if option.takes == "nothing" else f":{option.shown}:{_zsh_action(option)}"
    return _quoted(f"{many}{flag}[{_zsh_plain(option.help)}]{value}")


def _zsh_plain(text: str) -> str:
    """Text without the marks that ``_arguments`` reads."""
    for mark in "\\[]:":
        text = text.replace(mark, f"\\{mark}")
    return text


def _zsh_action(word: Word) -> str:
    match word.takes:
        case "name":
            return f"({' '.join(word.names)})"
        case "file":
            return "_files"
        case "folder":
            return "_files -/"
        case _:
            return " "


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def fish(program: Command) -> Iterator[str]:
    """Completion script for fish: a line per word, with the condition under which it is offered."""
    yield f"# fish completion of {PROGRAM}; {_HOW['fish']}"
    yield f"complete -c {PROGRAM} -f"
    for command in program.walk():
        when = _fish_when(command)
        for one in command.commands:
            below = " ".join(each.path[-1] for each in command.commands)
            still = f"{when}; and not __fish_seen_subcommand_from {below}"
            yield _fish(still, f"-a {one.path[-1]}", one.help)
        for option in command.options:
            flags = " ".join(
                f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}"
                for flag in option.flags
            )
            yield _fish(when, f"{flags}{_fish_value(option)}", option.help)
        for word in command.positionals:
            if word.takes in ("file", "folder"):
                yield _fish(when, "-F", "")
            elif word.names:
                yield _fish(when, f"-a {_quoted(' '.join(word.names))}", word.shown)


def _fish_when(command: Command) -> str:
    seen = "; and ".join(f"__fish_seen_subcommand_from {word}" for word in command.path)
    return seen or "true"


def _fish(when: str, what: str, about: str) -> str:
    described = f" -d {_quoted(about)}" if about else ""
    return f"complete -c {PROGRAM} -n {_quoted(when)} {what}{described}"


def _fish_value(option: Word) -> str:
    match option.takes:
        case "nothing":
            return ""
        case "name":
            return f" -x -a {_quoted(' '.join(option.names))}"
        case "file":
            return " -r -F"
        case "folder":
            return " -x -a '(__fish_complete_directories)'"
        case _:
            return " -x"


_SHELLS: dict[str, Callable[[Command], Iterator[str]]] = {"bash": bash, "zsh": zsh, "fish": fish}

SHELLS = tuple(_SHELLS)
"""Shells there is a completion for."""
