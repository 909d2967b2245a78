"""The graph's own tools, against PyTorch."""

from __future__ import annotations

import gc
import weakref

import pytest

import edutorch
from tests.programs import Programs, attempt

programs = Programs(__file__)


def leaf(torch, *shape):
    return torch.linspace(0.5, 2, max(1, edutorch.Size(shape).numel())).reshape(
        shape
    ).requires_grad_()  # fmt: skip


@programs.add
def hooks_change_what_is_saved_and_gradients_follow(torch):
    x = leaf(torch, 3)
    hooks = torch.autograd.graph.saved_tensors_hooks
    with hooks(lambda t: t * 2, lambda t: t + 1):
        y = (x * x).sum() + x.exp().sum()
    y.backward()
    return x.grad


@programs.add
def hooks_see_each_saved_tensor(torch):
    seen = []
    x, w = leaf(torch, 2, 3), leaf(torch, 3, 2)

    def pack(t):
        seen.append(tuple(t.shape))
        return t

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda t: t):
        ((x @ w).sigmoid() * 3).log().sum().backward()
    return sorted(seen)


@programs.add
def the_innermost_hooks_are_in_force(torch):
    x, seen = leaf(torch, 2), []
    hooks = torch.autograd.graph.saved_tensors_hooks

    def pack(name):
        return lambda t: (seen.append(name), t)[1]

    with hooks(pack("outer"), lambda t: t):
        with hooks(pack("inner"), lambda t: t):
            x.exp()
        x.exp()
    x.exp()
    return seen


@programs.add
def hooks_and_second_derivatives(torch):
    x = leaf(torch, 3)
    with torch.autograd.graph.saved_tensors_hooks(
        lambda t: t.detach().clone(), lambda t: t
    ):
        y = (x.exp() * x * x.tanh()).sum()
    (g,) = torch.autograd.grad(y, x, create_graph=True)
    return g, torch.autograd.grad(g.sum(), x)


@programs.add
def hooks_and_a_function_of_the_users(torch):
    class Cube(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = x**3
            ctx.save_for_backward(x, y)
            return y

        @staticmethod
        def backward(ctx, g):
            x, y = ctx.saved_tensors
            return 3 * g * y / x

    x = leaf(torch, 3)
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t * 2, lambda t: t / 2):
        y = Cube.apply(x).sum()
    (g,) = torch.autograd.grad(y, x, create_graph=True)
    return g, torch.autograd.grad(g.sum(), x)


@programs.add
def bad_hooks_are_refused(torch):
    hooks = torch.autograd.graph.saved_tensors_hooks
    x = leaf(torch, 2)

    def changing():
        with hooks(lambda t: t.mul_(2), lambda t: t):
            return (x * 1).exp()

    def answering():
        with hooks(lambda t: t, lambda t: 3):
            y = x * x
        y.sum().backward()

    def disabled():
        disabled = torch.autograd.graph.disable_saved_tensors_hooks("not now")
        with disabled, hooks(lambda t: t, lambda t: t):
            pass

    return attempt(changing), attempt(answering), attempt(disabled)


@programs.add
def saving_on_the_cpu_changes_nothing(torch):
    x = leaf(torch, 4)
    with torch.autograd.graph.save_on_cpu(pin_memory=False):
        (x.sin() * x).sum().backward()
    return x.grad


@programs.add
def saved_tensors_may_be_changed_where_that_is_allowed(torch):
    x = leaf(torch, 3)
    with torch.autograd.graph.allow_mutation_on_saved_tensors():
        a = x * 1
        y = (a * a).sum()
        a.mul_(3)
        z = a.exp()
        z2 = z.sum()
        z.zero_()
        (y + z2).backward()
    return x.grad


@programs.add
def changes_made_elsewhere_are_noticed(torch):
    x = leaf(torch, 2)
    a = x * 1
    y = a.exp()
    torch.autograd.graph.increment_version(y)
    refused = attempt(lambda: y.sum().backward())
    increment = torch.autograd.graph.increment_version
    return refused[:2], y._version, attempt(lambda: increment(3))


@programs.add
def a_hook_on_several_gradients_waits_for_all(torch):
    a, b, c = (leaf(torch, 2) for _ in range(3))
    seen = []
    register = torch.autograd.graph.register_multi_grad_hook
    handle = register((a, b, c), lambda gs: seen.append(list(gs)))
    (a * 2 + b * 3).sum().backward()
    (a * b * c).sum().backward()
    handle.remove()
    (a * c).sum().backward()
    first = []
    register((a, b), first.append, mode="any")
    (a + b).sum().backward()
    (a * b).sum().backward()
    return seen, len(first), attempt(lambda: register((a,), print, mode="z"))


