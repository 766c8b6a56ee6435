"""Quantities: expressions over tables of runs, read from text without running any of it.

The text is parsed by Python's own parser, and every part of the tree has to be one that this file
knows: numbers, lists, ``+ - * / **``, and calls of the functions below. Nothing is evaluated by
Python; names, attributes, indices and comparisons are refused.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from keyword import iskeyword

from odonata.core.errors import suggestion
from odonata.studies import numbers
from odonata.studies.claims import StudyError
from odonata.studies.numbers import Value

Given = float | str | bool | tuple[float, float] | tuple[str, ...]
"""What a column is asked for: a value, the two ends of an interval, or several texts."""

_LONGEST = 10_000
_DEEPEST = 40


@dataclass(frozen=True, slots=True)
class Reading:
    """A number that is read from the tables of a run, or a file.

    Parameters
    ----------
    function : str
        What becomes of the column, such as ``mean``.
    run : str
        Scenario, with the name of the run behind a slash if it has several, or a file.
    column : str
        ``TABLE.COLUMN``; of a file the column alone.
    other : str
        A second column, of functions of two.
    alone : str
        Job whose isolated run is meant; empty for the run itself.
    q : float or None
        Percent, of ``percentile``.
    where : tuple
        Columns with what they must hold, by name.
    """

    function: str
    run: str
    column: str
    other: str = ""
    alone: str = ""
    q: float | None = None
    where: tuple[tuple[str, Given], ...] = ()

    @property
    def what(self) -> str:
        """The same in one canonical text without the run: the key under which it is stored."""
        parts = [self.column, *([self.other] if self.other else [])]
        parts += [f"q={self.q:g}"] if self.q is not None else []
        parts += [f"{name}={_shown(value)}" for name, value in self.where]
        return f"{self.function}({', '.join(parts)})"


def _shown(value: Given) -> str:
    if isinstance(value, tuple):
        return "(" + "; ".join(_shown(one) for one in value) + ")"
    return f"{value:g}" if isinstance(value, float) else str(value)


ONE_COLUMN = (
    "value", "mean", "median", "median_low", "median_high", "std", "min", "max", "sum", "total",
    "count", "first", "last", "percentile", "dispersion", "each",
)  # fmt: skip
TOTAL = "total"
"""The sum, or 0 where no row is left: a counter that counted nothing has none."""
EACH = "each"
"""All values of a column, of files only: of a run numbers are kept, no lists."""
TWO_COLUMNS = ("r_squared", "correlation", "rank_correlation")
FACTS = ("summary", "topology", "setting")
IN_THE_UNIT = (*(name for name in ONE_COLUMN if name not in ("count", "dispersion")), "summary")
"""Readings whose numbers are in the unit of what they read."""
READINGS = (*ONE_COLUMN, *TWO_COLUMNS, *FACTS)
"""Functions whose first argument is a run, a file or a system."""

_OPERATORS: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a / b,
    ast.Pow: math.pow,
}


class Quantity:
    """An expression.

    Parameters
    ----------
    text : str
        As it stands in ``expected.csv``.

    Raises
    ------
    StudyError
        It is no expression, or has a part that is not allowed.

    Examples
    --------
    >>> found = Quantity('mean("alone", "ranks.comm_time_ns", job="fft3d") / 1e6')
    >>> [one.what for one in found.readings]
    ['mean(ranks.comm_time_ns, job=fft3d)']
    >>> found.value(lambda reading: 5_137_000.0)
    5.137
    """

    def __init__(self, text: str) -> None:
        self.text = text
        if len(text) > _LONGEST:
            raise StudyError(f"the expression has more than {_LONGEST} characters; shorten it.")
        try:
            tree = ast.parse(text.strip(), mode="eval")
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            said = getattr(error, "msg", None) or str(error)
            raise StudyError(f"`{text}` is not an expression ({said}).") from None
        self._tree = tree.body
        self._readings: dict[ast.Call, Reading] = {}
        self._check(self._tree, 0)

    @property
    def readings(self) -> list[Reading]:
        """What it reads, each once, in order."""
        return list(dict.fromkeys(self._readings.values()))

    @property
    def is_plain(self) -> bool:
        """Whether it is a reading, or a list of readings: nothing is computed with them."""
        parts = self._tree.elts if isinstance(self._tree, ast.List | ast.Tuple) else [self._tree]
        return all(part in self._readings for part in parts)

    def _check(self, node: ast.expr, depth: int) -> None:
        if depth > _DEEPEST:
            raise StudyError(f"the expression is nested more than {_DEEPEST} deep; divide it.")
        if isinstance(node, ast.Call):
            name = _name(node)
            if _reads(node):
                self._readings[node] = reading(name, node)
                return
            numbers.known(name)
            if node.keywords:
                raise StudyError(f"`{name}` of numbers takes no `{node.keywords[0].arg}=`.")
        for child in _parts(node):
            self._check(child, depth + 1)

    def value(self, look_up: Callable[[Reading], Value]) -> Value:
        """What the expression comes to.

        Parameters
        ----------
        look_up : callable
            Gives what a reading is; may raise.

        Raises
        ------
        StudyError
            It has no value: a division by zero, lists of different lengths.
        """
        try:
            return self._value(self._tree, look_up)
        except (ZeroDivisionError, OverflowError, ValueError):
            raise StudyError(f"`{self.text}` has no value: it divides by zero, or is too "
                             "large.") from None  # fmt: skip

    def _value(self, node: ast.expr, look_up: Callable[[Reading], Value]) -> Value:
        match node:
            case ast.Call():
                if node in self._readings:
                    return look_up(self._readings[node])
                given = [self._value(one, look_up) for one in node.args]
                return numbers.carried_out(_name(node), given)
            case ast.List(elts=parts) | ast.Tuple(elts=parts):
                return [self._value(one, look_up) for one in parts]
            case ast.UnaryOp(op=operator, operand=operand):
                sign = -1.0 if isinstance(operator, ast.USub) else 1.0
                return _each(lambda a, b: a * b, sign, self._value(operand, look_up))
            case ast.BinOp(left=left, op=operator, right=right):
                how = _OPERATORS[type(operator)]
                return _each(how, self._value(left, look_up), self._value(right, look_up))
            case _:
                assert isinstance(node, ast.Constant)  # noqa: S101 - _parts refuses others
                return float(node.value)  # type: ignore[arg-type]


def _each(how: Callable[[float, float], float], left: Value, right: Value) -> Value:
    """An operator on numbers, or on lists number by number."""
    if isinstance(left, list) and isinstance(right, list):
        if len(left) != len(right):
            raise StudyError(f"lists of {len(left)} and of {len(right)} numbers do not have the "
                             "same length.")  # fmt: skip
        return [_each(how, a, b) for a, b in zip(left, right, strict=True)]
    if isinstance(left, list):
        return [_each(how, a, right) for a in left]
    if isinstance(right, list):
        return [_each(how, left, b) for b in right]
    return how(left, right)


def _parts(node: ast.expr) -> Iterator[ast.expr]:
    """What a node consists of, if it is of a kind that is allowed."""
    match node:
        case ast.Call(args=given):
            yield from given
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            yield from parts
        case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=operand):
            yield operand
        case ast.BinOp(left=left, op=operator, right=right) if type(operator) in _OPERATORS:
            yield from (left, right)
        case ast.Constant(value=value) if type(value) in (int, float):
            return
        case ast.Name(id=name):
            raise StudyError(f"`{name}` is not known; put names of runs, tables and columns in "
                             "quotes.")  # fmt: skip
        case _:
            raise StudyError(f"`{ast.unparse(node)}` is not allowed in a quantity; numbers, lists, "
                             "+ - * / ** and functions are.")  # fmt: skip


def _name(node: ast.Call) -> str:
    if not isinstance(node.func, ast.Name):
        raise StudyError(f"`{ast.unparse(node.func)}` is not a function of "
                         f"quantities.{suggestion('', (*READINGS, *numbers.NAMES))}")  # fmt: skip
    name = node.func.id
    if name not in READINGS and name not in numbers.NAMES:
        known = dict.fromkeys((*READINGS, *numbers.NAMES))
        raise StudyError(f"there is no function `{name}`.{suggestion(name, known)}")
    return name


def _reads(node: ast.Call) -> bool:
    """Whether a call reads something: its first argument is a text."""
    name = _name(node)
    is_text = bool(node.args) and isinstance(node.args[0], ast.Constant) \
        and isinstance(node.args[0].value, str)  # fmt: skip
    if not is_text and name not in numbers.NAMES:
        raise StudyError(f"`{name}` begins with the name of a run in quotes.")
    return is_text


def reading(name: str, node: ast.Call) -> Reading:
    """The reading that a call asks for.

    Raises
    ------
    StudyError
        It lacks something, or has too much.
    """
    if name not in READINGS:
        raise StudyError(f"`{name}` takes numbers, not runs.{suggestion(name, READINGS)}")
    texts = [_text(name, one) for one in node.args]
    wanted = 3 if name in TWO_COLUMNS else 2
    if len(texts) != wanted:
        what = 'the run, "TABLE.COLUMN"' + (' and "COLUMN"' if wanted == 3 else "")
        raise StudyError(f"`{name}` takes {what} in quotes, not {len(texts)} texts.")
    options = _options(name, node)
    alone = options.pop("alone", "")
    q = options.pop("q", None)
    if not isinstance(alone, str):
        raise StudyError("`alone` is the name of a job, in quotes.")
    if (q is not None) != (name == "percentile"):
        raise StudyError("`percentile` needs q, such as q=95, and no other function takes it.")
    if q is not None and not (isinstance(q, float) and 0.0 <= q <= 100.0):
        raise StudyError("q is a number from 0 to 100.")
    if name in FACTS and options:
        raise StudyError(f"`{name}` takes no `{next(iter(options))}=`.")
    return Reading(name, texts[0], texts[1], texts[2] if wanted == 3 else "", alone, q,
                   tuple(sorted(options.items())))  # fmt: skip


def _options(name: str, node: ast.Call) -> dict[str, Given]:
    """What stands behind the columns, by name."""
    found: dict[str, Given] = {}
    for keyword in node.keywords:
        if keyword.arg is None:
            raise StudyError(f"`**` is not allowed in `{name}`.")
        column = keyword.arg.removesuffix("_") if iskeyword(keyword.arg[:-1]) else keyword.arg
        found[column] = _given(column, keyword.value)  # `class_`: Python keeps `class` for itself
    return found


def _text(name: str, node: ast.expr) -> str:
    if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
        raise StudyError(f"`{ast.unparse(node)}` in `{name}`: put runs and columns in quotes.")
    return node.value


def _given(name: str, node: ast.expr) -> Given:
    """What a column must hold."""
    match node:
        case ast.Constant(value=str() | bool() as value):
            return value
        case ast.Tuple(elts=[low, high]):
            return (_number(name, low), _number(name, high))
        case ast.List(elts=parts) if parts:
            return tuple(_text(name, one) for one in parts)
        case _:
            return _number(name, node)


def _number(name: str, node: ast.expr) -> float:
    sign = 1.0
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        sign, node = -1.0, node.operand
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return sign * float(node.value)  # type: ignore[arg-type]
    raise StudyError(f"`{name}={ast.unparse(node)}`: give a number, a text in quotes, an interval "
                     "(0, 5e6) or a list of texts.")  # fmt: skip
