"""Checks of chapter 11 for a recurrent cell, and for its gradient over time."""

# ruff: noqa: ARG005  # a mistake leaves out what the rule needs

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from edutorch import nn
from edutorch.course.compare_functions import compare_functions
from edutorch.course.random_cases import Draw
from edutorch.ops.create import tensor, zeros_like
from edutorch.ops.shape.joining import cat, stack

from .modules import refuse, watched_methods

__all__ = ["gradient_of_w", "rnn"]

Function = Callable[..., Any]

RNN_RULE = (
    "h(t) = tanh(x(t) w_xᵀ + h(t-1) w_hᵀ + b), and the next step starts from h(t)"
)
GRADIENT_RULE = (
    "a(t) = (g(t) + a(t+1) w_h) · (1 - h(t)²); the gradient is Σ a(t)ᵀ h(t-1)"
)
WRITTEN_OUT = "the steps of the computation, written out by you"


def _numbers(*values: Any) -> Any:
    return tensor(list(values))


# ---- 11.1


def rnn(answer: Any) -> None:
    """11.1: a recurrent cell over a sequence."""
    with (
        watched_methods(nn.RNN, "forward") as layers,
        watched_methods(nn.RNNCell, "forward") as cells,
    ):
        compare_functions(
            answer,
            "rnn",
            right=_rnn,
            shown=(_RNN_EXAMPLE,),
            fresh=_fresh_rnn,
            rule=RNN_RULE,
            mistakes=RNN_MISTAKES,
            forbidden=("rnn_tanh", "rnn_tanh_cell", "RNN", "RNNCell"),
            returns="tensor",
            dtypes=("float32", "float64"),
        )
    refuse(layers, "nn.RNN's {}", WRITTEN_OUT)
    refuse(cells, "nn.RNNCell's {}", WRITTEN_OUT)


_RNN_EXAMPLE = (
    _numbers([[1.0]], [[0.0]]),
    _numbers([0.0]),
    _numbers([1.0]),
    _numbers([1.0]),
    _numbers(0.0),
)


def _fresh_rnn(draw: Draw) -> tuple[Any, ...]:
    t, n, i, h = draw.size(1, 6), draw.size(1, 4), draw.size(1, 4), draw.size(2, 4)
    if draw.size(0, 1):
        i = h  # so that swapped weights fit, too
    return (
        draw.tensor(t, n, i),
        draw.tensor(n, h),
        draw.tensor(h, i),
        draw.tensor(h, h),
        draw.tensor(h),
    )


def _cell(x: Any, h: Any, w_x: Any, w_h: Any, b: Any) -> Any:
    return (x @ w_x.T + h @ w_h.T + b).tanh()


def _rnn(x: Any, h: Any, w_x: Any, w_h: Any, b: Any, *, cell: Function = _cell) -> Any:
    states = []
    for step in x:
        h = cell(step, h, w_x, w_h, b)
        states.append(h)
    return stack(states)


def _with_cell(cell: Function) -> Function:
    return lambda *given: _rnn(*given, cell=cell)


def _always_first(x: Any, h: Any, *weights: Any) -> Any:
    return stack([_cell(step, h, *weights) for step in x])


def _before_each(x: Any, h: Any, *weights: Any) -> Any:
    return cat([h.unsqueeze(0), _rnn(x, h, *weights)[:-1]])


def _first_too(x: Any, h: Any, *weights: Any) -> Any:
    return cat([h.unsqueeze(0), _rnn(x, h, *weights)])


def _same_input(x: Any, h: Any, *weights: Any) -> Any:
    return _rnn(stack([x[0]] * len(x)), h, *weights)


def _inside_carried(x: Any, h: Any, w_x: Any, w_h: Any, b: Any) -> Any:
    states = []
    for step in x:
        h = step @ w_x.T + h @ w_h.T + b
        states.append(h.tanh())
    return stack(states)


def _over_batch(x: Any, h: Any, *weights: Any) -> Any:
    return _rnn(x.transpose(0, 1), h, *weights)


def _from_the_second(x: Any, h: Any, *weights: Any) -> Any:
    zero = zeros_like(h).unsqueeze(0)
    return cat([zero, _rnn(x[1:], zero[0], *weights)]) if len(x) > 1 else zero


