"""What tensors print inside function transforms, and what is refused there."""

from __future__ import annotations

import importlib

import pytest

import edutorch
from tests.oracle import torch


def printed(library, program):
    """What a function prints of its argument when a transform runs it."""
    texts = []

    def seen(x):
        texts.append(str(x))
        return x.sum()

    eval(program, {"torch": library, "seen": seen, "x": library.ones(2, 3)})
    return texts[0]


# PyTorch compiles something at its first use of forward mode.
jit = pytest.mark.filterwarnings("ignore:.torch.jit.script:DeprecationWarning")


@jit
@pytest.mark.parametrize(
    "program",
    [
        "seen(x)",
        "torch.func.grad(seen)(x)",
        "torch.func.grad(lambda x: seen(2 * x))(x)",
        "torch.func.grad(lambda x: torch.func.grad(seen)(x).sum())(x)",
        "torch.func.vmap(seen)(x)",
        "torch.func.vmap(torch.func.vmap(seen))(x)",
        "torch.func.vmap(torch.func.grad(seen))(x)",
        "torch.func.grad(lambda x: torch.func.vmap(seen)(x).sum())(x)",
        "torch.func.jvp(seen, (x,), (x,))",
        "torch.func.vjp(seen, x)",
    ],
)
def test_tensors_show_the_transforms_they_are_in(program):
    assert printed(edutorch, program) == printed(torch, program)


def dual_texts(library, requires_grad):
    forward_ad = importlib.import_module(f"{library.__name__}.autograd.forward_ad")
    x = library.ones(2, requires_grad=requires_grad)
    with forward_ad.dual_level():
        dual = forward_ad.make_dual(x, library.tensor([1.0, 2.0]))
        return [str(t) for t in (dual, dual * dual, dual.sum(), library.ones(1))]


@jit
def test_tangents_of_forward_mode_are_printed():
    assert dual_texts(edutorch, False) == dual_texts(torch, False)
    assert dual_texts(edutorch, True)[1] == dual_texts(torch, True)[1]


class Double(edutorch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return 2 * x

    @staticmethod
    def backward(ctx, g):
        return 2 * g


@pytest.mark.parametrize("name", ["grad", "vmap", "jacrev", "jacfwd", "hessian"])
def test_functions_without_setup_context_are_refused_in_transforms(name):
    transform = getattr(edutorch.func, name)
    x = edutorch.ones(2)
    with pytest.raises(RuntimeError, match="must override the setup_context"):
        transform(lambda x: Double.apply(x).sum())(x)
    with pytest.raises(RuntimeError, match="must override the setup_context"):
        transform(lambda x: (x * Double.apply(edutorch.ones(2))).sum())(x)
    x.requires_grad_()
    assert edutorch.autograd.grad(Double.apply(x).sum(), x)[0].tolist() == [2, 2]
