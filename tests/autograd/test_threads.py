"""Backward in several threads, on their own graphs and on a shared one."""

from __future__ import annotations

import sys
import threading

import pytest

import edutorch as torch


def in_threads(work, count=6):
    """Run `work(i)` in threads that start together; their exceptions are raised."""
    errors = []
    start = threading.Barrier(count)

    def run(i):
        try:
            start.wait()
            work(i)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(i,)) for i in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


def test_graphs_of_their_own_over_shared_parameters():
    w = torch.ones(8, requires_grad=True)

    def work(i):
        for _ in range(20):
            (g,) = torch.autograd.grad(((w * (i + 1)).tanh().exp() * w).sum(), w)
            x = torch.full((8,), float(i + 1))
            y = ((w * x).tanh().exp() * w).sum()
            assert torch.equal(torch.autograd.grad(y, w)[0], g)

    in_threads(work)


def test_a_shared_graph_that_is_retained():
    x = torch.linspace(0, 1, 16).requires_grad_()
    y = (x.exp() * x.sin()).cumsum(0).sum()
    (right,) = torch.autograd.grad(y, x, retain_graph=True)

    def work(i):
        for _ in range(20):
            (g,) = torch.autograd.grad(y, x, retain_graph=True)
            assert torch.equal(g, right)

    in_threads(work)


def test_a_shared_graph_with_create_graph():
    x = torch.linspace(0, 1, 8).requires_grad_()
    y = (x**3 * x.sin()).sum()
    (first,) = torch.autograd.grad(y, x, create_graph=True)
    (right,) = torch.autograd.grad(first.sum(), x, retain_graph=True)

    def work(i):
        for _ in range(10):
            (g,) = torch.autograd.grad(first.sum(), x, retain_graph=True)
            assert torch.allclose(g, right)

    in_threads(work)


def test_accumulation_into_leaves_of_their_own():
    leaves = [torch.ones(4, requires_grad=True) for _ in range(6)]
    shared = torch.full((4,), 2.0)

    def work(i):
        for _ in range(25):
            (leaves[i] * shared).sum().backward()

    in_threads(work)
    assert all(leaf.grad.tolist() == [50.0] * 4 for leaf in leaves)


def test_modes_and_hooks_belong_to_their_thread():
    def work(i):
        x = torch.ones(2, requires_grad=True)
        for _ in range(20):
            if i % 3 == 0:
                with torch.no_grad():
                    assert not (x * 2).requires_grad
            elif i % 3 == 1:
                seen = []
                with torch.autograd.graph.saved_tensors_hooks(
                    lambda t, seen=seen: (seen.append(1), t)[1], lambda t: t
                ):
                    x.exp()
                assert seen == [1]
            else:
                torch.vmap(torch.func.grad(lambda v: (v**2).sum()))(torch.ones(3, 2))
            assert (x * 2).requires_grad

    in_threads(work)


def test_an_error_in_one_thread_does_no_harm_to_others():
    class Broken(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 1

        @staticmethod
        def backward(ctx, g):
            raise ValueError("on purpose")

    def work(i):
        x = torch.ones(2, requires_grad=True)
        for _ in range(20):
            x.grad = None
            if i % 2:
                with pytest.raises(ValueError, match="on purpose"):
                    Broken.apply(x * 2).sum().backward()
            else:
                (x * 3).sum().backward()
                assert x.grad.tolist() == [3.0, 3.0]

    in_threads(work)


@pytest.fixture
def impatient():
    """Threads that take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def test_passes_of_first_and_second_order_over_one_retained_graph(impatient):
    x = torch.linspace(0.1, 1, 8, dtype=torch.float64).requires_grad_()
    y = (x.exp() * x.sin() / (x + 2)).tanh().sum()
    (first,) = torch.autograd.grad(y, x, create_graph=True)
    (right,) = torch.autograd.grad(first.sum(), x, retain_graph=True)

    def work(i):
        for _ in range(60):
            (g,) = torch.autograd.grad(y, x, retain_graph=True, create_graph=i % 2)
            assert torch.equal(g, first)
            if i % 2:
                (h,) = torch.autograd.grad(g.sum(), x, retain_graph=True)
                assert torch.equal(h, right)

    in_threads(work, 4)
    (g,) = torch.autograd.grad(y, x, create_graph=True)
    assert torch.equal(torch.autograd.grad(g.sum(), x)[0], right)


def test_changes_are_noticed_after_passes_of_several_threads(impatient):
    x = torch.linspace(0.1, 1, 8).requires_grad_()
    a = x.cos()
    y = ((a * 2) * a * x.sin()).sum()

    def work(i):
        for _ in range(60):
            torch.autograd.grad(y, x, retain_graph=True)

    in_threads(work, 4)
    a.detach().zero_()
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        torch.autograd.grad(y, x, retain_graph=True)


def test_a_pass_that_frees_a_graph_beside_passes_that_retain_it(impatient):
    x = torch.linspace(0.1, 1, 8).requires_grad_()
    for _ in range(40):
        y = (x.exp() * x.sin() / (x + 2)).tanh().sum()
        (right,) = torch.autograd.grad(y, x, retain_graph=True)

        def work(i, y=y, right=right):
            try:
                (g,) = torch.autograd.grad(y, x, retain_graph=i > 0)
            except RuntimeError as error:
                if "second time" not in str(error):
                    raise
            else:
                assert torch.equal(g, right)

        in_threads(work, 3)
