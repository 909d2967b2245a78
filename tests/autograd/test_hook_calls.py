"""Arguments of hooks in a backward pass, and the effect of their results."""

from __future__ import annotations

import pytest

import edutorch as torch


def test_hooks_are_shown_tensors_and_change_the_gradient_in_order():
    w, seen = torch.ones(2, requires_grad=True), []
    w.register_hook(lambda g: seen.append(type(g)))
    w.register_hook(lambda g: g * 3)
    w.register_hook(lambda g: g + 1)
    (w * 2).sum().backward()
    assert seen == [torch.Tensor] and w.grad.tolist() == [7.0, 7.0]


def test_hooks_of_a_node_run_before_and_after_it():
    w, order = torch.ones(2, requires_grad=True), []
    y = w * 2
    y.register_hook(lambda g: order.append("tensor"))
    y.grad_fn.register_prehook(lambda gs: order.append("before"))
    y.grad_fn.register_hook(lambda gi, go: order.append("after"))
    y.sum().backward()
    assert order == ["tensor", "before", "after"]


def test_what_hooks_compute_is_not_recorded():
    w, found = torch.ones(2, requires_grad=True), []
    w.register_hook(lambda g: found.append((w * g).requires_grad))
    w.register_post_accumulate_grad_hook(lambda t: found.append((t * 2).requires_grad))
    y = w * 2
    y.register_hook(lambda g: found.append((w * g).requires_grad))
    y.sum().backward()
    assert found == [False, False, False]
    assert torch.is_grad_enabled()


def test_node_hook_and_step_when_the_op_broadcast_see_gradients_like_the_inputs():
    x, b = (torch.ones(shape, requires_grad=True) for shape in ((5, 4), (4,)))
    y = x + b
    seen = []
    y.grad_fn.register_hook(lambda gi, go: seen.extend(tuple(g.shape) for g in gi))
    steps = list(y.sum().backward_steps())
    assert seen == [(5, 4), (4,)]
    assert repr(steps[1]) == "Step(1: AddBackward0 -> [(5, 4), (4,)])"
    assert b.grad.tolist() == [5.0] * 4


def doubled():
    x = torch.ones(1, requires_grad=True)
    return x, x * 2


ONE = torch.ones(1)
WRONG = "hook '<lambda>' has "
ANSWERS = [
    (3, TypeError, "expected Variable, but hook returned 'int'"),
    ([ONE], TypeError, "expected Variable, but hook returned 'list'"),
    (torch.ones(5), RuntimeError, WRONG + "changed the size of value"),
    (ONE.double(), RuntimeError, WRONG + "changed the type of value .was torch.Float"),
]
ANSWERS_OF_NODES = [
    (3, TypeError, "expected tuple, but hook returned 'int'"),
    (ONE, TypeError, "expected tuple, but hook returned 'Tensor'"),
    ((ONE,) * 3, RuntimeError, WRONG + "returned an incorrect number of values .got 3"),
]


@pytest.mark.parametrize(("answer", "kind", "words"), ANSWERS)
def test_hook_that_answers_something_else_is_refused(answer, kind, words):
    _, y = doubled()
    y.register_hook(lambda g: answer)
    with pytest.raises(kind, match=f"^{words}"):
        y.backward()


@pytest.mark.parametrize(("answer", "kind", "words"), ANSWERS_OF_NODES)
@pytest.mark.parametrize("register", ["register_hook", "register_prehook"])
def test_node_hook_that_answers_something_else_is_refused(
    answer, kind, words, register
):
    _, y = doubled()
    getattr(y.grad_fn, register)(lambda *gradients: answer)
    with pytest.raises(kind, match=f"^{words}"):
        y.backward()


def test_hook_after_accumulation_must_not_answer():
    x, y = doubled()
    x.register_post_accumulate_grad_hook(lambda t: t.detach())
    with pytest.raises(RuntimeError, match="^Tensor post accumulate grad hooks should"):
        y.backward()


def test_hook_after_accumulation_may_return_the_leaf():
    x, y = doubled()
    x.register_post_accumulate_grad_hook(lambda t: t)
    y.backward()
    assert x.grad.item() == 2.0


def test_node_prehook_can_stop_the_pass():
    x, y = doubled()
    y.grad_fn.register_prehook(lambda gradients: (None,))
    y.backward()
    assert x.grad is None


def test_requested_gradients_are_those_left_by_hooks_of_the_last_node():
    x, y = doubled()
    order = []
    y.register_hook(lambda g: g * 3)
    y.grad_fn.register_prehook(order.append)
    z = y * 2
    assert torch.autograd.grad(z, y, retain_graph=True)[0].item() == 6.0
    assert order == []  # the node does not run
    gy, gx = torch.autograd.grad(z, [y, x])
    assert (gy.item(), gx.item()) == (2.0, 12.0)  # it runs, after gy was noted


@pytest.mark.parametrize(
    ("shape", "order"),
    [((2,), "bwx"), ((4, 2), "bxw"), ((5, 4, 2), "bwx")],
)
def test_hooks_of_a_linear_layer_run_in_the_order_of_pytorchs_nodes(shape, order):
    leaves = {"x": torch.ones(shape), "w": torch.ones(3, 2), "b": torch.ones(3)}
    called = []
    for name, leaf in leaves.items():
        leaf.requires_grad_().register_hook(lambda g, name=name: called.append(name))
    torch.nn.functional.linear(*leaves.values()).sum().backward()
    assert "".join(called) == order


def test_node_hooks_see_no_gradients_of_operands_that_are_no_tensors():
    class Scale(torch.autograd.Function):
        @staticmethod
        def forward(ctx, factor, x, other):
            return x * factor

        @staticmethod
        def backward(ctx, g):
            return None, g, None

    x, seen = torch.ones(2, requires_grad=True), []
    y = Scale.apply(3, x, torch.ones(1))
    y.grad_fn.register_hook(lambda inputs, outputs: seen.append(inputs))
    y.grad_fn.register_hook(lambda inputs, outputs: (inputs[0] * 5, None))
    y.sum().backward()
    ((g, none),) = seen
    assert g.tolist() == [1.0, 1.0] and none is None
    assert x.grad.tolist() == [5.0, 5.0]