RNN_MISTAKES: dict[str, Function] = {
    "the first h was given: only the states after the steps are wanted": _first_too,
    "the state is not carried on: each step starts from the first h": _always_first,
    "these are the states before the steps: append h after computing it": _before_each,
    "w_h must be transposed: h @ w_h.T": _with_cell(
        lambda x, h, w_x, w_h, b: (x @ w_x.T + h @ w_h + b).tanh()
    ),
    "w_x must be transposed: x @ w_x.T": _with_cell(
        lambda x, h, w_x, w_h, b: (x @ w_x + h @ w_h.T + b).tanh()
    ),
    "both weights must be transposed": _with_cell(
        lambda x, h, w_x, w_h, b: (x @ w_x + h @ w_h + b).tanh()
    ),
    "w_x and w_h are swapped": _with_cell(
        lambda x, h, w_x, w_h, b: _cell(x, h, w_h, w_x, b)
    ),
    "tanh is missing": _with_cell(lambda x, h, w_x, w_h, b: x @ w_x.T + h @ w_h.T + b),
    "it is tanh, not sigmoid": _with_cell(
        lambda x, h, w_x, w_h, b: (x @ w_x.T + h @ w_h.T + b).sigmoid()
    ),
    "it is tanh, not relu": _with_cell(
        lambda x, h, w_x, w_h, b: (x @ w_x.T + h @ w_h.T + b).relu()
    ),
    "tanh is of the whole sum, including the state": _with_cell(
        lambda x, h, w_x, w_h, b: (x @ w_x.T + b).tanh() + h @ w_h.T
    ),
    "tanh is of the sum: here x and the state have their own": _with_cell(
        lambda x, h, w_x, w_h, b: (x @ w_x.T).tanh() + (h @ w_h.T).tanh() + b
    ),
    "the new state replaces the old one: it is not added": _with_cell(
        lambda x, h, w_x, w_h, b: h + _cell(x, h, w_x, w_h, b)
    ),
    "the first step is missing: x[0] is read, too, and starts from the given h": (
        _from_the_second
    ),
    "each sequence of the batch has its own state: no mean": lambda *given: _rnn(
        *given
    ).mean(1),
    "the bias belongs inside tanh": _with_cell(
        lambda x, h, w_x, w_h, b: (x @ w_x.T + h @ w_h.T).tanh() + b
    ),
    "the bias is missing": _with_cell(
        lambda x, h, w_x, w_h, b: (x @ w_x.T + h @ w_h.T).tanh()
    ),
    "the bias is added twice": _with_cell(
        lambda x, h, w_x, w_h, b: (x @ w_x.T + h @ w_h.T + 2 * b).tanh()
    ),
    "the state does not count: h @ w_h.T is missing": _with_cell(
        lambda x, h, w_x, w_h, b: (x @ w_x.T + b).tanh()
    ),
    "the input does not count: x @ w_x.T is missing": _with_cell(
        lambda x, h, w_x, w_h, b: (h @ w_h.T + b).tanh()
    ),
    "the first h is ignored: it need not be 0": lambda x, h, *weights: _rnn(
        x, zeros_like(h), *weights
    ),
    "what goes to the next step is h after tanh": _inside_carried,
    "each step has its own x: this is x[0] at every step": _same_input,
    "only the last state: all of them are wanted": lambda *given: _rnn(*given)[-1],
    "the last step is missing": lambda *given: _rnn(*given)[:-1],
    "the first step is missing": lambda *given: _rnn(*given)[1:],
    "the states are in reverse order": lambda *given: _rnn(*given).flip(0),
    "the sequence is read backward": lambda x, *given: _rnn(x.flip(0), *given),
    "time comes first: x[t] is the batch at step t": _over_batch,
    "time comes first in the result": lambda *given: _rnn(*given).transpose(0, 1),
    "the states are concatenated along the batch: stack, not cat": lambda *given: _rnn(
        *given
    ).flatten(0, 1),
}


# ---- 11.2


def gradient_of_w(answer: Any) -> None:
    """11.2: backpropagation through time."""
    compare_functions(
        answer,
        "gradient_of_w",
        right=_gradient,
        shown=(_GRADIENT_EXAMPLE,),
        fresh=_fresh_gradient,
        rule=GRADIENT_RULE,
        mistakes=GRADIENT_MISTAKES,
        forbidden=("backward", "_backward", "grad"),
        returns="tensor",
        dtypes=("float32", "float64"),
        tolerance=1e-4,
    )


_GRADIENT_EXAMPLE = (
    _numbers([[0.5]], [[0.5]], [[0.5]]),
    _numbers([[0.0]], [[1.0]]),
    _numbers([2.0]),
)


def _fresh_gradient(draw: Draw) -> tuple[Any, ...]:
    t, n, h = draw.size(2, 6), draw.size(1, 4), draw.size(2, 4)
    states = draw.tensor(t + 1, n, h, low=-0.95, high=0.95)
    return states, draw.tensor(t, n, h), draw.tensor(h, h)


def _slope(h: Any) -> Any:
    return 1 - h**2


def _gradient(
    states: Any, g: Any, w_h: Any, *,
    slope: Function = _slope,
    of: int = 1,
    at: int = 0,
    term: Function = lambda inside, before: inside.T @ before,
    carry: Function = lambda inside, both, w_h: inside @ w_h,
    order: Function = lambda steps: range(steps - 1, -1, -1),
) -> Any:  # fmt: skip
    """The right gradient; keyword arguments make known mistakes.

    Args:
        states: the initial state, and the state after each step.
        g: the gradients of the outputs.
        w_h: the weight.
        slope: the derivative of tanh as a function of a state.
        of: the state passed to `slope`: 1 is the one after the step, 0 before it.
        at: the state that is a factor of the term, counted in the same way.
        term: the term that a step adds to the gradient.
        carry: the gradient of the previous state.
        order: the order of the steps.
    """
    total, back = zeros_like(w_h), zeros_like(states[0])
    for t in order(len(g)):
        both = g[t] + back
        inside = both * slope(states[t + of])
        total = total + term(inside, states[t + at])
        back = carry(inside, both, w_h)
    return total


