"""The results of user Functions: their history, marks and what is saved."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import edutorch as torch


def function(
    forward: Callable[..., Any], backward: Callable[..., Any] | None = None
) -> type[torch.autograd.Function]:
    """A Function of these two; by default the gradient of two inputs is g and None."""

    class Made(torch.autograd.Function):
        pass

    Made.forward = staticmethod(forward)
    Made.backward = staticmethod(backward or (lambda ctx, *g: (g[0], None)))
    return Made


def leaf() -> torch.Tensor:
    return torch.ones(2, 3, requires_grad=True)


def test_tensors_in_a_list_get_no_history():
    x = leaf()
    y, z = function(lambda ctx, x: [x * 2, x * 3]).apply(x)
    assert not y.requires_grad and not z.requires_grad
    (y,) = function(lambda ctx, x: (x * 2,)).apply(x)
    assert y.requires_grad


def test_integer_result_requires_no_grad():
    y = function(lambda ctx, x: (x * 2).long()).apply(leaf())
    assert not y.requires_grad and y.grad_fn is None and y.is_leaf
    y, z = function(lambda ctx, x: (x * 2, x > 0)).apply(leaf())
    assert y.requires_grad and not z.requires_grad


def test_returned_input_is_detached_where_nothing_is_recorded():
    x = leaf()
    with torch.no_grad():
        y = function(lambda ctx, x: x).apply(x)
    assert y is not x and not y.requires_grad and not y._is_view()
    assert y.data_ptr() == x.data_ptr()
    with torch.no_grad():
        y = function(lambda ctx, x: x).apply(x.detach())
    assert y._is_view()


def test_returned_input_may_be_non_differentiable():
    def forward(ctx, x):
        ctx.mark_non_differentiable(x)
        return x

    x = leaf()
    y = function(forward).apply(x)
    assert not y.requires_grad and x.requires_grad


def test_changed_input_is_detached_where_nothing_is_recorded():
    def forward(ctx, x):
        ctx.mark_dirty(x)
        return x.mul_(2)

    x = leaf()
    with torch.no_grad():
        y = function(forward).apply(x)
    assert y is not x and not y.requires_grad and y._version == 2
    z = torch.ones(2)
    assert function(forward).apply(z) is z


def test_changed_view_gets_the_history_of_its_base():
    def forward(ctx, x):
        ctx.mark_dirty(x)
        return x.mul_(2)

    x = leaf()
    base = x * 1
    view = base[0]
    y = function(forward, lambda ctx, g: g * 2).apply(view)
    assert y is view and y.grad_fn.name() == "AsStridedBackward0"
    assert base.grad_fn.name() == "torch::autograd::CopySlices"
    base.sum().backward()
    assert x.grad.tolist() == [[2.0] * 3, [1.0] * 3]


def test_changed_view_must_be_the_only_result():
    def forward(ctx, x):
        ctx.mark_dirty(x)
        return x.mul_(2), 3

    with pytest.raises(RuntimeError, match=r"^If your Function modifies inplace an"):
        function(forward).apply((leaf() * 1)[0])
    y, _ = function(forward).apply(leaf() * 1)
    assert y.requires_grad


def test_changed_view_of_a_leaf_is_refused():
    def forward(ctx, x):
        ctx.mark_dirty(x)
        return x.mul_(2)

    for x in (leaf()[0], torch.ones(6).reshape(2, 3).requires_grad_()[0]):
        with pytest.raises(RuntimeError, match=r"^a view of a leaf Variable that req"):
            function(forward).apply(x)
    assert function(forward).apply(torch.ones(6)[:2]).tolist() == [2.0, 2.0]


def test_changed_leaf_is_refused_if_it_is_a_result():
    def returned(ctx, x, y):
        ctx.mark_dirty(x, y)
        return x

    def forgotten(ctx, x, y):
        ctx.mark_dirty(x)
        return x * 1

    with pytest.raises(RuntimeError, match=r"^a leaf Variable that requires grad has"):
        function(returned).apply(leaf(), torch.ones(1))
    with pytest.raises(RuntimeError, match=r"^Some elements marked as dirty"):
        function(forgotten).apply(leaf(), torch.ones(1))


def test_changed_tensor_that_is_no_input_warns():
    def forward(ctx, x):
        y = x * 2
        ctx.mark_dirty(y)
        return y

    with pytest.warns(UserWarning, match="received a tensor that was not an input"):
        y = function(forward).apply(leaf())
    assert y.requires_grad


def test_saved_numbers_are_refused_only_where_the_node_is_recorded():
    def forward(ctx, x):
        ctx.save_for_backward(x, 3)
        return x * 2

    with pytest.raises(TypeError, match="argument 1 is of type int"):
        function(forward).apply(leaf())
    with torch.no_grad():
        assert function(forward).apply(leaf()).sum() == 12
    assert function(forward).apply(torch.ones(1)) == 2


def test_marks_must_be_tensors():
    def dirty(ctx, x):
        ctx.mark_dirty([x])
        return x * 2

    def constant(ctx, x):
        ctx.mark_non_differentiable(3)
        return x * 2

    with pytest.raises(RuntimeError, match="mark_dirty can only accept variables"):
        function(dirty).apply(leaf())
    with pytest.raises(RuntimeError, match="only accepts variable arguments"):
        function(constant).apply(leaf())


def test_setup_context_may_not_save_a_returned_input():
    class Same(torch.autograd.Function):
        @staticmethod
        def forward(x):
            return x

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.save_for_backward(output)

        @staticmethod
        def backward(ctx, g):
            return g

    with pytest.raises(RuntimeError, match=r"^A input that has been returned as-is"):
        Same.apply(leaf())
    assert Same.apply(torch.ones(2)).tolist() == [1.0, 1.0]


@pytest.mark.parametrize("other", [3, torch.ones(2) > 0])
def test_one_view_among_results_is_the_view_of_a_function(other):
    y, _ = function(lambda ctx, x: (x, other)).apply(leaf())
    with pytest.raises(RuntimeError, match="was created inside a custom Function"):
        y.mul_(2)


def test_several_views_are_those_of_a_function_with_several_results():
    y, _ = function(lambda ctx, x: (x, x * 2)).apply(leaf())
    with pytest.raises(RuntimeError, match="function that returns multiple views"):
        y.mul_(2)


def test_backward_runs_again_if_it_reads_nothing_saved():
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * 2

    x = leaf()
    y = function(forward, lambda ctx, g: g * 2).apply(x).sum()
    y.backward()
    y.backward()
    assert x.grad[0, 0] == 4
    y = function(forward, lambda ctx, g: g * ctx.saved_tensors[0]).apply(x).sum()
    y.backward()
    with pytest.raises(RuntimeError, match=r"^Trying to backward through the graph a"):
        y.backward()


def test_only_tensors_have_edges():
    y = function(lambda ctx, a, x, b: x * 2).apply(3, leaf() * 1, "a")
    ((node, nr),) = y.grad_fn.next_functions
    assert (node.name(), nr) == ("MulBackward0", 0)


@pytest.mark.parametrize(
    ("gradient", "words"),
    [
        (torch.ones(2, 3) * 1j, "Expected isFloatingType"),
        (torch.ones(2, 3, device="meta"), "index 0 - expected device cpu but got meta"),
        (torch.ones(5), r"index 0 - got \[5\] but expected shape"),
    ],
)
@pytest.mark.parametrize("x", [leaf(), leaf() * 1])
def test_gradient_of_another_kind_is_refused(x, gradient, words):
    def backward(ctx, g):
        return None, gradient

    y = function(lambda ctx, a, x: x * 2, backward).apply(3, x)
    with pytest.raises(RuntimeError, match=words):
        y.sum().backward()
