"""Backward: order, accumulation, freeing, second derivatives, stepping."""

from __future__ import annotations

import threading

import pytest

import edutorch as torch
from edutorch.autograd import engine
from edutorch.autograd.dispatch import Op, apply2


def test_gradients_of_a_leaf_used_twice_add_up():
    x = torch.tensor(3.0, requires_grad=True)
    (x * x + x).backward()
    assert x.grad.item() == 7.0


def test_backward_twice_accumulates_and_needs_retain_graph():
    x = torch.tensor(3.0, requires_grad=True)
    y = x * x
    y.backward(retain_graph=True)
    y.backward()
    assert x.grad.item() == 12.0
    with pytest.raises(RuntimeError, match="backward through the graph a second time"):
        y.backward()


def test_graph_that_saved_nothing_may_be_walked_again():
    x = torch.tensor(3.0, requires_grad=True)
    y = x + 1
    y.backward()
    y.backward()
    assert x.grad.item() == 2.0


def test_changed_saved_input_is_noticed():
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    z = y * y
    y.add_(1)
    with pytest.raises(RuntimeError) as caught:
        z.sum().backward()
    assert str(caught.value).startswith(
        "one of the variables needed for gradient computation has been modified by an "
        "inplace operation: [torch.FloatTensor [2]], which is output 0 of Add, "
        "is at version 1; expected version 0 instead."
    )


@pytest.mark.parametrize("change", ["itself", "view", "detached"])
def test_changed_saved_output_is_noticed_however_it_was_changed(change):
    x = torch.ones(2, requires_grad=True)
    y = x.exp()
    {"itself": lambda: y, "view": lambda: y[:1], "detached": y.detach}[change]().mul_(2)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.sum().backward()


def test_second_derivative_by_create_graph():
    x = torch.tensor([2.0, 3.0], requires_grad=True)
    (g,) = torch.autograd.grad((x**3).sum(), x, create_graph=True)
    (gg,) = torch.autograd.grad(g.sum(), x)
    assert gg.tolist() == [12.0, 18.0]


def test_third_derivative_of_a_saved_output_is_right():
    x = torch.tensor(0.5, dtype=torch.float64, requires_grad=True)
    g = x.exp()
    for _ in range(3):
        (g,) = torch.autograd.grad(g, x, create_graph=True)
    assert g.item() == pytest.approx(2.718281828459045**0.5)


def test_grad_takes_middle_tensors_and_refuses_unused_inputs():
    x = torch.tensor(2.0, requires_grad=True)
    unused = torch.tensor(1.0, requires_grad=True)
    y = x * x
    z = y * 3
    gy, gx = torch.autograd.grad(z, [y, x], retain_graph=True)
    assert (gy.item(), gx.item()) == (3.0, 12.0)
    with pytest.raises(
        RuntimeError, match="appears to not have been used in the graph"
    ):
        torch.autograd.grad(z, unused, retain_graph=True)
    assert torch.autograd.grad(z, unused, allow_unused=True) == (None,)
    assert x.grad is None


def test_broadcasting_is_undone():
    x = torch.ones(3, 1, requires_grad=True)
    b = torch.ones(4, requires_grad=True)
    (x * b).sum().backward()
    assert x.grad.shape == (3, 1) and x.grad.flatten().tolist() == [4.0] * 3
    assert b.grad.tolist() == [3.0] * 4


def test_gradient_never_shares_memory_with_what_was_passed_in():
    x = torch.ones(2, requires_grad=True)
    y = torch.ones(2, requires_grad=True)
    given = torch.ones(2)
    (x + y).backward(given)
    x.grad.mul_(5)
    assert given.tolist() == [1.0, 1.0]
    assert y.grad.tolist() == [1.0, 1.0]


def test_steps_visit_every_node_and_store_gradients():
    x = torch.tensor(3.0, requires_grad=True)
    y = torch.tensor(2.0, requires_grad=True)
    loss = (x * y).exp()
    names = []
    for step in loss.backward_steps():
        names.append(step.name)
        if step.name == "MulBackward0":
            assert x.grad is None
            assert [g.item() for g in step.grad_inputs] == pytest.approx(
                [2 * 403.428793, 3 * 403.428793]
            )
    assert names == ["ExpBackward0", "MulBackward0", "AccumulateGrad", "AccumulateGrad"]
    assert x.grad is not None and y.grad is not None
    assert torch.is_grad_enabled()


