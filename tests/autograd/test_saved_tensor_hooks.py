"""Hooks on saved tensors, and what nodes store instead of the tensors."""

from __future__ import annotations

import gc
import threading
import weakref

import pytest

import edutorch
import edutorch as torch
from edutorch.autograd.modes import modes
from edutorch.autograd.saved_tensor_hooks import (
    PackedTensor,
    PackedValues,
    pop_hooks,
    push_hooks,
)


def test_a_node_keeps_packs_instead_of_values():
    push_hooks((lambda t: t.tolist(), torch.tensor))
    try:
        y = torch.ones(2, requires_grad=True).exp()
    finally:
        pop_hooks()
    packs = y.grad_fn.output
    assert type(packs) is PackedValues
    assert type(packs.output) is PackedTensor
    assert packs.output.packed == y.tolist()


def test_masks_and_indices_are_packed_too():
    push_hooks((lambda t: t.tolist(), torch.tensor))
    try:
        x = torch.tensor([[3.0, 1.0, 2.0]], requires_grad=True)
        y = torch.nn.functional.max_pool1d(x, 2)
    finally:
        pop_hooks()
    y.sum().backward(retain_graph=True)
    y.sum().backward()
    assert x.grad.tolist() == [[2.0, 0.0, 0.0]]


def test_in_place_changes_do_not_reach_what_was_packed():
    x = torch.full((2,), 3.0, requires_grad=True)
    push_hooks((lambda t: t.detach(), lambda t: t))
    try:
        y = x * 1
        y.mul_(y * 1)
    finally:
        pop_hooks()
    y.sum().backward()
    assert x.grad.tolist() == [6.0, 6.0]


def test_hooks_belong_to_their_thread():
    seen = []
    push_hooks((lambda t: t, lambda t: t))
    try:
        thread = threading.Thread(target=lambda: seen.append(modes.saved_hooks))
        thread.start()
        thread.join()
    finally:
        pop_hooks()
    assert seen == [()]
    assert modes.saved_hooks == ()


def test_values_unpacked_for_a_retained_graph_are_not_kept():
    x = torch.ones(3, requires_grad=True)
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t * 1):
        y = x.exp()
    y.sum().backward(retain_graph=True)
    assert type(y.grad_fn.output) is PackedValues
    y.sum().backward()


def x(*shape):
    return torch.rand(*shape).requires_grad_()


# The shapes that PyTorch 2.13 hands to a hook, one after the other.
PACKED = {
    "mul": (lambda: x(2, 3) * x(3), [(3,), (2, 3)]),
    "mul by a constant": (lambda: x(2, 3) * torch.ones(3), [(3,)]),
    "div": (lambda: x(2, 3) / x(3), [(3,), (2, 3)]),
    "mm": (lambda: x(2, 3) @ x(3, 4), [(3, 4), (2, 3)]),
    "mv": (lambda: x(2, 3) @ x(3), [(2, 3), (3,)]),
    "bmm": (lambda: x(5, 2, 3) @ x(5, 3, 4), [(5, 3, 4), (5, 2, 3)]),
    "addmm": (lambda: torch.addmm(x(4), x(2, 3), x(3, 4)), [(2, 3), (3, 4)]),
    "pow": (lambda: x(2, 3) ** x(3), [(3,), (2, 3), (2, 3)]),
    "maximum": (lambda: torch.maximum(x(2, 3), x(3)), [(3,), (2, 3)]),
    "atan2": (lambda: torch.atan2(x(2, 3), x(3)), [(3,), (2, 3)]),
    "lerp": (lambda: torch.lerp(x(2, 3), x(3), x(1)), [(3,), (2, 3), (1,)]),
    "lerp by a number": (lambda: torch.lerp(x(2, 3), x(3), 0.5), []),
    "addcmul": (lambda: torch.addcmul(x(2, 3), x(1, 3), x(3)), [(1, 3), (3,)]),
    "addcdiv": (lambda: torch.addcdiv(x(2, 3), x(1, 3), x(3)), [(1, 3), (3,)]),
}


@pytest.mark.parametrize(("function", "shapes"), PACKED.values(), ids=PACKED)
def test_operands_are_packed_in_pytorchs_order(function, shapes):
    seen = []
    push_hooks((lambda t: seen.append(tuple(t.shape)) or t, lambda t: t))
    try:
        y = function()
    finally:
        pop_hooks()
    assert seen == shapes
    y.sum().backward()


def test_of_a_layer_on_data_only_the_data_are_packed():
    seen = []
    layer = torch.nn.Linear(3, 4)
    push_hooks((lambda t: seen.append(tuple(t.shape)) or t, lambda t: t))
    try:
        y = layer(torch.ones(5, 2, 3))
    finally:
        pop_hooks()
    assert seen == [(5, 2, 3)]
    with torch.no_grad():
        layer.weight.zero_()  # which no gradient needs
    y.sum().backward()
    assert layer.weight.grad.tolist() == [[10.0] * 3] * 4


