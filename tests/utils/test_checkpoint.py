"""Checkpointed functions give the gradients of plain ones, as in PyTorch."""

from __future__ import annotations

import gc
import weakref

import pytest

import edutorch
from tests.programs import Programs, attempt, warned

programs = Programs(__file__)


def tool(torch):
    import importlib

    return importlib.import_module(f"{torch.__name__}.utils.checkpoint")


def block(torch):
    return lambda x: (x.exp() * x).sin().sigmoid()


def leaf(torch, n=3):
    return torch.linspace(0.1, 1, n).requires_grad_()


@programs.add
def gradients_of_both_kinds(torch):
    found = []
    for reentrant in (True, False):
        x = leaf(torch)
        y = tool(torch).checkpoint(block(torch), x, use_reentrant=reentrant)
        (y * 2).sum().backward()
        found += [y.detach(), y.grad_fn.name(), x.grad]
    return found


@programs.add
def one_inside_the_other(torch):
    checkpoint = tool(torch).checkpoint
    x = leaf(torch)

    def inner(x):
        return x.exp() * x.sin()

    def outer(x):
        y = checkpoint(inner, x * 2, use_reentrant=False)
        return checkpoint(inner, y.tanh(), use_reentrant=False) + x.exp()

    checkpoint(outer, x, use_reentrant=False).sum().backward()
    return x.grad


@programs.add
def second_derivatives_without_reentrance(torch):
    x = leaf(torch)
    y = tool(torch).checkpoint(block(torch), x, use_reentrant=False)
    (g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    return g, torch.autograd.grad(g.sum(), x)


@programs.add
def a_retained_graph_is_computed_again_for_each_backward(torch):
    x, runs = leaf(torch), []

    def run(x):
        runs.append(1)
        return block(torch)(x)

    y = tool(torch).checkpoint(run, x, use_reentrant=False).sum()
    y.backward(retain_graph=True)
    y.backward()
    return x.grad, len(runs)


@programs.add
def keyword_arguments_and_several_results(torch):
    x, scale = leaf(torch), leaf(torch)

    def run(x, *, scale):
        return x * scale, (x.exp() * scale).sum()

    a, b = tool(torch).checkpoint(run, x, scale=scale, use_reentrant=False)
    (a.sum() + b).backward()
    return x.grad, scale.grad


@programs.add
def the_same_random_numbers_come_again(torch):
    found = []
    for reentrant in (True, False):
        torch.manual_seed(3)
        x = leaf(torch, 20)
        run = lambda x: torch.nn.functional.dropout(x, 0.5).exp()
        y = tool(torch).checkpoint(run, x, use_reentrant=reentrant)
        y.sum().backward()
        found += [y.detach(), x.grad, torch.rand(2)]
    return found


@programs.add
def parts_of_a_row(torch):
    steps = [torch.sin, torch.exp, torch.cos, torch.sigmoid, torch.tanh]
    sequential = tool(torch).checkpoint_sequential
    found = []
    for reentrant in (True, False):
        x = leaf(torch)
        y = sequential(steps, 2, x, use_reentrant=reentrant)
        y.sum().backward()
        found += [y.detach(), x.grad]
    x = leaf(torch)
    wrong = attempt(lambda: sequential(steps, 2, x, use_reentrant=False, foo=1))
    too_many = attempt(lambda: sequential(steps, 9, x, use_reentrant=False))
    return found, wrong, too_many


def changing(torch, first, then, **options):
    """What backward says when a function does something else the second time."""
    runs = []

    def run(x):
        runs.append(1)
        return (first if len(runs) == 1 else then)(x)

    x = leaf(torch)
    y = tool(torch).checkpoint(run, x, use_reentrant=False, **options)
    return attempt(lambda: y.sum().backward())


@programs.add
def a_function_that_changes_is_found_out(torch):
    two, one = (lambda x: x.exp().sin()), (lambda x: x.exp())
    small = lambda x: x[:2].exp().sin()
    return [
        changing(torch, two, one),
        changing(torch, one, two, early_stop=False),
        changing(torch, two, small),
    ]


@programs.add
def misuse_is_refused(torch):
    checkpoint, x = tool(torch).checkpoint, leaf(torch)
    detached = checkpoint(lambda x: x.detach(), x, use_reentrant=True)
    y = checkpoint(torch.exp, x, use_reentrant=True).sum()
    return [
        attempt(lambda: checkpoint(torch.exp, x, use_reentrant=True, foo=1)),
        attempt(lambda: checkpoint(torch.exp, x, use_reentrant=True, debug=True)),
        attempt(
            lambda: checkpoint(torch.exp, x, use_reentrant=False, determinism_check="x")
        ),
        attempt(lambda: torch.autograd.grad(y, x)),
        attempt(lambda: detached.sum().backward()),
        attempt(lambda: tool(torch).detach_variable(x)),
    ]


@programs.add
def warnings_of_the_reentrant_kind(torch):
    plain = torch.ones(2)
    checkpoint = tool(torch).checkpoint
    return warned(lambda: checkpoint(torch.exp, plain, use_reentrant=True))


@programs.add
def contexts_surround_each_run(torch):
    import contextlib

    seen = []

    @contextlib.contextmanager
    def around(name):
        seen.append(name)
        yield
        seen.append(f"end of {name}")

    x = leaf(torch)
    pair = lambda: (around("forward"), around("again"))
    y = tool(torch).checkpoint(
        torch.sin, x, use_reentrant=False, context_fn=pair, early_stop=False
    )
    y.sum().backward()
    return seen


@programs.add
def a_whole_module(torch):
    torch.manual_seed(0)
    net = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.Tanh())
    x = torch.ones(2, 4)
    y = tool(torch).checkpoint(net, x, use_reentrant=False)
    y.sum().backward()
    return [p.grad for p in net.parameters()]


