from __future__ import annotations

import pytest

import edutorch as torch
from edutorch.course import check
from tests.course.mistakes import each_is_named
from tests.course.solutions import ch02

SOLUTIONS = {
    "02.1": (ch02.mul_backward, ch02.exp_backward),
    "02.2": ch02.order,
    "02.3": ch02.backward,
    "02.4": ch02.descend,
    "02.5": ch02.td_loss,
}


@pytest.mark.parametrize("number", SOLUTIONS)
def test_check_of_the_solution_passes(number):
    assert check(number, SOLUTIONS[number]).points > 0


def forgot_g(g, a, b):
    return b, a


def forgot_g_of_exp(g, y):
    return y


def nothing(root):
    return None


def a_constant(v, r, v_next):
    return 6.0


def from_the_root(root):
    return ch02.order(root)[::-1]


def once_per_path(root):
    nodes = [node for x in root.inputs for node in once_per_path(x)]
    return [*nodes, root]


def first_input_only(root):
    return [*first_input_only(root.inputs[0]), root] if root.inputs else [root]


def when_first_seen(root):
    """Depth first, each node before its inputs: right for a chain only."""
    nodes = []

    def visit(node):
        if node not in nodes:
            nodes.append(node)
            for x in node.inputs:
                visit(x)

    visit(root)
    return nodes[::-1]


def replacing(root):
    root.grad = 1.0
    for node in reversed(ch02.order(root)):
        for x, slope in zip(node.inputs, node.local, strict=True):
            x.grad = node.grad * slope


def unseeded(root):
    for node in reversed(ch02.order(root)):
        for x, slope in zip(node.inputs, node.local, strict=True):
            x.grad += node.grad * slope


def slopes_only(root):
    root.grad = 1.0
    for node in reversed(ch02.order(root)):
        for x, slope in zip(node.inputs, node.local, strict=True):
            x.grad += slope


def piled_up(w, steps, lr):
    for _ in range(steps):
        ((2 * w - 8) ** 2).backward()
        with torch.no_grad():
            w -= lr * w.grad


def uphill(w, steps, lr):
    ch02.descend(w, steps, -lr)


def new_tensor(w, steps, lr):
    for _ in range(steps):
        w = (w - lr * 8 * (w - 4)).detach()


def recorded(w, steps, lr):
    ((2 * w - 8) ** 2).backward()
    w -= lr * w.grad


def no_detach(v, r, v_next):
    return (v - (r + 0.9 * v_next)) ** 2


def all_detached(v, r, v_next):
    return no_detach(v.detach(), r, v_next)


def no_square(v, r, v_next):
    return v - (r + 0.9 * v_next).detach()


WRONG = [
    ("02.1", ch02.mul_backward, "expects 2 things"),
    ("02.1", (forgot_g, ch02.exp_backward), "incoming gradient"),
    ("02.1", (lambda g, a, b: (g * a, g * b), ch02.exp_backward), "OTHER factor"),
    ("02.1", (ch02.mul_backward, forgot_g_of_exp), "incoming gradient"),
    ("02.2", from_the_root, "reverse it"),
    ("02.2", once_per_path, "more than once"),
    ("02.2", first_input_only, "ALL inputs"),
    ("02.2", when_first_seen, "after its inputs are listed"),
    ("02.2", nothing, "is a return missing"),
    ("02.3", replacing, "= for +="),
    ("02.3", unseeded, "set the root's to 1 first"),
    ("02.3", slopes_only, "user's gradient"),
    ("02.4", piled_up, "was not reset"),
    ("02.4", uphill, "uphill"),
    ("02.4", new_tensor, "never moved"),
    ("02.4", recorded, "RuntimeError"),
    ("02.5", no_detach, "missing detach"),
    ("02.5", all_detached, "too much was detached"),
    ("02.5", no_square, "square"),
    ("02.5", a_constant, "the value is not right"),
]

test_check_of_a_known_mistake_names_it = each_is_named(WRONG)