def test_batch_norm_learns_while_its_values_are_packed():
    layer, data = torch.nn.BatchNorm1d(2), torch.tensor([[1.0, 2.0], [3.0, 6.0]])
    push_hooks((lambda t: t.tolist(), torch.tensor))
    try:
        y = layer(data)
    finally:
        pop_hooks()
    assert layer.running_mean.tolist() == pytest.approx([0.2, 0.4])
    y[0].sum().backward()
    assert layer.weight.grad.tolist() == pytest.approx([-1.0, -1.0], rel=1e-4)


def with_answers_of_hooks(answer, of, shape):
    """The gradient of an op whose hooks return something else."""
    x = torch.ones(shape, requires_grad=True)
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t, answer):
        y = of(x)
    y.sum().backward()
    return x.grad


FUSED = [
    (lambda x: x.softmax(-1), (40, 50)),
    (lambda x: x.log_softmax(-1), (40, 50)),
    (lambda x: torch.nn.functional.layer_norm(x, (50,)), (40, 50)),
    (lambda x: torch.nn.functional.batch_norm(x, None, None, training=True), (40, 50)),
    (lambda x: torch.nn.functional.conv1d(x, torch.ones(3, 4, 5)), (4, 4, 50)),
    (lambda x: torch.nn.functional.conv1d(x, x[:, :1, :3], groups=4), (4, 4, 50)),
    (lambda x: torch.cdist(x, x[:5].detach()), (40, 50)),
    (lambda x: torch.nn.functional.cross_entropy(x, torch.arange(40)), (40, 50)),
    (
        lambda x: torch.nn.functional.grid_sample(
            x, torch.zeros(4, 30, 30, 2), align_corners=False
        ),
        (4, 3, 20, 20),
    ),
]  # fmt: skip


@pytest.mark.parametrize("mode", ["plain", "fast"])
@pytest.mark.parametrize("of", FUSED)
@pytest.mark.parametrize(
    "answer",
    [
        lambda t: t[:1], lambda t: t[:0], lambda t: t[..., :2], lambda t: t[None],
        lambda t: torch.cat([t, t]), lambda t: t.reshape(-1), lambda t: t.flatten()[0],
    ],
)  # fmt: skip
def test_hooks_that_return_another_shape_are_refused(of, answer, mode):
    refused = pytest.raises(RuntimeError, match="Expected the saved tensor to have")
    with edutorch.config.kernels(mode), refused:
        with_answers_of_hooks(answer, *of)


def test_hooks_that_return_another_dtype_are_refused():
    with pytest.raises(RuntimeError, match="expected scalar type Float but found Doub"):
        with_answers_of_hooks(lambda t: t.double(), *FUSED[0])


def test_hooks_of_pointwise_ops_may_return_what_broadcasts():
    gx = with_answers_of_hooks(lambda t: t[:1], lambda x: x * x, (3, 2))
    assert gx.tolist() == [[2.0, 2.0]] * 3


def test_a_packed_result_keeps_its_node_only_as_long_as_it_is_needed():
    def identity(t):
        return t

    x = torch.ones(2, requires_grad=True)
    with torch.autograd.graph.saved_tensors_hooks(identity, identity):
        y = x.exp()
    node = weakref.ref(y.grad_fn)
    gc.disable()
    try:
        del y
        assert node() is None
    finally:
        gc.enable()


def test_a_packed_result_has_its_old_place_in_the_graph():
    x = torch.ones(2, requires_grad=True)
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t):
        y = x.exp()
    assert y.grad_fn._saved_result.grad_fn is y.grad_fn
    (g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    (h,) = torch.autograd.grad(g.sum(), x)
    assert torch.allclose(h, y.detach())


def test_a_result_that_is_packed_is_booked_on_its_device_once():
    with torch.cuda.simulate(devices=1):
        x = torch.ones(256, device="cuda:0", requires_grad=True)
        before = torch.cuda.memory_allocated()
        with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t):
            y = x.tanh()
        assert torch.cuda.memory_allocated() - before == 1024
        y.sum().backward()
        assert x.grad.allclose(1 - x.tanh() ** 2)


def test_hooks_see_a_result_that_requires_grad():
    seen = []

    def pack(t):
        seen.append((t.requires_grad, t.is_leaf, t.grad_fn.name()))
        return t

    x = torch.ones(2, requires_grad=True)
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda t: t):
        x.exp()
        x.detach().exp()
    assert seen == [(True, False, "ExpBackward0")]
