"""Elementwise operations in blocks give the same numbers as on whole arrays."""

import numpy as np
import pytest

import edutorch as torch
from edutorch import config
from edutorch.autograd import large_arrays
from edutorch.kernels import thread_pool

RNG = np.random.default_rng(0)


@pytest.fixture
def blocks(monkeypatch):
    """Blocks of 700 elements, whatever the size; returns how many were computed."""
    count = []
    run = large_arrays._in_blocks

    def in_blocks(work, n, step):
        count.append(max(1, n // step))
        run(work, n, step)

    monkeypatch.setattr(large_arrays, "BLOCK", 700)
    monkeypatch.setattr(large_arrays, "LARGE_FOR_UFUNC", 1000)
    monkeypatch.setattr(large_arrays, "UNCACHED_BLOCKS", 3)
    monkeypatch.setattr(large_arrays, "_in_blocks", in_blocks)
    for module in (thread_pool, large_arrays):
        monkeypatch.setattr(module, "get_num_threads", lambda: 3)
    for name in ("dispatch", "engine", "large_arrays"):
        monkeypatch.setattr(f"edutorch.autograd.{name}.LARGE", 1000)
    return count


UNARY = {
    "abs": torch.abs, "acos": torch.acos, "cos": torch.cos, "exp": torch.exp,
    "gelu": lambda x: torch.nn.functional.gelu(x, approximate="tanh"),
    "log": torch.log, "neg": torch.neg, "reciprocal": torch.reciprocal,
    "rsqrt": torch.rsqrt, "sin": torch.sin, "sqrt": torch.sqrt,
    "square": torch.square, "tan": torch.tan, "tanh": torch.tanh,
    "relu": lambda x: torch.relu(x - 0.5), "clamp": lambda x: x.clamp(0.3, 0.6),
    "twice": lambda x: x * 2, "minus": lambda x: 1 - x, "third": lambda x: x / 3,
}  # fmt: skip
BINARY = {
    "add": torch.add, "div": torch.div, "mul": torch.mul, "sub": torch.sub,
    "maximum": torch.maximum, "minimum": torch.minimum,
    "scaled": lambda a, b: torch.sub(a, b, alpha=2),
}  # fmt: skip
SHAPES = [
    ((7, 11, 29), (7, 11, 29)),
    ((7, 11, 29), (29,)),
    ((7, 11, 29), (7, 1, 1)),
    ((7, 11, 29), (7, 11, 1)),
    ((7, 11, 29), ()),
]


def results(function, *arrays):
    """The result and the gradients, computed in blocks and by plain formulas."""
    found = []
    for mode in ("auto", "plain"):
        tensors = [torch.tensor(a, requires_grad=True) for a in arrays]
        with config.kernels(mode):
            y = function(*tensors)
            y.backward(
                torch.tensor(
                    np.linspace(-1, 1, y.numel(), dtype=np.float32).reshape(
                        tuple(y.shape)
                    )
                )
            )
        found.append([y.detach().numpy(), *[t.grad.numpy() for t in tensors]])
    return zip(*found, strict=True)


@pytest.mark.parametrize("name", UNARY)
def test_functions_of_one_array_equal_the_plain_ones(blocks, name):
    x = RNG.uniform(0.1, 0.9, (7, 11, 29)).astype(np.float32)
    for got, plain in results(UNARY[name], x):
        assert got.dtype == plain.dtype
        np.testing.assert_allclose(got, plain, rtol=2e-6, atol=1e-7)
    assert max(blocks) == 3


@pytest.mark.parametrize("shapes", SHAPES, ids=str)
@pytest.mark.parametrize("name", BINARY)
def test_functions_of_two_arrays_equal_the_plain_ones(blocks, name, shapes):
    a, b = (RNG.uniform(0.1, 0.9, s).astype(np.float32) for s in shapes)
    for got, plain in results(BINARY[name], a, b):
        assert got.shape == plain.shape
        np.testing.assert_allclose(got, plain, rtol=2e-5, atol=1e-4)
    assert max(blocks) == 3


@pytest.mark.parametrize("compare", [torch.eq, torch.ne, torch.lt, torch.ge])
def test_comparisons_of_large_arrays_give_booleans(blocks, compare):
    a, b = RNG.integers(0, 3, (2, 5001))
    with config.kernels("auto"):
        got = compare(torch.tensor(a), torch.tensor(b))
    with config.kernels("plain"):
        assert got.equal(compare(torch.tensor(a), torch.tensor(b)))
    assert blocks == [7]


def test_threads_use_the_kernels_of_their_caller(blocks):
    seen = set()
    with config.kernels("fast"):
        large_arrays._in_blocks(lambda part: seen.add(config.kernel_mode()), 9000, 10)
    assert seen == {"fast"}


def test_arrays_with_gaps_are_computed_whole(blocks):
    x = torch.tensor(RNG.standard_normal((50, 80)))
    y = x[:, ::2] + x[:, ::2]
    assert not blocks
    assert y.tolist() == (2 * x[:, ::2]).tolist()


def test_memory_order_of_the_operands_is_kept(blocks):
    x = torch.ones(2, 8, 10, 10).contiguous(memory_format=torch.channels_last)
    assert (x * x).is_contiguous(memory_format=torch.channels_last)


def test_plain_mode_computes_whole_arrays(blocks):
    with config.kernels("plain"):
        torch.ones(5000) + torch.ones(5000)
    assert not blocks


def test_gradients_of_several_uses_are_added_in_place(blocks):
    x = torch.tensor(RNG.standard_normal(5001), requires_grad=True)
    for passes in (1, 2):
        (x * 2 + x * 3 + x * 4).sum().backward()
        np.testing.assert_array_equal(x.grad.numpy(), np.full(5001, 9.0 * passes))


def test_warnings_that_are_errors_reach_no_program(blocks):
    import warnings

    x = torch.zeros(5000, requires_grad=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        y = 1 / x
        y.sum().backward()
    assert y.isinf().all()


def test_an_expanded_gradient_is_copied_in_blocks(blocks):
    x = torch.zeros(50, 41, requires_grad=True)
    g = torch.arange(41.0)
    x.sum(0).backward(g)
    assert blocks == [3]  # 16, 16 and 18 rows
    assert x.grad.equal(g.expand(50, 41))
    assert x.grad.is_contiguous()


def test_ufuncs_with_one_thread_are_called_once(blocks, monkeypatch):
    monkeypatch.setattr(large_arrays, "get_num_threads", lambda: 1)
    x = torch.tensor(RNG.integers(9, size=(7, 11, 29)) / 2, requires_grad=True)
    (x * x + x).backward(torch.ones(1).double().expand(7, 11, 29))
    assert blocks == []
    assert torch.equal(x.grad, 2 * x.detach() + 1)
