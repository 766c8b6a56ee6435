"""Completion scripts and the manual say what the argument parser says."""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess

import pytest

from odonata import cli
from odonata.cli import command_tree, completion, manual
from odonata.cli.arguments import parser
from odonata.scenario import registry

PROGRAM = command_tree.read(parser())
COMMANDS = [command for command in PROGRAM.walk() if command.path]


def script(shell):
    return "\n".join(getattr(completion, shell)(PROGRAM)) + "\n"


def needs(program):
    if shutil.which(program) is None:
        pytest.skip(f"no {program} here")
    return program


def called(*arguments, **kinds):
    done = subprocess.run(
        arguments, capture_output=True, text=True, timeout=30, check=False, **kinds
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


def test_every_option_of_the_help_is_read_off(capsys):
    for command in COMMANDS:
        assert cli.main([*command.path, "--help"]) == 0
        shown = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", capsys.readouterr().out))
        own = {flag for option in command.options for flag in option.flags if flag[:2] == "--"}
        assert own <= shown
        assert command.description or command.help
        usage = {one for one in shown if one in own}
        assert usage == own


def bash_offers(line, tmp_path):
    words = line.split(" ")
    test = (
        f"{script('bash')}\nCOMP_WORDS=({' '.join(repr(w) for w in words)})\n"
        f"COMP_CWORD={len(words) - 1}\n_odonata\nprintf '%s\\n' \"${{COMPREPLY[@]}}\"\n"
    )
    return called(needs("bash"), "--norc", "-c", test, cwd=tmp_path).split()


def fish_offers(line, tmp_path):
    (tmp_path / "odonata.fish").write_text(script("fish"))
    test = f"source odonata.fish; complete -C '{line}'"
    shown = called(
        needs("fish"), "--no-config", "-c", test, cwd=tmp_path,
        env={"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"},
    )  # fmt: skip
    return [line.partition("\t")[0] for line in shown.splitlines()]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "mine.toml").touch()
    (tmp_path / "results").mkdir()
    return tmp_path


@pytest.mark.parametrize("offers", [bash_offers, fish_offers])
@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("odonata re", {"report"}),
        ("odonata trace ", {"info", "check", "convert", "timeline"}),
        ("odonata run --over", {"--overwrite"}),
        ("odonata run mi", {"mine.toml"}),
        ("odonata run --out res", {"results/"}),
        ("odonata new a.toml --routing ugal", {"ugal-group", "ugal-node"}),
        ("odonata completion z", {"zsh"}),
        ("odonata list rout", {"routings"}),
    ],
)
def test_the_tab_key_offers_what_fits(offers, line, wanted, folder):
    offered = {one.rstrip("/") for one in offers(line, folder)}
    assert offered == {one.rstrip("/") for one in wanted}


def test_every_command_and_option_is_offered(folder):
    tops = {command.path[0] for command in COMMANDS}
    assert set(bash_offers("odonata ", folder)) == tops
    run = next(command for command in COMMANDS if command.path == ("run",))
    flags = {flag for option in run.options for flag in option.flags}
    assert set(bash_offers("odonata run -", folder)) == flags
    kinds = bash_offers("odonata show routing ", folder)
    assert set(registry.family("routings")) <= set(kinds)


def test_zsh_takes_its_script(tmp_path):
    (tmp_path / "_odonata").write_text(script("zsh"))
    called(needs("zsh"), "-f", "-n", "_odonata", cwd=tmp_path)
    load = "fpath=($PWD $fpath); autoload -Uz compinit; compinit -D -u; print $_comps[odonata]"
    assert called("zsh", "-f", "-c", load, cwd=tmp_path).strip() == "_odonata"
    source = "autoload -Uz compinit; compinit -D -u; source ./_odonata; whence -w _odonata_run"
    assert called("zsh", "-f", "-c", source, cwd=tmp_path).strip() == "_odonata_run: function"


def test_zsh_offers_commands_and_options(tmp_path):
    """A shell in a pseudo terminal of its own, as its users have it."""
    (tmp_path / "_odonata").write_text(script("zsh"))
    (tmp_path / "rc").write_text(
        "PS1=; fpath=($PWD $fpath); autoload -Uz compinit; compinit -D -u; print READY\n"
    )
    keys = """
zmodload zsh/zpty
zpty shell 'zsh -f -i'
zpty -w shell 'source ./rc'
until [[ $line == *READY$'\\r'* ]]; do zpty -r shell line; done
zpty -w -n shell $'odonata run --overw\\t'
for number in {1..100}; do
    zpty -rt shell line && seen+=$line
    [[ $seen == *--overwrite* ]] && break
    sleep 0.05
done
zpty -d shell
print -r -- $seen
"""
    shown = subprocess.run([needs("zsh"), "-f", "-c", keys], cwd=tmp_path, capture_output=True,
                           text=True, timeout=30, check=False).stdout  # fmt: skip
    assert "--overwrite" in shown


def test_the_commands_print_them(capsys):
    for shell in completion.SHELLS:
        assert cli.main(["completion", shell]) == 0
        assert capsys.readouterr().out == script(shell)
    assert cli.main(["completion", "tcsh"]) == 2
    capsys.readouterr()
    assert cli.main(["man"]) == 0
    assert capsys.readouterr().out == "\n".join(manual.page(PROGRAM)) + "\n"


def test_the_manual_names_every_command_option_and_exit_code():
    text = "\n".join(manual.page(PROGRAM)).replace("\\-", "-")
    for command in COMMANDS:
        if not command.commands:
            assert f".SS odonata {' '.join(command.path)}" in text
        for option in command.options:
            assert all(
                f"\\fB{flag}\\fR" in text for flag in option.flags if flag not in ("-h", "--help")
            )
    for code in range(5):
        assert f".B {code}\n" in text


def test_man_understands_the_page():
    text = "\n".join(manual.page(PROGRAM)) + "\n"
    shown = called(needs("groff"), "-man", "-Tutf8", "-ww", input=text)
    plain = re.sub(r"\x1b\[[0-9;]*m|.\x08", "", shown)
    assert "odonata new" in plain
    assert "--overwrite" in plain


def test_a_help_text_with_marks_of_a_shell_does_no_harm():
    top = argparse.ArgumentParser(prog="odonata", description="It's [odd]: `x` $HOME")
    odd = top.add_subparsers().add_parser("odd", help="it's [odd]: $(touch a) `x`")
    odd.add_argument("--odd", metavar="X", help='it\'s [odd]: $(touch a) `x` \\ %% "q"')
    program = command_tree.read(top)
    for shell in completion.SHELLS:
        text = "\n".join(getattr(completion, shell)(program))
        if shutil.which(shell):
            subprocess.run([shell, "-n"], input=text, text=True, check=True, timeout=30)
