"""Edge cases of user Functions, compared with PyTorch."""

from __future__ import annotations

import gc
import weakref

import edutorch
from edutorch.inspect import GraphRecorder
from tests.programs import Programs, attempt

programs = Programs(__file__)


def function(torch, forward, backward=None, **more):
    """A Function made of plain functions."""
    parts = {"forward": forward, "backward": backward, **more}
    made = {
        name: staticmethod(part) if callable(part) else part
        for name, part in parts.items()
        if part is not None
    }
    return type("My", (torch.autograd.Function,), made).apply


def leaf(torch):
    return torch.tensor([1.0, 2.0], requires_grad=True)


@programs.add
def only_tensors_are_saved_and_marked(torch):
    x = leaf(torch)

    def doing(what):
        def forward(ctx, x):
            getattr(ctx, what)(3)
            return x * 1

        return attempt(lambda: function(torch, forward, lambda ctx, g: g)(x * 1))[:2]

    names = "save_for_backward", "mark_dirty", "mark_non_differentiable"
    return [doing(name) for name in names]


@programs.add
def inputs_changed_in_place(torch):
    def forward(ctx, x):
        x.mul_(2)
        ctx.mark_dirty(x)
        return x

    def forgetting(ctx, x):
        x.mul_(2)
        ctx.mark_dirty(x)
        return x * 1

    x, double = leaf(torch), lambda ctx, g: g * 2
    y = x * 1
    same = function(torch, forward, double)(y) is y
    base = x * 1
    view = base[:1]
    function(torch, forward, double)(view)
    return [
        same, y, torch.autograd.grad(y.sum(), x), torch.autograd.grad(base.sum(), x),
        attempt(lambda: function(torch, forward, double)(x)),
        attempt(lambda: function(torch, forgetting, double)(x * 1)),
    ]  # fmt: skip


@programs.add
def what_is_missing_is_named(torch):
    x, once = leaf(torch), lambda ctx, x: x * 1
    both = {"backward": lambda ctx, g: g, "vjp": lambda ctx, g: g}
    vjp = function(torch, once, vjp=lambda ctx, g: g * 3)(x).sum()
    vjp.backward()
    return [
        attempt(lambda: function(torch, None)(x)),
        attempt(lambda: function(torch, once)(x).sum().backward()),
        attempt(lambda: torch.autograd.Function()(x))[:2],
        attempt(lambda: function(torch, once, **both)(x).sum().backward()),
        x.grad,
    ]


@programs.add
def wrong_gradients_are_refused(torch):
    x = leaf(torch)

    def giving(answer, *others):
        run = function(torch, lambda ctx, x, *o: x * 1, lambda ctx, g: answer(g))
        return attempt(lambda: run(x, *others).sum().backward())

    return [
        giving(lambda g: (g, g)),
        giving(lambda g: g, x),
        giving(lambda g: (g, None, None)),
        giving(lambda g: "text"),
        giving(lambda g: (g, 3.0), 2.0),
        giving(lambda g: (g, g), torch.ones(2)),
        giving(lambda g: (g, g), 2.0),
        giving(lambda g: torch.ones(7)),
    ]


@programs.add
def results_of_all_kinds(torch):
    x, seen = leaf(torch), []

    def backward(ctx, *g):
        seen.append([None if v is None else v.tolist() for v in g])
        return g[0]

    mixed = function(torch, lambda ctx, x: (x * 1, 5, x * 2), backward)(x)
    (mixed[0].sum() + mixed[2].sum()).backward()
    listed = function(torch, lambda ctx, x: [x * 1, x * 2], backward)(x)
    number = function(torch, lambda ctx, x: 5, backward)(x)
    same = function(torch, lambda ctx, x: x, backward)(x)
    view = function(torch, lambda ctx, x: x.view(1, 2), backward)(x)
    names = [t.grad_fn.name() for t in (mixed[2], same, view)]
    return mixed[1], type(listed).__name__, number, same is x, names, seen