def test_recording_mode_survives_an_error_in_backward():
    x = torch.ones(1, requires_grad=True)
    y = x * 2
    y.register_hook(lambda g: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        y.backward()
    assert torch.is_grad_enabled()
    (x * 3).backward()
    assert x.grad.item() == 3.0


def test_anomaly_mode_names_the_forward_line_and_the_nan():
    x = torch.tensor(-1.0, requires_grad=True)
    with torch.autograd.detect_anomaly():
        y = x.sqrt()  # the line to be named
        with pytest.raises(RuntimeError) as caught:
            y.backward()
    assert "Function 'SqrtBackward0' returned nan values in its 0th output." in str(
        caught.value
    )
    notes = "\n".join(caught.value.__notes__)
    assert "y = x.sqrt()" in notes
    assert "test_engine.py" in notes


def test_threads_have_gradients_of_their_own():
    results = {}

    def work(i):
        x = torch.tensor(float(i), requires_grad=True)
        for _ in range(50):
            x.grad = None
            (x * x * x).backward()
        results[i] = x.grad.item()

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert results == {i: 3.0 * i * i for i in range(4)}


def test_root_that_needs_no_gradient_is_refused():
    with pytest.raises(
        RuntimeError, match="element 0 of tensors does not require grad"
    ):
        torch.ones(1).backward()
    with pytest.raises(RuntimeError, match="grad can be implicitly created only for"):
        torch.ones(2, requires_grad=True).backward()


def build(seed):
    """A graph with reuse, several outputs, broadcasting, an in-place change, a view."""
    torch.manual_seed(seed)
    w = torch.randn(4, 4, requires_grad=True)
    b = torch.randn(4, requires_grad=True)
    x = (torch.randn(3, 4) @ w + b).relu()
    left, right = x.split(2, dim=1)
    x = torch.cat([left * 2, right.tanh()], 1) * x
    x[:, 0].mul_(3)
    return (x.softmax(1) * x).sum() + (w * w).sum(), (w, b)


@pytest.mark.parametrize("seed", [1, 3, 8])
def test_nodes_in_the_loop_and_in_the_slow_path_give_the_same_gradients(
    seed, monkeypatch
):
    ordinary, leaves = build(seed)
    ordinary.backward()
    ran = []
    run_slow_path = engine._run_slow_path
    monkeypatch.setattr(
        engine, "_run_slow_path", lambda *a: ran.append(a[1]) or run_slow_path(*a)
    )
    slow, others = build(seed)
    slow.backward(retain_graph=True)
    assert len(ran) > 10 and slow.grad_fn in ran
    for one, other in zip(leaves, others, strict=True):
        assert one.grad.equal(other.grad)


def test_walking_quickly_and_step_by_step_give_the_same_gradients():
    quick, leaves = build(5)
    quick.backward()
    slow, others = build(5)
    names = [step.name for step in slow.backward_steps()]
    assert names.count("AccumulateGrad") == 2
    for one, other in zip(leaves, others, strict=True):
        assert one.grad.equal(other.grad)


def test_failing_backward_leaves_what_was_saved():
    class Fails(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 1

        @staticmethod
        def backward(ctx, g):
            raise ValueError("not today")

    w = torch.ones(2, requires_grad=True)
    y = Fails.apply(w * w)
    with pytest.raises(ValueError, match="not today") as caught:
        y.sum().backward()
    assert any("Fails" in note for note in caught.value.__notes__)
    assert torch.is_grad_enabled()


def test_passes_of_two_threads_over_one_graph_ask_for_different_inputs():
    together = threading.Barrier(2, timeout=10)

    class Product(Op):
        def forward(self, x, y):
            return x * y

        def backward(self, g):
            x, y = self.inputs
            if together is not None:
                together.wait()  # both passes are here
            results = (
                g * y if self.needs[0] else None,
                g * x if self.needs[1] else None,
            )
            if together is not None:
                together.wait()  # and both have looked up what is needed
            return results

    a = torch.tensor(2.0, requires_grad=True)
    b = torch.tensor(3.0, requires_grad=True)
    product = apply2(Product(), a, b)
    found = {}

    def ask(name, leaf):
        (found[name],) = torch.autograd.grad(product, leaf, retain_graph=True)

    threads = [threading.Thread(target=ask, args=pair) for pair in (("a", a), ("b", b))]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert {name: g.item() for name, g in found.items()} == {"a": 3.0, "b": 2.0}
    together = None
    grads = torch.autograd.grad(product, (a, b))
    assert [g.item() for g in grads] == [3.0, 2.0]
