"""Lines of forward and nodes of backward, with the call stack at each.

The same as `widgets/src/course/ribbon_steps.ts`, where a reader goes from step to step.
Numbers are float32, each rounded once.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import numpy as np

from ...widgets.box_style import BAD, MUTED, TEXT
from ...widgets.format import number
from ...widgets.svg import Picture
from .interaction import Interaction

__all__ = ["PROGRAMS", "Made", "Program", "StackRibbon", "anomaly", "run"]


@dataclass(frozen=True)
class Made:
    """An operation of a program.

    Attributes:
        code: its text in the program.
        kind: of `RULES`.
        inputs: numbers of the operations that it takes its inputs from; -1 is x.
        line: its line, counted from 1.
    """

    code: str
    kind: str
    inputs: tuple[int, ...]
    line: int


@dataclass(frozen=True)
class Program:
    """A few lines of code: a function, a loss, and backward.

    Attributes:
        name: of the function.
        lines: of the code.
        made: operations, in the order in which they run.
        places: of x on the slider.
    """

    name: str
    lines: tuple[str, ...]
    made: tuple[Made, ...]
    places: tuple[float, ...]

    @property
    def call(self) -> int:
        """The line that calls the function; the next line calls backward."""
        return len(self.lines) - 1


NEAR: Final = (-1.0, -0.1, -0.01, -0.001, 0.0, 0.001, 0.01, 0.1, 1.0, 2.0, 3.0)

PROGRAMS: Final = {
    "length": Program(
        "length",
        ("def length(x):", "    q = x * x", "    return q.sqrt()", "",
         "loss = 2 * length(x)", "loss.backward()"),
        (Made("x * x", "mul", (-1, -1), 2), Made("q.sqrt()", "sqrt", (0,), 3),
         Made("2 * length(x)", "double", (1,), 5)),
        NEAR,
    ),
    "where": Program(
        "length",
        ("def length(x):", "    q = x * x", "    s = q.sqrt()",
         "    return where(q > 0, s, 0)", "", "loss = 2 * length(x)",
         "loss.backward()"),
        (Made("x * x", "mul", (-1, -1), 2), Made("q.sqrt()", "sqrt", (0,), 3),
         Made("where(q > 0, s, 0)", "where", (0, 1), 4),
         Made("2 * length(x)", "double", (2,), 6)),
        NEAR,
    ),
    "xlogx": Program(
        "f",
        ("def f(x):", "    return x * x.log()", "", "loss = 2 * f(x)",
         "loss.backward()"),
        (Made("x.log()", "log", (-1,), 2), Made("x * x.log()", "mul", (-1, 0), 2),
         Made("2 * f(x)", "double", (1,), 4)),
        (0.0, 0.001, 0.01, 0.1, 0.5, 1.0, 2.0, 3.0),
    ),
    "softplus": Program(
        "softplus",
        ("def softplus(x):", "    return (1 + x.exp()).log()", "",
         "loss = 2 * softplus(x)", "loss.backward()"),
        (Made("x.exp()", "exp", (-1,), 2), Made("1 + x.exp()", "plus", (0,), 2),
         Made("(1 + x.exp()).log()", "log", (1,), 2),
         Made("2 * softplus(x)", "double", (2,), 4)),
        (-10.0, -1.0, 0.0, 1.0, 10.0, 50.0, 88.0, 89.0, 100.0),
    ),
}  # fmt: skip

TITLES: Final = {
    "length": "a length",
    "where": "a length with where",
    "xlogx": "x log x",
    "softplus": "softplus",
}


@dataclass(frozen=True)
class Rule:
    """Forward and backward of an operation, and their names.

    Attributes:
        node: its name in the graph.
        forward: from the inputs.
        backward: of the gradient g, the inputs and the result: a gradient for each
            input, None where none leads on.
        words: the gradients as a calculation, from the same numbers.
    """

    node: str
    forward: Callable[..., Any]
    backward: Callable[..., tuple[Any, ...]]
    words: Callable[..., tuple[str, ...]]


TWO: Final = np.float32(2)

RULES: Final = {
    "mul": Rule(
        "Mul", lambda a, b: a * b, lambda g, i, _: (g * i[1], g * i[0]),
        lambda g, i, _: (f"{g} · {i[1]}", f"{g} · {i[0]}"),
    ),
    "double": Rule(
        "Mul", lambda a: TWO * a, lambda g, _, __: (g * TWO,),
        lambda g, _, __: (f"{g} · 2",),
    ),
    "plus": Rule(
        "Add", lambda a: np.float32(1) + a, lambda g, _, __: (g,),
        lambda g, _, __: (g,),
    ),
    "sqrt": Rule(
        "Sqrt", np.sqrt, lambda g, _, y: (g / (TWO * y),),
        lambda g, _, y: (f"{g} / (2 · {y})",),
    ),
    "log": Rule(
        "Log", np.log, lambda g, i, _: (g / i[0],),
        lambda g, i, _: (f"{g} / {i[0]}",),
    ),
    "exp": Rule(
        "Exp", np.exp, lambda g, _, y: (g * y,),
        lambda g, _, y: (f"{g} · {y}",),
    ),
    "where": Rule(
        "Where", lambda q, s: s if q > 0 else np.float32(0),
        lambda g, i, _: (None, g if i[0] > 0 else np.float32(0)),
        lambda g, i, _: ("", g if i[0] != "0" else "0"),
    ),
}  # fmt: skip


@dataclass(frozen=True)
class Step:
    """One operation in forward, or one node in backward.

    Attributes:
        made: the number of the operation; -1 for the end, at x.
        backward: which of the two.
        arrived: the gradient that came in; None forward.
        values: what was made: the result, or the gradients that leave.
        node: its name in the graph.
        stack: what is on the call stack, the caller first.
        words: what happens, in a sentence.
    """

    made: int
    backward: bool
    arrived: float | None
    values: tuple[float, ...]
    node: str
    stack: tuple[str, ...]
    words: str


def run(name: str, x: float) -> list[Step]:
    """All steps of a program: forward, then backward.

    Example:
        >>> [step.node for step in run("length", 0.0)][-3:]
        ['SqrtBackward0', 'MulBackward0', 'AccumulateGrad']
    """
    program = PROGRAMS[name]
    at = np.float32(x)
    values: list[Any] = []
    steps: list[Step] = []
    with np.errstate(all="ignore"):
        for made in program.made:
            rule = RULES[made.kind]
            values.append(rule.forward(*(_value(values, at, i) for i in made.inputs)))
            steps.append(_forward_step(program, len(values) - 1, values[-1]))
        gradients: dict[int, Any] = {len(values) - 1: np.float32(1)}
        steps.extend(
            _backward_step(program, i, values, at, gradients)
            for i in reversed(range(len(values)))
        )
    whole = gradients[-1]
    words = f"Every path is back at x: x.grad = {number(float(whole))}."
    caller, engine = _engine(program)
    stack = (caller, engine, "accumulate")
    last = Step(-1, True, float(whole), (), "AccumulateGrad", stack, words)
    return [*steps, last]


def _value(values: list[Any], x: Any, i: int) -> Any:
    return x if i < 0 else values[i]


def _forward_step(program: Program, i: int, value: Any) -> Step:
    made = program.made[i]
    rule = RULES[made.kind]
    call = f"line {program.call}: {program.lines[program.call - 1]}"
    inside = f"{program.name}, line {made.line}: {program.lines[made.line - 1].strip()}"
    frames = (call,) if made.line == program.call else (call, inside)
    words = f"Forward, line {made.line}: {made.code} = {number(float(value))}."
    node = f"{rule.node}Backward0"
    stack = (*frames, f"{rule.node}.forward")
    return Step(i, False, None, (float(value),), node, stack, words)


def _backward_step(
    program: Program, i: int, values: list[Any], x: Any, gradients: dict[int, Any]
) -> Step:
    """The backward of one operation; its results are added to `gradients`."""
    made, g = program.made[i], gradients[i]
    rule = RULES[made.kind]
    inputs = [_value(values, x, k) for k in made.inputs]
    leaves = rule.backward(g, inputs, values[i])
    for k, gradient in zip(made.inputs, leaves, strict=False):
        if gradient is not None:
            gradients[k] = gradients[k] + gradient if k in gradients else gradient
    texts = [number(float(value)) for value in inputs]
    sums = rule.words(number(float(g)), texts, number(float(values[i])))
    made_of = [
        f"{how} = {number(float(value))}" if how != number(float(value)) else how
        for how, value in zip(sums, leaves, strict=True)
        if value is not None
    ]
    words = (
        f"Backward of line {made.line}, {made.code}: {number(float(g))} arrives, "
        f"{' and '.join(made_of)} {'leaves' if len(made_of) == 1 else 'leave'}."
    )
    stack = (*_engine(program), f"{rule.node}.backward")
    kept = tuple(float(value) for value in leaves if value is not None)
    node = f"{rule.node}Backward0"
    return Step(i, True, float(g), kept, node, stack, words)


def _engine(program: Program) -> tuple[str, str]:
    return f"line {program.call + 1}: {program.lines[-1]}", "steps, in the engine"


def anomaly(name: str, x: float) -> str:
    """The report of anomaly detection for a program.

    Example:
        >>> anomaly("length", 1.0)
        'detect_anomaly reports nothing.'
    """
    steps, program = run(name, x), PROGRAMS[name]
    nan = next(
        (s for s in steps if s.backward and any(map(math.isnan, s.values))), None
    )
    if nan is None:
        return "detect_anomaly reports nothing."
    said = (
        f"detect_anomaly: {nan.node} returned nan, forward ran in line "
        f"{program.made[nan.made].line};"
    )
    for step in steps[: steps.index(nan)]:
        if _finite(step.values):
            continue
        line = program.made[step.made].line
        what = "gradient" if step.backward else "value"
        return f"{said} the first {what} that is not finite was made by line {line}."
    return f"{said} everything before it was finite."


class StackRibbon(Interaction):
    """Lines of forward beside nodes of backward, with the call stack at each step.

    In the page a reader chooses a program, moves x, and goes from step to step.

    Args:
        program: "length", "where", "xlogx" or "softplus".
        x: one of the program's places.

    Raises:
        ValueError: for an unknown program, or an x that is not one of its places.

    Example:
        >>> print(StackRibbon("length", 0.0).text().splitlines()[1])
        x = 0, x.grad = nan.
    """

    kind: ClassVar[str] = "stack_ribbon"

    def __init__(self, program: str = "length", x: float = 1.0) -> None:
        if program not in PROGRAMS:
            raise ValueError(f"program is one of {', '.join(PROGRAMS)}")
        places = PROGRAMS[program].places
        if x not in places:
            raise ValueError(f"x is one of {', '.join(map(number, places))}")
        super().__init__(data={"program": program, "x": float(x)})

    def picture(self, note: str = "") -> Picture:
        """The lines and the nodes, with all values and gradients."""
        program, steps = PROGRAMS[self.data["program"]], run(**_given(self.data))
        high = 116 + ROW * len(program.lines)
        picture = Picture(WIDE, high, "Lines of forward and nodes of backward")
        caption = self._caption() + (f" ({note})" if note else "")
        picture.text(16, 22, caption, bold=True, size=13)
        report = anomaly(**_given(self.data))
        for i, part in enumerate(report.split("; ")):
            picture.text(16, 42 + 16 * i, part, size=12)
        picture.text(16, 84, "forward ↓", size=11, fill=MUTED)
        picture.text(BOX, 84, "backward ↑", size=11, fill=MUTED)
        _draw_lines(picture, program, steps)
        _draw_nodes(picture, program, steps)
        return picture

    def text(self) -> str:
        """The program, and for each step a description with the stack."""
        steps = run(**_given(self.data))
        lines = [TITLES[self.data["program"]], self._caption()]
        lines += PROGRAMS[self.data["program"]].lines
        for step in steps:
            lines += [step.words, f"    stack: {' > '.join(step.stack)}"]
        return "\n".join([*lines, anomaly(**_given(self.data))])

    def _caption(self) -> str:
        whole = run(**_given(self.data))[-1].arrived
        return f"x = {number(self.data['x'])}, x.grad = {number(whole)}."


def _given(data: dict[str, Any]) -> dict[str, Any]:
    return {"name": data["program"], "x": data["x"]}


WIDE, ROW, TOP, LEFT, BOX, BOX_HIGH = 640, 34, 92, 16, 470, 28
RIBBON: Final = ("#0072b2", "#00936b", "#d98200", "#5b6abf")
CALM, ALARM = "#eef2f7", "#f6d5de"


def _finite(values: tuple[float, ...]) -> bool:
    return all(map(math.isfinite, values))


def _line_at(line: int) -> float:
    return TOP + ROW * (line - 1) + 14


def _node_at(program: Program, made: int) -> float:
    """The row of a node: the last operation at the bottom, x at the top."""
    room = ROW * len(program.lines) - BOX_HIGH
    return TOP + room * (made + 1) / len(program.made) + BOX_HIGH / 2


def _draw_lines(picture: Picture, program: Program, steps: list[Step]) -> None:
    for i, line in enumerate(program.lines):
        at = _line_at(i + 1)
        if line:
            picture.text(LEFT, at, str(i + 1), size=10, fill=MUTED)
            indent = 7.2 * (len(line) - len(line.lstrip()))
            picture.text(LEFT + 18 + indent, at, line.strip(), size=12, mono=True)
        values = [s.values[0] for s in steps if _made_in(program, s) == i + 1]
        if values:
            shown = "= " + ", ".join(map(number, values))
            colour = MUTED if _finite(tuple(values)) else BAD
            picture.text(LEFT + 48, at + 14, shown, size=11, fill=colour)


def _made_in(program: Program, step: Step) -> int:
    return 0 if step.backward else program.made[step.made].line


def _draw_nodes(picture: Picture, program: Program, steps: list[Step]) -> None:
    for step in steps:
        if not step.backward:
            continue
        at = _node_at(program, step.made)
        fine = _finite(step.values) and math.isfinite(step.arrived or 0.0)
        if step.made >= 0:
            line = program.made[step.made].line
            start, end = (270.0, _line_at(line) - 4), (float(BOX), at)
            colour = RIBBON[step.made] if _finite(step.values) else BAD
            picture.curve([start, end], stroke=colour, width=4, level=True)
        fill, edge = (CALM, "#c3cad5") if fine else (ALARM, BAD)
        top = at - BOX_HIGH / 2
        picture.rect(BOX, top, 154, BOX_HIGH, fill=fill, stroke=edge, radius=4)
        picture.text(BOX + 8, at - 2, step.node, size=11, fill=TEXT)
        leaves = ", ".join(map(number, step.values))
        flow = f"{number(step.arrived)}{' → ' + leaves if leaves else ''}"
        picture.text(BOX + 8, at + 10, flow, size=10.5, fill=MUTED if fine else BAD)