def _nothing(inside: Any, both: Any, w_h: Any) -> Any:
    return zeros_like(inside)


def _only_at(place: int) -> Function:
    def mistaken(states: Any, g: Any, w_h: Any) -> Any:
        alone = zeros_like(g)
        alone[place] = g[place]
        return _gradient(states, alone, w_h)

    return mistaken


def _last_term(states: Any, g: Any, w_h: Any) -> Any:
    """A mistake: `=` in place of `+=`, which leaves only the term of the first step."""
    terms: list[Any] = []

    def kept(inside: Any, before: Any) -> Any:
        terms.append(inside.T @ before)
        return terms[-1]

    _gradient(states, g, w_h, term=kept)
    return terms[-1]


def _slope_of_own(states: Any, g: Any, w_h: Any) -> Any:
    """A mistake: the slope is applied only to the direct gradient of the output."""
    total, back = zeros_like(w_h), zeros_like(states[0])
    for t in range(len(g) - 1, -1, -1):
        inside = g[t] * _slope(states[t + 1]) + back
        total = total + inside.T @ states[t]
        back = inside @ w_h
    return total


def _slope_of_later(states: Any, g: Any, w_h: Any) -> Any:
    """A mistake: the slope is applied only to the gradient from later steps."""
    total, back = zeros_like(w_h), zeros_like(states[0])
    for t in range(len(g) - 1, -1, -1):
        inside = back * _slope(states[t + 1]) + g[t]
        total = total + inside.T @ states[t]
        back = inside @ w_h
    return total


def _adding_back(states: Any, g: Any, w_h: Any) -> Any:
    total, back = zeros_like(w_h), zeros_like(states[0])
    for t in range(len(g) - 1, -1, -1):
        inside = (g[t] + back) * _slope(states[t + 1])
        total = total + inside.T @ states[t]
        back = back + inside @ w_h
    return total


def _gradient_with(**mistake: Any) -> Function:
    return lambda *given: _gradient(*given, **mistake)


GRADIENT_MISTAKES: dict[str, Function] = {
    "the slope counts for g(t), too: add first, then times 1 - h²": _slope_of_later,
    "nothing comes back from later steps: add a(t+1) @ w_h to g(t)": _gradient_with(
        carry=_nothing
    ),
    "the slope of tanh is missing: 1 - h²": _gradient_with(slope=lambda h: 1),
    "the slope of tanh is 1 - h², not 1 - h": _gradient_with(slope=lambda h: 1 - h),
    "the slope of sigmoid, h (1 - h): that of tanh is 1 - h²": _gradient_with(
        slope=lambda h: h * (1 - h)
    ),
    "states hold h after tanh already: the slope is 1 - h²": _gradient_with(
        slope=lambda h: 1 - h.tanh() ** 2
    ),
    "the slope is that of the state after the step: states[t + 1]": _gradient_with(
        of=0
    ),
    "w_h is multiplied by the state before the step: states[t]": _gradient_with(at=1),
    "w_h is not transposed on the way back: a @ w_h": _gradient_with(
        carry=lambda inside, both, w_h: inside @ w_h.T
    ),
    "what goes back is multiplied by w_h": _gradient_with(
        carry=lambda inside, both, w_h: inside
    ),
    "the slope is for both: (g(t) + what comes back) · (1 - h²)": _slope_of_own,
    "what goes back is a(t), with the slope in it": _gradient_with(
        carry=lambda inside, both, w_h: both @ w_h
    ),
    "the gradient is transposed: a.T @ h, not h.T @ a": _gradient_with(
        term=lambda inside, before: before.T @ inside
    ),
    "= for +=: only one step is left": _last_term,
    "what goes back replaces what came before: back = ..., not back += ...": (
        _adding_back
    ),
    "the loop must begin with the last step": _gradient_with(order=range),
    "the last step is missing": _gradient_with(
        order=lambda steps: range(steps - 2, -1, -1)
    ),
    "the first step is missing": _gradient_with(
        order=lambda steps: range(steps - 1, 0, -1)
    ),
    "only the last g counts: each output has its own": _only_at(-1),
    "the sum over the batch, not its mean": _gradient_with(
        term=lambda inside, before: inside.T @ before / len(before)
    ),
    "the sum over the steps, not their mean": lambda states, g, w_h: (
        _gradient(states, g, w_h) / len(g)
    ),
    "the sign: it is the gradient, not the step": lambda *given: -_gradient(*given),
}
