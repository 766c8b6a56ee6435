"""tests/README.md lists what `make test-long` adds: every test that does more there, no other."""

from __future__ import annotations

import ast
import re

ROW = re.compile(r"^\| `([\w/.-]+\.(?:py|rs))`(.*)\|$", re.MULTILINE)
ASKS = re.compile(r'\bIS_LONG\b|\blonger\(|\bis_long\(\)|mark\.long\b|var\("ODONATA_LONG"\)')
DEFINES = {"tests/conftest.py", "tests/lengths.py", "tests/test_lengths.py",
           "crates/interpose/tests/support/programs.rs"}  # fmt: skip
"""Files that say what is long, or hand it on."""


def asking_tests(repository):
    """Files of tests that do more in the long run, and the tests that run only there."""
    found = {}
    files = [*repository.glob("tests/*.py"), *repository.glob("crates/*/tests/**/*.rs")]
    for path in files:
        name = str(path.relative_to(repository))
        text = path.read_text("utf-8")
        if name not in DEFINES and ASKS.search(text):
            found[name] = marked(text) if path.suffix == ".py" else set()
    return found


def marked(text):
    """Names of the functions with the mark."""
    return {node.name for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)
            and any("mark.long" in ast.unparse(one) for one in node.decorator_list)}  # fmt: skip


def listed(text):
    return {name: set(re.findall(r"`(test_\w+)`", rest)) for name, rest in ROW.findall(text)}


def test_the_list_of_the_long_run_is_whole(repository):
    text = (repository / "tests" / "README.md").read_text("utf-8")
    assert listed(text.partition("## The long run")[2].partition("\n## ")[0]) == (
        asking_tests(repository)
    )


def test_a_missing_row_is_seen():
    row = "| `tests/test_a.py` | nothing | `test_b`: more |"
    assert listed(row) == {"tests/test_a.py": {"test_b"}}
    assert marked("@pytest.mark.long\ndef test_b():\n    pass\n") == {"test_b"}
    assert ASKS.search('std::env::var("ODONATA_LONG").is_ok()')
