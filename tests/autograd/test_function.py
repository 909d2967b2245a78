"""User functions: context, saving, marking, errors."""

from __future__ import annotations

import pytest

import edutorch as torch
from edutorch.autograd.function import once_differentiable


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x * x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 3 * x * x * g


def test_function_has_first_and_second_derivative():
    x = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
    y = Cube.apply(x)
    assert y.grad_fn.name() == "CubeBackward"
    assert torch.autograd.gradcheck(Cube.apply, [x])
    assert torch.autograd.gradgradcheck(Cube.apply, [x])


def test_saved_output_and_setup_context():
    class Exp(torch.autograd.Function):
        @staticmethod
        def forward(x):
            return x.exp()

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_backward(output)

        @staticmethod
        def backward(ctx, g):
            (y,) = ctx.saved_tensors
            return g * y

    x = torch.tensor([0.5], dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(Exp.apply, [x])
    assert torch.autograd.gradgradcheck(Exp.apply, [x])


def test_arguments_that_are_no_tensors_get_none():
    class Scale(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, factor):
            ctx.factor = factor
            assert ctx.needs_input_grad == (True, False)
            return x * factor

        @staticmethod
        def backward(ctx, g):
            return g * ctx.factor, None

    x = torch.ones(2, requires_grad=True)
    Scale.apply(x, 3).sum().backward()
    assert x.grad.tolist() == [3.0, 3.0]


def test_wrong_number_of_gradients_is_an_error():
    class Two(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.clone()

        @staticmethod
        def backward(ctx, g):
            return g, g

    y = Two.apply(torch.ones(1, requires_grad=True))
    with pytest.raises(RuntimeError) as caught:
        y.backward()
    assert str(caught.value).startswith(
        "function TwoBackward returned an incorrect number of gradients (expected 1, got 2)"
    )


def test_outputs_marked_non_differentiable_require_no_grad():
    class WithIndex(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            index = x.argsort()
            ctx.mark_non_differentiable(index)
            return x * 2, index

        @staticmethod
        def backward(ctx, g, _):
            return g * 2

    x = torch.tensor([3.0, 1.0], requires_grad=True)
    y, index = WithIndex.apply(x)
    assert y.requires_grad and not index.requires_grad
    y.sum().backward()
    assert x.grad.tolist() == [2.0, 2.0]


def test_input_changed_in_place_and_marked_dirty():
    class Double_(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            x.mul_(2)
            ctx.mark_dirty(x)
            return x

        @staticmethod
        def backward(ctx, g):
            return g * 2

    x = torch.ones(2, requires_grad=True)
    y = x * 1
    z = Double_.apply(y)
    assert z is y and z.grad_fn.name() == "Double_Backward"
    z.sum().backward()
    assert x.grad.tolist() == [2.0, 2.0]


def test_saved_tensor_changed_in_place_is_noticed():
    x = torch.ones(1, requires_grad=True) * 1
    y = Cube.apply(x)
    x.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.backward()


def test_once_differentiable_refuses_a_second_derivative():
    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        @once_differentiable
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return 2 * x * g

    x = torch.tensor(3.0, requires_grad=True)
    seed = torch.tensor(1.0, requires_grad=True)
    (g,) = torch.autograd.grad(Square.apply(x), x, seed, create_graph=True)
    assert g.item() == 6.0
    with pytest.raises(RuntimeError, match="once_differentiable"):
        g.backward()


def test_saved_tensors_are_freed_after_backward():
    x = torch.tensor(3.0, requires_grad=True)
    y = Cube.apply(x)
    y.backward()
    with pytest.raises(RuntimeError, match="a second time"):
        y.backward()