@programs.add
def an_edge_stands_for_its_tensor(torch):
    edge_of = torch.autograd.graph.get_gradient_edge
    x = leaf(torch, 3)
    y = x * 2
    z = (y * y).sum()
    to_leaf = torch.autograd.grad(z, edge_of(x), retain_graph=True)
    to_node = torch.autograd.grad(z, [edge_of(y)], retain_graph=True)
    from_node = torch.autograd.grad(edge_of(y), x, torch.ones(3), retain_graph=True)
    torch.autograd.backward(z, inputs=[edge_of(x)], retain_graph=True)
    nothing = attempt(lambda: edge_of(torch.ones(2)))
    return to_leaf, to_node, from_node, x.grad, edge_of(y).output_nr, nothing


@programs.add
def a_nodes_interface(torch):
    x = leaf(torch, 2)
    y = x.exp() * x
    node = y.grad_fn
    node.metadata["note"] = 1
    end = x.mul(1).grad_fn.next_functions[0][0]
    kinds = [isinstance(n, torch.autograd.graph.Node) for n in (node, end, x)]
    saved = node._saved_self, node._saved_other is x
    y.sum().backward()
    freed = attempt(lambda: node._saved_self)
    none = hasattr(node, "_saved_nothing")
    return kinds, node.metadata, node.name(), end.name(), saved, freed, none


@programs.add
def hooks_on_the_node_that_accumulates(torch):
    x, seen = leaf(torch, 2), []
    end = x.mul(1).grad_fn.next_functions[0][0]
    before = end.register_prehook(lambda gs: (gs[0] * 10,))
    end.register_hook(lambda gi, go: seen.append((len(gi), go[0])))
    (x * 2).sum().backward()
    (_,) = torch.autograd.grad((x * 2).sum(), x)
    before.remove()
    (x * 2).sum().backward()
    return x.grad, seen


@programs.add
def multi_grad_hooks_need_tensors_with_gradients(torch):
    register = torch.autograd.graph.register_multi_grad_hook
    x, c, seen = torch.ones(2, requires_grad=True), torch.ones(1), []
    register([c, x], seen.append, mode="any")
    register([c], seen.append, mode="any")
    (x * 2).sum().backward()
    return [seen, attempt(lambda: register([x, c], print))]


@programs.add
def hooks_of_a_leaf_take_its_gradient_away(torch):
    x, seen = torch.ones(2, requires_grad=True), []
    y = x * 2
    node = y.grad_fn.next_functions[0][0]
    x.register_post_accumulate_grad_hook(lambda t: seen.append("accumulated"))
    node.register_prehook(lambda gradients: (None,))
    node.register_hook(lambda inputs, outputs: seen.append([inputs, outputs]))
    y.sum().backward()
    return [x.grad, seen]


@programs.add
def hooks_that_change_the_dtype_are_told_both(torch):
    found = []
    for dtype in (torch.float32, torch.bfloat16, torch.complex64):
        x = torch.ones(2, dtype=dtype, requires_grad=True)
        x.register_hook(lambda g: g != 0)
        found.append(attempt(lambda x=x: (x * 2).sum().abs().backward()))
    return found


test_graph = programs.test()


def test_saved_values_are_kept_only_as_packed():
    x = edutorch.ones(3, requires_grad=True)
    with edutorch.autograd.graph.saved_tensors_hooks(
        lambda t: t.tolist(), lambda values: edutorch.tensor(values)
    ):
        middle = x * 2
        y = middle.exp().sum()
    gone = weakref.ref(middle)
    del middle
    gc.collect()
    assert gone() is None
    y.backward()
    assert x.grad.tolist() == pytest.approx([2 * 2.718281828**2] * 3)


def test_hooks_end_with_an_exception():
    hooks = edutorch.autograd.graph.saved_tensors_hooks(lambda t: 1 / 0, lambda t: t)
    with pytest.raises(ZeroDivisionError), hooks:
        edutorch.ones(1, requires_grad=True).exp()
    x = edutorch.ones(1, requires_grad=True)
    x.exp().backward()
    assert x.grad is not None
