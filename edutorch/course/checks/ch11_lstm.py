"""The check of chapter 11 for a step of an LSTM."""

# ruff: noqa: ARG005  # a mistake leaves out what the rule needs

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from edutorch.course.compare import call, call_text, need_function
from edutorch.course.compare_functions import compare_functions
from edutorch.course.failure import CheckFailed
from edutorch.course.random_cases import Draw
from edutorch.ops.create import tensor, zeros_like

from .modules import kind_of, refuse, watched_ops

__all__ = ["lstm_step"]

Function = Callable[..., Any]

LSTM_RULE = "c' = σ(f) c + σ(i) tanh(g), h' = σ(o) tanh(c'); i, f, g, o in this order"
WRITTEN_OUT = "the steps of the computation, written out by you"


def _numbers(*values: Any) -> Any:
    return tensor(list(values))


def lstm_step(answer: Any) -> None:
    """11.3: a step of an LSTM."""
    answer = need_function(answer, "lstm_step")
    with watched_ops("lstm_layer", "lstm_gates") as used:
        compare_functions(
            answer,
            "lstm_step",
            right=_lstm,
            shown=(_LSTM_EXAMPLE,),
            fresh=_fresh_lstm,
            rule=LSTM_RULE,
            mistakes=LSTM_MISTAKES,
            forbidden=("LSTM", "LSTMCell", "lstm", "lstm_cell"),
            dtypes=("float32", "float64"),
        )
    refuse(used, "the library's {}", WRITTEN_OUT)
    _need_two_tensors(answer)


def _need_two_tensors(answer: Function) -> None:
    called = call_text(answer, _LSTM_EXAMPLE, {})
    got = call(answer, *_LSTM_EXAMPLE, called=called, rule=LSTM_RULE)
    parts = list(got)
    wrong = [part for part in parts if not hasattr(part, "detach")]
    if wrong:
        raise CheckFailed(
            "the numbers are right, but they are not in a tensor",
            called=called,
            got=kind_of(wrong[0]),
            expected="two tensors, h and c",
            rule=LSTM_RULE,
        )


_LSTM_EXAMPLE = (
    _numbers([1.0]),
    _numbers([0.0]),
    _numbers([2.0]),
    _numbers([0.0], [0.0], [1.0], [0.0]),
    _numbers([0.0], [0.0], [0.0], [0.0]),
    _numbers(0.0, 0.0, 0.0, 0.0),
)


def _fresh_lstm(draw: Draw) -> tuple[Any, ...]:
    n, i, h = draw.size(2, 4), draw.size(1, 4), draw.size(2, 4)
    return (
        draw.tensor(n, i),
        draw.tensor(n, h),
        draw.tensor(n, h),
        draw.tensor(4 * h, i),
        draw.tensor(4 * h, h),
        draw.tensor(4 * h),
    )


def _formula(i: Any, f: Any, g: Any, o: Any, c: Any) -> tuple[Any, Any]:
    new = f.sigmoid() * c + i.sigmoid() * g.tanh()
    return o.sigmoid() * new.tanh(), new


def _lstm(
    x: Any, h: Any, c: Any, w_x: Any, w_h: Any, b: Any, *,
    order: Sequence[int] = (0, 1, 2, 3),
    formula: Function = _formula,
) -> tuple[Any, Any]:  # fmt: skip
    parts = (x @ w_x.T + h @ w_h.T + b).chunk(4, 1)
    h, c = formula(*(parts[place] for place in order), c)
    return h, c


def _swapped_pair(*given: Any) -> tuple[Any, Any]:
    h, c = _lstm(*given)
    return c, h


def _weights_exchanged(
    x: Any, h: Any, c: Any, w_x: Any, w_h: Any, b: Any
) -> tuple[Any, Any]:
    return _lstm(x, h, c, w_h, w_x, b)


def _interleaved(x: Any, h: Any, c: Any, w_x: Any, w_h: Any, b: Any) -> tuple[Any, Any]:
    sums = x @ w_x.T + h @ w_h.T + b
    i, f, g, o = (sums[:, k::4] for k in range(4))
    return _formula(i, f, g, o, c)


def _of_rows(x: Any, h: Any, c: Any, w_x: Any, w_h: Any, b: Any) -> tuple[Any, Any]:
    """A mistake: the batch is split into four parts, which fails for most sizes."""
    i, f, g, o = (x @ w_x.T + h @ w_h.T + b).chunk(4)
    return _formula(i, f, g, o, c)


def _lstm_with(**mistake: Any) -> Function:
    return lambda *given: _lstm(*given, **mistake)


