"""User functions: context, saving, marking, errors."""

from __future__ import annotations

import pytest

import edutorch as torch
from edutorch.autograd import forward_ad as fwAD
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


def test_setup_context_may_save_the_output():
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


def test_input_marked_dirty_may_be_changed_in_place():
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


def leaf():
    return torch.ones(3, requires_grad=True)


class Same(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x

    @staticmethod
    def backward(ctx, g):
        return g * 2


class Flat(Same):
    @staticmethod
    def forward(ctx, x):
        return x.view(-1)


class Parts(Same):
    @staticmethod
    def forward(ctx, x):
        return x[:1], x[1:]


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (Same, "Output 0 of Same is a view and is being modified inplace. This view w"),
        (Flat, "Output 0 of Flat is a view and is being modified inplace. This view w"),
        (
            Parts,
            "Output 0 of Parts is a view and is being modified inplace. This view ",
        ),
    ],
)
def test_views_that_a_function_returns_are_not_changed_in_place(function, words):
    y = function.apply(leaf() * 1)
    y = y[0] if isinstance(y, tuple) else y
    assert y._is_view()
    with pytest.raises(RuntimeError, match=f"^{words}"):
        y.add_(1)


def test_base_of_a_view_that_a_function_returned_is_not_changed_in_place():
    x = leaf() * 1
    y = Flat.apply(x)
    x.add_(1)
    with pytest.raises(RuntimeError, match="its base or another view of its base has"):
        y.grad_fn


def test_arguments_by_name_are_arguments():
    class Scaled(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, by=3.0):
            ctx.by = by
            return x * by

        @staticmethod
        def backward(ctx, g):
            return g * ctx.by, None

    for y in (Scaled.apply(x=leaf()), Scaled.apply(leaf(), by=3.0)):
        assert y.grad_fn.by == 3.0
        y.sum().backward()
    with pytest.raises(TypeError, match="missing required argument: 'x' .position 0"):
        Scaled.apply(by=2.0)


def test_node_of_a_function_has_pytorch_s_repr():
    text = repr(Same.apply(leaf()).grad_fn)
    assert text.startswith("<torch.autograd.function.SameBackward object at 0x")


def test_type_of_a_function_s_node_has_its_name():
    assert type(Same.apply(leaf()).grad_fn).__name__ == "SameBackward"


def test_changed_output_that_was_saved_names_its_function():
    class Kept(Same):
        @staticmethod
        def forward(ctx, x):
            y = x * 2
            ctx.save_for_backward(y)
            return y

        @staticmethod
        def backward(ctx, g):
            return g * ctx.saved_tensors[0]

    y = Kept.apply(leaf())
    y.add_(1)
    with pytest.raises(
        RuntimeError, match="which is output 0 of Kept, is at version 1"
    ):
        y.sum().backward()


def test_jvp_sees_what_was_saved_for_forward_and_zeros_for_what_does_not_move():
    seen = []

    class Product(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a, b):
            ctx.save_for_forward(a, b)
            return a * b

        @staticmethod
        def jvp(ctx, ta, tb):
            a, b = ctx.saved_tensors
            seen.append((ta.shape, tb.tolist()))
            return ta * b + tb * a

    three = torch.ones(3) * 3
    with fwAD.dual_level():
        y = Product.apply(fwAD.make_dual(torch.ones(3), torch.ones(3)), three)
        assert fwAD.unpack_dual(y).tangent.tolist() == [3.0] * 3
    assert seen[0] == (torch.Size([3]), [0.0] * 3)


def test_forward_mode_through_a_function_without_jvp_is_refused():
    class Once(Same):
        @staticmethod
        def forward(x):
            return x * 2

        @staticmethod
        def setup_context(ctx, inputs, output):
            pass

        @staticmethod
        def backward(ctx, g):
            return g * 2

    with pytest.raises(NotImplementedError, match="^You must implement the jvp"):
        torch.func.jvp(Once.apply, (torch.ones(3),), (torch.ones(3),))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"z": 3}, r"^forward\(\) got an unexpected keyword argument 'z'"),
        ({"only": 3}, r"^forward\(\) got an unexpected keyword argument 'only'"),
        ({"x": 3}, r"^forward\(\) got multiple values for argument 'x'"),
        ({"c": 3}, r"^forward\(\) missing required argument: 'b' \(position 1\)"),
    ],
)
def test_arguments_given_by_name_are_those_of_forward(arguments, words):
    class Product(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, b=2, c=5, *, only=1, **more):
            ctx.numbers = b, c
            return x * b * c

        @staticmethod
        def backward(ctx, *g):
            return g[0] * ctx.numbers[0] * ctx.numbers[1], None

    x = torch.ones(1, requires_grad=True)
    Product.apply(x, b=3).backward()
    assert x.grad.item() == 15
    with pytest.raises(TypeError, match=words):
        Product.apply(x, **arguments)