@programs.add
def missing_gradients(torch):
    x, seen = leaf(torch), []

    def forward(materialize):
        def run(ctx, x):
            ctx.set_materialize_grads(materialize)
            return x * 1, x * 2

        return run

    def backward(ctx, g, h):
        seen.append([None if v is None else v.tolist() for v in (g, h)])
        return g

    for materialize in (True, False):
        function(torch, forward(materialize), backward)(x)[0].sum().backward()
    return seen


@programs.add
def any_attribute_may_be_written_on_the_context(torch):
    x = leaf(torch)
    names = ("output", "inputs", "saved", "needs", "hooks", "device", "seq", "edges")

    def forward(ctx, x):
        for name in names:
            setattr(ctx, name, 3)
        return x * 1

    def backward(ctx, g):
        return g * sum(getattr(ctx, name) for name in names)

    y = function(torch, forward, backward)(x)
    y.sum().backward()
    return x.grad


@programs.add
def context_and_node(torch):
    x = leaf(torch)

    def forward(ctx, x, y):
        ctx.note = "hello"
        ctx.save_for_backward(x)
        return x * 1

    y = function(torch, forward, lambda ctx, g: (g, None))(x, 3)
    node = y.grad_fn
    found = [node.note, node.needs_input_grad, node.saved_tensors[0] is x]
    y.sum().backward()
    return [*found, attempt(lambda: node.saved_tensors)]


@programs.add
def setup_context_gets_inputs_and_output(torch):
    x = leaf(torch)

    def setup(ctx, inputs, output):
        ctx.save_for_backward(*inputs, output)

    def backward(ctx, g):
        x, y = ctx.saved_tensors
        return 2 * x * g + 0 * y

    run = function(torch, lambda x: x * x, backward, setup_context=setup)
    (g,) = torch.autograd.grad(run(x).sum(), x, create_graph=True)
    return (
        g,
        torch.autograd.grad(g.sum(), x),
        torch.func.grad(lambda x: run(x).sum())(x),
    )


@programs.add
def attributes_that_are_missing_are_those_of_the_node(torch):
    class Scale(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.there = attempt(lambda: ctx.factor)
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g * ctx.factor

    y = Scale.apply(torch.ones(1, requires_grad=True))
    return [
        y.grad_fn.there, hasattr(y.grad_fn, "factor"), attempt(y.backward),
        attempt(lambda: y.grad_fn.factor),
    ]  # fmt: skip


@programs.add
def materialize_grads_is_a_bool(torch):
    class Scale(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.set_materialize_grads(0)

    return attempt(lambda: Scale.apply(torch.ones(1)))


@programs.add
def tangents_must_be_like_the_results(torch):
    def run(answer, constant=False):
        class Two(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                y, z = x * 2, x * 3
                if constant:
                    ctx.mark_non_differentiable(z)
                return y, z

            @staticmethod
            def jvp(ctx, t):
                return answer(t)

        forward_ad = torch.autograd.forward_ad
        with forward_ad.dual_level():
            x = forward_ad.make_dual(torch.ones(2), torch.ones(2))
            return [forward_ad.unpack_dual(y)[1] for y in Two.apply(x)]

    return [
        run(lambda t: (t * 2, t * 3)),
        run(lambda t: (t * 2, None), constant=True),
        attempt(lambda: run(lambda t: t)),
        attempt(lambda: run(lambda t: (t, t, t))),
        attempt(lambda: run(lambda t: (t, "a"))),
        attempt(lambda: run(lambda t: [t, t])),
        attempt(lambda: run(lambda t: (t, t.sum()))),
        attempt(lambda: run(lambda t: (t, t), constant=True)),
    ]


test_context = programs.test()


def test_context_and_node_hold_each_other_weakly():
    x = edutorch.ones(2, requires_grad=True)
    gc.disable()
    try:
        y = function(edutorch, lambda ctx, x: x * 1, lambda ctx, g: g)(x)
        node = weakref.ref(y.grad_fn)
        del y
        assert node() is None
    finally:
        gc.enable()


def test_function_has_the_name_of_its_class_in_graphs():
    class Double(edutorch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g * 2

    with GraphRecorder() as graph:
        Double.apply(edutorch.ones(2, requires_grad=True))
        names = [node["name"] for node in graph.snapshot()["nodes"]]
    assert "Double" in names
    assert "function_node" not in names
