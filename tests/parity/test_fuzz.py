"""Functions on tensors of any shape and dtype: PyTorch's result, or its kind of error.

Hypothesis chooses shapes (sizes 0 and 1 included), dtypes and dimensions; the examples
are the same in every run. Whatever comes, the interpreter lives on. Without PyTorch it
must still give a result or an exception of a known kind.
"""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import edutorch

try:
    from tests.oracle import torch
except pytest.skip.Exception:
    torch = None

hypothesis = pytest.importorskip("hypothesis")
st = hypothesis.strategies

DTYPES = ("float32", "float64", "int64", "int32", "uint8", "bool", "float16")
SHAPES = st.lists(st.integers(0, 3), max_size=3).map(tuple)
KINDS = (NotImplementedError, RuntimeError, TypeError, ValueError, IndexError)
LIBRARIES = (torch, edutorch) if torch else (edutorch,)

UNARY = """
abs neg exp sin sqrt floor sign isnan logical_not sigmoid tanh square bitwise_not
sum mean prod amax any all flatten squeeze t nonzero unique argmax argmin cumsum(0)
cumsum(-1) cumprod(1) sort sort(0) flip((0,)) flip((-1,)) transpose(0,1) unsqueeze(1)
unsqueeze(-2) logsumexp(0) var std(0) median mode(0) topk(1) topk(2,0)
kthvalue(1) reshape(-1) reshape(2,-1) view(3,-1) expand(2,3) repeat(2,1) chunk(2)
chunk(3,1) split(2) unbind unbind(1) diagonal tril triu(1) narrow(0,0,1) select(0,1)
select(-1,0) roll(1) roll(1,0) max(0) min(-1) max min cummax(0) diff norm count_nonzero
to(int64) to(bool) float int permute(1,0) movedim(0,1) unfold(0,2,1) squeeze(1) numel
contiguous clone tolist item trace nansum(0) logcumsumexp(0) clamp(0,1) clamp(min=1)
round ceil reciprocal rsqrt log1p erf frac sgn trunc diag_embed rot90 ravel
""".split()

BINARY = """
add sub mul div floor_divide remainder fmod pow maximum minimum eq lt atan2 hypot
logical_and bitwise_and bitwise_or where matmul mm mv dot outer cross kron expand_as
isclose allclose equal copysign dist cdist gather take index_select masked_select
masked_fill_half broadcast_to_as view_as add_ mul_ copy_ cat stack hstack vstack
searchsorted isin bucketize tensordot logaddexp heaviside nextafter gcd
""".split()


def array(shape, dtype, seed):
    """Small values, some equal, some zero."""
    rng = np.random.default_rng(seed)
    values = np.asarray(rng.integers(-4, 9, shape))
    return np.asarray(values / (2 if "float" in dtype else 1)).astype(dtype)


def outcome(call):
    """What a call gives: its result as NumPy's, or the kind of its exception."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return plain(call())
        except KINDS as error:
            return "raised", next(k for k in KINDS if isinstance(error, k)), str(error)


def plain(value):
    if isinstance(value, tuple(lib.Tensor for lib in LIBRARIES)):
        return str(value.dtype), tuple(value.shape), np.array(value.detach().numpy())
    if isinstance(value, (tuple, list)):
        return [plain(v) for v in value]
    return value


def same(x, y):
    if isinstance(x, list) and isinstance(y, list):
        return len(x) == len(y) and all(map(same, x, y))
    if isinstance(x, tuple) and isinstance(y, tuple) and len(x) == 3 == len(y):
        near = 2e-2 if "float16" in x[0] else 1e-5
        fits = (
            np.allclose(x[2], y[2], near, near, equal_nan=True)
            if x[1:2] == y[1:2]
            else False
        )
        return x[0] == y[0] and fits
    return str(x) == str(y)


def check(call, **operands):
    """Both libraries give the same, or refuse with the same kind of exception."""
    found = []
    for lib in LIBRARIES:
        tensors = {n: lib.from_numpy(a.copy()) for n, a in operands.items()}
        found.append(outcome(lambda lib=lib, t=tensors: call(lib, **t)))
    expected, got = found[0], found[-1]
    kinds = [f[1] if isinstance(f, tuple) and f[0] == "raised" else None for f in found]
    assert kinds[0] == kinds[-1], f"PyTorch: {expected}\nedutorch: {got}"
    assert kinds[0] or same(expected, got), f"PyTorch: {expected}\nedutorch: {got}"


def settings(examples):
    return hypothesis.settings(
        max_examples=examples, derandomize=True, deadline=None, database=None
    )


@pytest.mark.parametrize("name", UNARY)
def test_functions_of_one_tensor_agree(name):
    plain_name, _, rest = name.partition("(")

    def call(lib, x):
        given = {"int64": lib.int64, "bool": lib.bool}
        return eval(f"x.{plain_name}({rest or ')'}", {"x": x, **given})

    @settings(20)
    @hypothesis.given(SHAPES, st.sampled_from(DTYPES), st.integers(0, 9))
    def run(shape, dtype, seed):
        check(call, x=array(shape, dtype, seed))

    run()


def combine(lib, name, x, y):
    """A function of two tensors; some need their operands prepared."""
    ways = {
        "where": lambda: lib.where(x > 0, x, y),
        "gather": lambda: lib.gather(x, 0, y),
        "index_select": lambda: lib.index_select(x, 0, y),
        "masked_select": lambda: lib.masked_select(x, y > 0),
        "masked_fill_half": lambda: x.masked_fill(y > 0, 2),
        "broadcast_to_as": lambda: lib.broadcast_to(x, y.shape),
        "expand_as": lambda: x.expand_as(y),
        "view_as": lambda: x.view_as(y),
        "cat": lambda: lib.cat([x, y], 0),
        "stack": lambda: lib.stack([x, y], -1),
        "hstack": lambda: lib.hstack([x, y]),
        "vstack": lambda: lib.vstack([x, y]),
        "matmul": lambda: lib.matmul(x, y.to(x.dtype)),
        "tensordot": lambda: lib.tensordot(x, y, 1),
        "searchsorted": lambda: lib.searchsorted(x.sort(-1).values, y),
        "bucketize": lambda: lib.bucketize(x, y.sort(-1).values),
    }
    return ways.get(name, lambda: getattr(x, name)(y))()


@pytest.mark.parametrize("name", [n for n in BINARY if n not in ("isin", "cdist")])
def test_functions_of_two_tensors_agree(name):
    def call(lib, x, y):
        return combine(lib, name, x, y)

    shapes = st.one_of(
        SHAPES.map(lambda s: (s, s)), SHAPES.map(lambda s: (s, s[1:])),
        st.tuples(SHAPES, SHAPES), SHAPES.map(lambda s: (s, (*s[:-1], 1))),
    )  # fmt: skip

    @settings(30)
    @hypothesis.given(
        shapes, st.sampled_from(DTYPES), st.sampled_from(DTYPES), st.integers(0, 9)
    )
    def run(pair, first, second, seed):
        check(call, x=array(pair[0], first, seed), y=array(pair[1], second, seed + 1))

    run()
