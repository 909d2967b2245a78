"""Cases of op tests: expressions that PyTorch and edutorch must agree on.

    CASES = ["torch.exp(a)", "a ** 2", "F.relu(a)"]

`alike(__file__, expression)` compares dtypes, shapes, values, the node's name and the
gradients. PyTorch's results are stored with the test (`stored.json`), so that the test
says something where PyTorch is not installed; where it is, the stored answer is checked
too. `EDUTORCH_STORE=1 python -m pytest tests/ops/...` stores anew.

`derivatives(expression)` compares first and second derivatives with differences, and
`refused(__file__, expression)` compares the exception's type and first line.
`same_graph(__file__, expression)` compares all nodes of the graph of the result.
"""

from __future__ import annotations

import functools
import linecache
import re
import warnings
from pathlib import Path
from typing import Any

import numpy as np

import edutorch
from edutorch.autograd import gradcheck, gradgradcheck
from tests.answers import expected as stored_or_asked
from tests.answers import numbers, same

__all__ = ["alike", "derivatives", "refused", "same_graph"]


@functools.cache
def _arrays() -> dict[str, Any]:
    """The operands, by the names that expressions use; doubles require grad."""
    rng = np.random.default_rng(5)
    spread = rng.permutation(np.linspace(-2.3, 2.4, 6)).reshape(2, 3)
    square = rng.standard_normal((2, 3, 3))
    return {
        "a": spread,
        "b": rng.permutation(np.linspace(-1.9, 2.2, 6)).reshape(2, 3),
        "row": np.array([0.7, -1.2, 2.1]),
        "scalar": np.array(0.8),
        "positive": np.linspace(0.3, 2.8, 6).reshape(2, 3),
        "unit": np.linspace(-0.8, 0.9, 6).reshape(2, 3),  # inside (-1, 1)
        "square": square[0],
        "squares": square,
        "posdef": square @ square.swapaxes(1, 2) + np.eye(3),
        "complexes": np.array([[1 + 2j, -0.5 + 0.3j], [0.2 - 1.5j, -2 - 0.4j]]),
        "singles": spread.astype(np.float32),
        "ties": np.array([[1.0, 2.0, 2.0], [3.0, 1.0, 3.0]]),
        "zeroed": np.array([[0.0, 2.0, -1.5], [0.0, 0.0, 3.0]]),
        "specials": np.array([np.nan, np.inf, -np.inf, -0.0, 2.5], np.float32),
        "ints": np.array([[3, -2, 7], [0, 5, -4]]),
        "ints2": np.array([[2, 3, -2], [1, -3, 5]]),
        "uint8s": np.array([[250, 3, 7], [0, 5, 9]], np.uint8),
        "mask": np.array([[True, False, True], [False, False, True]]),
        "mask2": np.array([[True, True, False], [False, True, True]]),
    }


@functools.cache
def _layers() -> dict[str, Any]:
    """Operands of layers: batches, weights and class targets."""
    rng = np.random.default_rng(7)
    shapes = {
        "seq": (2, 4, 5), "img": (2, 4, 4, 3), "vol": (1, 2, 3, 4, 3),
        "w1": (6, 2, 3), "w2": (6, 2, 2, 3), "w3": (2, 2, 2, 2, 2),
        "t1": (4, 3, 2), "t2": (4, 3, 2, 3), "bias": (6,), "ch": (4,), "six": (6,),
    }  # fmt: skip
    found: dict[str, Any] = {n: rng.standard_normal(s) for n, s in shapes.items()}
    found["prob"] = np.array([[0.2, 0.3, 0.5], [0.1, 0.8, 0.1]])
    found["cls"] = np.array([2, 0])
    found["clsmap"] = rng.integers(0, 4, (2, 4, 3))
    return found


def _names(lib: Any, expression: str, device: str = "cpu") -> dict[str, Any]:
    """What an expression may mean by its words; `a` is there in any case."""
    names: dict[str, Any] = {"torch": lib, "F": lib.nn.functional, "np": np}
    words = {"a", *re.findall(r"\w+", expression)}
    for name, array in {**_arrays(), **_layers()}.items():
        if name not in words:
            continue
        names[name] = lib.from_numpy(array.copy()).to(device)
        if array.dtype in (np.float64, np.complex128):
            names[name].requires_grad_()
    return names


def outcome(lib: Any, expression: str, device: str = "cpu") -> Any:
    """Facts of the result and gradients, or the exception's type and first line."""
    names = _names(lib, expression, device)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        *statements, last = (part.strip() for part in expression.split(";"))
        try:
            exec("\n".join(statements), names)
            result = eval(_with_source(last), names)
        except Exception as error:
            lines = str(error).splitlines() or [""]
            return [type(error).__name__, lines[0].split(" - got")[0].strip()]
        finally:
            linecache.cache.pop(FILE, None)
        return {"result": _facts(lib, result), "grads": _gradients(lib, result, names)}


FILE = "<string>"  # as `eval` names it


