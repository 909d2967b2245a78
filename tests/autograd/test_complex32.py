"""complex32 tensors can be stored and moved, and support a few operations."""

from __future__ import annotations

import copy
import io
import pickle

import numpy as np
import pytest

import edutorch as torch
from tests.answers import oracle

KIND = torch.complex32


def pair(**options):
    return torch.tensor([1 + 2j, 3.5 - 1j], dtype=torch.chalf, **options)


def test_parts_and_pairs_are_views():
    x = pair()
    x.real[0], x.imag[1] = 5, 7
    torch.view_as_real(x)[1, 0] = -1
    x.conj()[0] = 2 + 4j
    assert x.tolist() == [2 - 4j, -1 + 7j]
    assert x.real.dtype is torch.float16 and x.imag.stride() == (2,)
    back = torch.view_as_complex(torch.view_as_real(x))
    assert back.dtype is KIND and back.data_ptr() == x.data_ptr()
    assert torch.zeros(1, 0, 3, dtype=KIND).imag.shape == (1, 0, 3)


@pytest.mark.parametrize(
    "expression",
    [
        "x + x", "x * x - 1", "x * 2j", "abs(x)", "-x", "x == x", "x != 1", "x.sgn()",
        "torch.cat([x, x])[1:]", "torch.where(x == x, x, y)", "x[None].T", "x.item()",
        "x.to(torch.complex128)", "x.bool()", "x.float()", "x.to(torch.bfloat16)",
        "torch.ones(2).half() * 1j", "torch.ones(2).half() + x", "torch.ones(2) + x",
        "torch.ones(2).bfloat16() + x", "torch.complex(x.real, x.imag)", "x.norm()",
        "x.std()", "x.isfinite()", "x.all()", "x.nonzero()", "x.tril()", "repr(x)",
        "x.index_add(0, torch.tensor([0]), y)", "x.masked_fill(x == x, 1j)",
        "F.conv1d(x.view(1, 1, 2), y.view(1, 1, 2))", "torch.full((2,), 1j, dtype=k)",
        "torch.rand(3, dtype=k)", "torch.randn(3, dtype=k)", "str(x.type())",
        "x.view(torch.float16)", "torch.finfo(k).resolution", "k.to_real()",
        "torch.float16.to_complex()", "torch.bfloat16.to_complex()",
        "torch.tensor(float('inf'), dtype=k).bool()",
        "x.sum()", "x.exp()", "x / 2", "x @ x", "x ** 2", "x < x", "x.cumsum(0)",
        "F.linear(x, x[None])", "torch.arange(3, dtype=k)", "x.mean()", "x.log2()",
        "x.real ** 1j", "torch.eye(2, dtype=k)", "torch.linspace(0, 1, 3, dtype=k)",
    ],
)  # fmt: skip
@pytest.mark.filterwarnings("ignore:ComplexHalf support|Casting complex")
def test_what_is_computed_and_refused_is_as_in_pytorch(expression):
    lib = oracle()
    if lib is None:
        pytest.skip("PyTorch is not installed")
    assert told(torch, expression) == told(lib, expression)


def told(lib, expression):
    """The result as text, or the exception's type and message."""
    lib.manual_seed(0)
    x = lib.tensor([1 + 2j, 3.5 - 1j], dtype=lib.chalf)
    names = {"torch": lib, "F": lib.nn.functional, "x": x, "y": x[:1] * 2}
    try:
        return str(eval(expression, {**names, "k": lib.chalf}))
    except (NotImplementedError, TypeError, RuntimeError) as error:
        return type(error).__name__, str(error).splitlines()[0]


def test_gradients_are_complex32_and_rounded_once():
    x = pair(requires_grad=True)
    (x * (1 + 2j) * x).abs().backward(torch.ones(2).half())
    assert x.grad.dtype is KIND
    wide = x.detach().to(torch.complex128).requires_grad_()
    (wide * (1 + 2j) * wide).abs().backward(torch.ones(2).double())
    assert np.allclose(x.grad.tolist(), wide.grad.tolist(), rtol=2e-3)
    y = torch.ones(2, dtype=torch.complex64, requires_grad=True)
    (y.chalf().real.float() * 3).sum().backward()
    assert y.grad.tolist() == [3, 3]


@pytest.mark.parametrize("zipped", [True, False])
def test_copies_and_files_keep_them(zipped):
    x, file = pair(), io.BytesIO()
    torch.save([x, x[1:].conj()], file, _use_new_zipfile_serialization=zipped)
    file.seek(0)
    whole, part = torch.load(file)
    assert whole.tolist() == x.tolist() and part.tolist() == [3.5 + 1j]
    assert part.untyped_storage().data_ptr() == whole.data_ptr()
    for again in (copy.deepcopy(x), pickle.loads(pickle.dumps(x))):
        assert again.dtype is KIND and again.tolist() == x.tolist()


def test_complex_numbers_beside_a_default_of_halves_are_of_halves():
    torch.set_default_dtype(torch.float16)
    try:
        made = [torch.tensor(1j), torch.ones(2, dtype=torch.int64) * 1j]
        assert [t.dtype for t in made] == [KIND, KIND]
        assert repr(made[0]) == "tensor(0.+1.j, dtype=torch.complex32)"
    finally:
        torch.set_default_dtype(torch.float32)