def _formula_with(
    new: Function, out: Function = lambda o, new, old: o.sigmoid() * new.tanh()
) -> Function:
    """An LSTM with another rule for c, and possibly for h."""

    def formula(i: Any, f: Any, g: Any, o: Any, c: Any) -> tuple[Any, Any]:
        made = new(i, f, g, c)
        return out(o, made, c), made

    return _lstm_with(formula=formula)


def _right_c(i: Any, f: Any, g: Any, c: Any) -> Any:
    return f.sigmoid() * c + i.sigmoid() * g.tanh()


LSTM_MISTAKES: dict[str, Function] = {
    "the quarters are those of the columns, not of the rows: dim=1": _of_rows,
    "the order of the quarters is i, f, g, o; this is f, i, g, o": _lstm_with(
        order=(1, 0, 2, 3)
    ),
    "the order of the quarters is i, f, g, o; this is i, f, o, g": _lstm_with(
        order=(0, 1, 3, 2)
    ),
    "the order of the quarters is i, f, g, o; this is i, g, f, o": _lstm_with(
        order=(0, 2, 1, 3)
    ),
    "h comes first: return h, c": _swapped_pair,
    "the next c is missing: return h, c": lambda *given: _lstm(*given)[0],
    "the forget gate is for the old c only: σ(f) c + σ(i) tanh(g)": _formula_with(
        lambda i, f, g, c: f.sigmoid() * (c + i.sigmoid() * g.tanh())
    ),
    "tanh is for h only: c goes on without it": _formula_with(
        lambda i, f, g, c: _right_c(i, f, g, c).tanh(),
        lambda o, new, old: o.sigmoid() * new,
    ),
    "the state is h, not c: tanh(c) is missing in h": _formula_with(
        _right_c, lambda o, new, old: o.sigmoid() * new
    ),
    "h is computed from the new c, not from the old one": _formula_with(
        _right_c, lambda o, new, old: o.sigmoid() * old.tanh()
    ),
    "the output gate is missing: h' = σ(o) tanh(c')": _formula_with(
        _right_c, lambda o, new, old: new.tanh()
    ),
    "σ is missing in the output gate": _formula_with(
        _right_c, lambda o, new, old: o * new.tanh()
    ),
    "g goes through tanh, not sigmoid": _formula_with(
        lambda i, f, g, c: f.sigmoid() * c + i.sigmoid() * g.sigmoid()
    ),
    "tanh of g is missing": _formula_with(
        lambda i, f, g, c: f.sigmoid() * c + i.sigmoid() * g
    ),
    "gates go through sigmoid, not tanh": _formula_with(
        lambda i, f, g, c: f.tanh() * c + i.tanh() * g.tanh(),
        lambda o, new, old: o.tanh() * new.tanh(),
    ),
    "σ is missing in the gates": _formula_with(
        lambda i, f, g, c: f * c + i * g.tanh(),
        lambda o, new, old: o * new.tanh(),
    ),
    "the forget gate is missing: σ(f) c": _formula_with(
        lambda i, f, g, c: c + i.sigmoid() * g.tanh()
    ),
    "the input gate is missing: σ(i) tanh(g)": _formula_with(
        lambda i, f, g, c: f.sigmoid() * c + g.tanh()
    ),
    "the forget gate says what stays: σ(f) c, not (1 - σ(f)) c": _formula_with(
        lambda i, f, g, c: (1 - f.sigmoid()) * c + i.sigmoid() * g.tanh()
    ),
    "the input gate has its own numbers: it is not 1 - σ(f)": _formula_with(
        lambda i, f, g, c: f.sigmoid() * c + (1 - f.sigmoid()) * g.tanh()
    ),
    "the old c is lost: c' = σ(f) c + ...": _formula_with(
        lambda i, f, g, c: i.sigmoid() * g.tanh()
    ),
    "the new part is added to c, not subtracted": _formula_with(
        lambda i, f, g, c: f.sigmoid() * c - i.sigmoid() * g.tanh()
    ),
    "the bias is missing": lambda x, h, c, w_x, w_h, b: _lstm(
        x, h, c, w_x, w_h, zeros_like(b)
    ),
    "h does not count: h @ w_h.T is missing": lambda x, h, c, w_x, w_h, b: _lstm(
        x, zeros_like(h), c, w_x, w_h, b
    ),
    "w_h multiplies h, not c": lambda x, h, c, w_x, w_h, b: _lstm(
        x, c, c, w_x, w_h, b
    ),
    "w_x and w_h are swapped": _weights_exchanged,
    "the gates are quarters one after the other, not every fourth": _interleaved,
}  # fmt: skip