def _with_source(expression: str) -> Any:
    """An expression compiled so that messages can read it, as if it were in a file."""
    linecache.cache[FILE] = len(expression), None, [expression], FILE
    return compile(expression, FILE, "eval")


def _facts(lib: Any, value: Any) -> Any:
    if isinstance(value, lib.Tensor):
        node = value.grad_fn.name() if value.grad_fn is not None else None
        dtype = str(value.dtype)
        return [dtype, list(value.shape), node, numbers(lib, value)]
    if isinstance(value, (list, tuple)):
        return [_facts(lib, v) for v in value]
    return value


def _gradients(lib: Any, result: Any, names: dict[str, Any]) -> Any:
    """Gradients of a fixed weighting of all differentiable results."""
    total = None
    several = result if isinstance(result, (tuple, list)) else [result]
    for t in several:
        if not (isinstance(t, lib.Tensor) and t.requires_grad and t.numel()):
            continue
        real = lib.view_as_real(t.resolve_conj()) if t.is_complex() else t
        weights = np.cos(np.arange(real.numel()) + 1.0).reshape(tuple(real.shape))
        term = (real.double() * lib.from_numpy(weights).to(real.device)).sum()
        total = term if total is None else total + term
    if total is None:
        return None
    inputs = {n: t for n, t in names.items()
              if isinstance(t, lib.Tensor) and t.requires_grad and t.is_leaf}  # fmt: skip
    got = lib.autograd.grad(total, list(inputs.values()), allow_unused=True)
    return {n: numbers(lib, g) for n, g in zip(inputs, got, strict=True)
            if g is not None}  # fmt: skip


def _same(x: Any, y: Any) -> bool:
    return same(x, y, rtol=2e-5, atol=1e-7)


def expected(file: str, expression: str) -> Any:
    """PyTorch's answer: from PyTorch where it is installed, else as stored."""
    place = Path(file).with_name("stored.json")
    return stored_or_asked(
        place, expression, lambda lib: outcome(lib, expression), _same
    )


def alike(file: str, expression: str, *, nodes: bool = True) -> None:
    """Check that edutorch gives PyTorch's answer; `nodes`: and the node's name."""
    answer, got = expected(file, expression), outcome(edutorch, expression)
    if not nodes:
        answer, got = _without_nodes(answer), _without_nodes(got)
    assert isinstance(answer, dict), f"PyTorch refuses {expression}: {answer}"
    assert _same(got, answer), f"{expression}\nPyTorch:  {answer}\nedutorch: {got}"


def _without_nodes(answer: Any) -> Any:
    def strip(facts: Any) -> Any:
        if not isinstance(facts, (list, tuple)):
            return facts
        if len(facts) == 4 and isinstance(facts[0], str):
            return [facts[0], facts[1], facts[3]]
        return [strip(f) for f in facts]

    if not isinstance(answer, dict):
        return answer
    return {"result": strip(answer["result"]), "grads": answer["grads"]}


def refused(file: str, expression: str) -> None:
    """Check that edutorch refuses as PyTorch does: exception type and first line."""
    answer, got = expected(file, expression), outcome(edutorch, expression)
    assert isinstance(answer, list), f"PyTorch does not refuse {expression}"
    assert got == answer, f"{expression}\nPyTorch:  {answer}\nedutorch: {got}"


def same_graph(file: str, expression: str) -> None:
    """Check that the graph of each result is PyTorch's, node by node."""
    place = Path(file).with_name("stored.json")
    answer = stored_or_asked(
        place, f"graph of {expression}", lambda lib: _graphs(lib, expression)
    )
    assert _graphs(edutorch, expression) == answer


def _graphs(lib: Any, expression: str) -> list[str]:
    """The graph of each result, such as "Mul(Exp(leaf), -)"."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = eval(expression, _names(lib, expression))
    several = result if isinstance(result, (tuple, list)) else [result]
    return [_graph(t.grad_fn) for t in several]


def _graph(node: Any) -> str:
    if node is None:
        return "-"
    name = node.name().removeprefix("torch::autograd::")
    if name == "AccumulateGrad":
        return "leaf"
    before = ", ".join(
        _graph(n) + (f"[{nr}]" if nr else "") for n, nr in node.next_functions
    )
    return f"{name.removesuffix('Backward0')}({before})"


def derivatives(expression: str, *, second: bool = True) -> None:
    """Compare first (and second) derivatives of an expression with differences."""
    names = _names(edutorch, expression)
    code = compile(expression, expression, "eval")
    used = [n for n in code.co_names if n in names and _differentiable(names[n])]

    def function(*tensors: Any) -> Any:
        values = dict(zip(used, tensors, strict=True))
        result = eval(code, {**names, **values})
        several = result if isinstance(result, (tuple, list)) else (result,)
        return tuple(t for t in several if t.requires_grad)

    inputs = [names[n] for n in used]
    assert used, f"nothing to differentiate in {expression}"
    assert gradcheck(function, inputs)
    if second:
        assert gradgradcheck(function, inputs)


def _differentiable(value: Any) -> bool:
    return isinstance(value, edutorch.Tensor) and value.requires_grad
