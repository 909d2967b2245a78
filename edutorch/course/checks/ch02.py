"""Chapter 2: autograd on a scalar graph."""

from __future__ import annotations

from math import exp, log
from typing import Any, Final

from edutorch.course.compare import need_tuple
from edutorch.course.compare_functions import Mistake, compare_functions
from edutorch.course.exercise import Exercise
from edutorch.course.random_cases import Draw

from .ch02_backward import grade_backward
from .ch02_descent import grade_descend
from .ch02_order import grade_order
from .ch02_targets import grade_td_loss

__all__ = ["EXERCISES"]

MUL_SHOWN = (
    (10.0, 3.0, 4.0), (2.5, -1.0, 0.5), (0.0, 3.0, 4.0), (2.0, 0.0, 5.0),
    (3.0, 4.0, 0.0),
)  # fmt: skip
MUL_MISTAKES: Final[dict[str, Mistake]] = {
    "forgot the incoming gradient g": lambda _g, a, b: (b, a),
    "∂y/∂a is the OTHER factor, b": lambda g, a, b: (g * a, g * b),
    "g is multiplied, not added": lambda g, a, b: (g + b, g + a),
    "the first gradient lacks g": lambda g, a, b: (b, g * a),
    "the second gradient lacks g": lambda g, a, b: (g * b, a),
    "both got the gradient of a": lambda g, _a, b: (g * b, g * b),
    "both got the gradient of b": lambda g, a, _b: (g * a, g * a),
    "that is the rule of a sum": lambda g, _a, _b: (g, g),
    "that is the value, not its slope": lambda g, a, b: (g * a * b, g * a * b),
    "no sign changes here": lambda g, a, b: (g * b, -g * a),
    "multiply by g, do not divide": (
        lambda g, a, b: (b / g, a / g),
        lambda g, a, b: (a / g, b / g),
    ),
    "a factor may be 0: no division is needed": lambda g, a, b: (
        g * (a * b) / a,
        g * (a * b) / b,
    ),
    "each input has its own gradient: do not add them": lambda g, a, b: (
        g * (a + b),
        g * (a + b),
    ),
}
EXP_SHOWN = ((3.0, exp(1.0)), (1.0, 1.0), (-2.0, exp(0.5)), (0.0, 5.0))
EXP_MISTAKES: Final[dict[str, Mistake]] = {
    "forgot the incoming gradient g": lambda _g, y: y,
    "y is exp(x) already; do not take exp again": lambda g, y: g * exp(y),
    "this is the rule of a power, not of exp": lambda g, y: g * log(y) * y,
    "g is multiplied, not added": lambda g, y: g + y,
    "y is the slope already, without log": lambda g, y: g * log(y),
    "g is a factor, not a power": lambda g, y: y**g,
    "the exponential is its own derivative: nothing is subtracted": (
        lambda g, y: g * (y - 1)
    ),
    "y counts once": lambda g, y: g * y * y,
    "that is the rule of the logarithm": lambda g, y: g / y,
    "that is the rule of the sigmoid": lambda g, y: g * y * (1 - y),
    "the exponential is its own derivative: g alone is not enough": lambda g, _y: g,
    "exp(y · g) is not the same as y · g": lambda g, y: exp(g * y),
}


def local_rules(answer: Any) -> None:
    """02.1: the backward rules of a product and of the exponential."""
    mul_backward, exp_backward = need_tuple(answer, "mul_backward, exp_backward")
    compare_functions(
        mul_backward,
        "mul_backward",
        right=lambda g, a, b: (g * b, g * a),
        shown=MUL_SHOWN,
        fresh=fresh_product,
        rule="∂L/∂a = g · b and ∂L/∂b = g · a, where g = ∂L/∂y",
        mistakes=MUL_MISTAKES,
        forbidden=("backward", "grad"),
    )
    compare_functions(
        exp_backward,
        "exp_backward",
        right=lambda g, y: g * y,
        shown=EXP_SHOWN,
        fresh=fresh_power,
        rule="y = exp(x) is its own derivative: ∂L/∂x = g · y",
        mistakes=EXP_MISTAKES,
        forbidden=("backward", "grad"),
    )


def fresh_product(draw: Draw) -> tuple[float, float, float]:
    """Random g, a and b."""
    return draw.number(), draw.number(), draw.number()


def fresh_power(draw: Draw) -> tuple[float, float]:
    """A random g and a value of exp."""
    return draw.number(), exp(draw.number(-2.0, 1.5))


def order(answer: Any) -> None:
    """02.2: a topological order of the nodes of a graph."""
    grade_order(answer)


def backward(answer: Any) -> None:
    """02.3: backpropagation through a whole graph."""
    grade_backward(answer)


def descend(answer: Any) -> None:
    """02.4: gradient descent on one number."""
    grade_descend(answer)


def td_loss(answer: Any) -> None:
    """02.5: a loss whose target must not receive a gradient."""
    grade_td_loss(answer)


EXERCISES = (
    Exercise(
        "02.1",
        "backward of mul and exp",
        2,
        (
            "g says how much the loss changes per unit of y. And y, per unit of a?",
            "y = a · b: if a grows by 1, y grows by b. And exp is its own derivative.",
            (
                "Each gradient is g times a slope: g * b for a, g * a for b, "
                "and g * y for exp."
            ),
        ),
        local_rules,
    ),
    Exercise(
        "02.2",
        "an order for the graph",
        2,
        (
            "When may a node be put into the list? What must be there already?",
            "Write a helper visit(node): visit its inputs first, then append the node.",
            (
                "Keep a set of visited nodes, a new one for each call of order; "
                "visit returns at once if the node is in it."
            ),
        ),
        order,
    ),
    Exercise(
        "02.3",
        "backward through the whole graph",
        2,
        (
            "What is the slope of root with respect to itself? And who comes next?",
            "Set root.grad = 1, then go through order(root) from the end.",
            (
                "for node in reversed(order(root)): for each input x with slope s, "
                "x.grad += node.grad * s."
            ),
        ),
        backward,
    ),
    Exercise(
        "02.4",
        "descend a parabola",
        1,
        (
            "It is the loop from above. Which of its lines change w, and which w.grad?",
            "A step: loss, loss.backward(), an update inside no_grad, w.grad to None.",
            (
                "with torch.no_grad(): w -= lr * w.grad; then w.grad = None, in every "
                "step. `w = w - ...` would make a new tensor."
            ),
        ),
        descend,
    ),
    Exercise(
        "02.5",
        "a target without a gradient",
        1,
        (
            "The target is r + 0.9 · v_next. What cuts a tensor out of the graph?",
            ".detach() gives the same number without its history.",
            "target = r + 0.9 * v_next.detach(); then square v - target.",
        ),
        td_loss,
    ),
)