@programs.add
def debugging_excludes_contexts_of_the_program(torch):
    x = torch.ones(2, requires_grad=True)
    checkpoint = torch.utils.checkpoint.checkpoint
    contexts = {"context_fn": lambda: (torch.no_grad(), torch.no_grad())}

    def run(**options):
        return checkpoint(torch.exp, x, use_reentrant=False, **contexts, **options)

    found = [attempt(lambda: run(debug=True))]
    with torch.utils.checkpoint.set_checkpoint_debug_enabled(True):
        found.append(attempt(run))
    return found


@programs.add
def one_node_checkpoints_inputs_that_hooks_pack(torch):
    x = torch.ones(2, requires_grad=True)
    with torch.autograd.graph.save_on_cpu():
        y = torch.utils.checkpoint.checkpoint(torch.exp, x, use_reentrant=True)
    y.sum().backward()
    return x.grad


@programs.add
def tensors_in_a_list_get_no_history_from_one_node(torch):
    x = torch.ones(2, requires_grad=True)
    run = torch.utils.checkpoint.checkpoint
    y, three = run(lambda x: [x * 2, 3], x, use_reentrant=True)
    z, _ = run(lambda x: [x * 2, 3], x, use_reentrant=False)
    return [y.requires_grad, three, z.requires_grad]


test_checkpoint = programs.test()


def test_nothing_in_between_is_kept_until_backward():
    seen = []

    def run(x):
        y = x.exp()
        seen.append(weakref.ref(y))
        return y.sin()

    x = edutorch.ones(3, requires_grad=True)
    z = edutorch.utils.checkpoint.checkpoint(run, x, use_reentrant=False)
    gc.collect()
    assert seen[0]() is None
    z.sum().backward()
    assert x.grad is not None


def test_early_stop_ends_the_second_run():
    ends = []

    def run(x):
        y = x.exp()
        ends.append(1)
        return y

    checkpoint = edutorch.utils.checkpoint
    for stop, expected in ((True, 1), (False, 2)):
        x = edutorch.ones(2, requires_grad=True)
        ends.clear()
        with checkpoint.set_checkpoint_early_stop(stop):
            y = checkpoint.checkpoint(run, x, use_reentrant=False)
        y.sum().backward()
        assert len(ends) == expected


def test_debug_lists_what_was_saved():
    from edutorch.utils.checkpoint import CheckpointError, set_checkpoint_debug_enabled

    runs = []

    def run(x):
        runs.append(1)
        return x.exp().sin() if len(runs) == 1 else x.exp()

    x = edutorch.ones(2, requires_grad=True)
    with set_checkpoint_debug_enabled(True):
        y = edutorch.utils.checkpoint.checkpoint(run, x, use_reentrant=False)
    with pytest.raises(CheckpointError, match="saved this time"):
        y.sum().backward()
