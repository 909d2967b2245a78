"""What nodes keep for backward, and nothing more."""

from __future__ import annotations

import pytest

import edutorch as torch
from tests.nn.modules.layers import numbers
from tests.programs import Programs

programs = Programs(__file__)


def pair(first, second):
    make = torch.ones
    return make(2, 2, requires_grad=first), make(2, 2, requires_grad=second)


@pytest.mark.parametrize("product", [torch.mul, torch.mm])
def test_product_keeps_only_the_factors_that_a_gradient_needs(product):
    x, w = pair(False, True)
    y = product(x, w)
    assert y.grad_fn.inputs[0] is x and y.grad_fn.inputs[1] is None
    with torch.no_grad():
        w.mul_(5)  # which no gradient needs
    y.sum().backward()
    x, w = pair(True, True)
    assert all(t is not None for t in product(x, w).grad_fn.inputs)


@pytest.mark.parametrize("product", [torch.mul, torch.mm])
def test_changed_factor_is_noticed_even_if_it_had_been_changed_before(product):
    x, w = pair(True, True)
    with torch.no_grad():
        w.mul_(2)
    y = product(x, w)
    product(x, w).sum().backward()
    with torch.no_grad():
        w.mul_(3)
    with pytest.raises(RuntimeError, match="is at version 2; expected version 1"):
        y.sum().backward()


def test_linear_keeps_versions_of_what_its_gradients_need():
    x, w = pair(False, True)
    b = torch.ones(2, requires_grad=True)
    with torch.no_grad():
        x.add_(1)
    node = torch.nn.functional.linear(x, w, b).grad_fn
    assert node.inputs[0] is x and node.inputs[1] is node.inputs[2] is None
    assert node.versions == (1, 0, 0)


@pytest.mark.parametrize(
    ("decompose", "name"),
    [(torch.linalg.qr, "LinalgQr"), (torch.linalg.svd, "LinalgSvd"),
     (torch.linalg.eigh, "LinalgEigh"), (torch.linalg.lu_factor, "LinalgLuFactorEx")],
)  # fmt: skip
def test_changed_factor_of_a_decomposition_is_refused_by_its_number(decompose, name):
    x = torch.eye(3, requires_grad=True)
    factors = decompose(x.clone())
    with torch.no_grad():
        factors[1].zero_()
    words = f"which is output 1 of {name}, is at version 1; expected version 0"
    if name == "LinalgLuFactorEx":  # the pivots have no history
        words = "is at version 1; expected version 0"
    with pytest.raises(RuntimeError, match=words):
        factors[0].sum().backward()


@programs.add
def operands_that_no_gradient_needs_may_change(torch):
    return {case: changed(torch, *case) for case in CASES}


def changed(torch, product, operand):
    """Gradients of a product of which an operand changes before backward.

    Operands with a capital letter require a gradient.
    """
    sizes = {"x": (4, 3), "s": (2, 4, 3), "w": (5, 3), "b": (5,), "v": (3,)}
    names = {"torch": torch, "linear": torch.nn.functional.linear}
    for seed, (name, size) in enumerate(sizes.items()):
        names[name] = numbers(torch, *size, seed=seed)
        names[name.upper()] = names[name].clone().requires_grad_()
    y = eval(product, names)
    with torch.no_grad():
        names[operand].add_(1)
    y.sum().backward()
    return [names[name.upper()].grad for name in sizes]


CASES = [
    ("linear(X, W, B)", "B"),
    ("linear(x, W, B)", "W"),
    ("linear(X, w, B)", "B"),
    ("linear(X, w, B)", "X"),
    ("linear(S, W, B)", "B"),
    ("linear(s, W)", "W"),
    ("x @ V", "V"),
    ("X @ v", "X"),
    ("v @ V", "V"),
    ("s @ V", "V"),
    ("S @ v", "S"),
    ("s @ W.T", "W"),
    ("S @ w.T", "S"),
    ("V @ s.mT", "V"),
    ("v @ S.mT", "S"),
    ("x @ S.mT", "S"),
    ("X @ s.mT", "X"),
    ("torch.vdot(V, v)", "V"),
    ("torch.vdot(v, V)", "V"),
    ("torch.outer(V, b)", "V"),
    ("torch.outer(b, V)", "V"),
]

test_saved_values = programs.test()


def test_quotient_keeps_its_divisor_for_the_dividend():
    x, w = pair(True, False)
    assert (x / w).grad_fn.inputs[1] is w


def test_sum_keeps_nothing_of_its_operand():
    x, _ = pair(True, False)
    assert x.sum().grad_fn.inputs is None


def table(x):
    return torch.nn.functional, x, torch.tensor([2, 0, 1])


INDEXED = {
    "nll_loss": lambda f, x, i: (f.nll_loss(x, i), i),
    "cross_entropy": lambda f, x, i: (f.cross_entropy(x, i), i),
    "ignored": lambda f, x, i: (f.cross_entropy(x, i, ignore_index=1), i),
    "images": lambda f, x, i: (f.nll_loss(x.T[None], i[None]), i),
    "embedding": lambda f, x, i: (f.embedding(i, x), i),
    "embedding_bag": lambda f, x, i: (f.embedding_bag(i[None], x), i),
    "multi_margin": lambda f, x, i: (f.multi_margin_loss(x, i), i),
    "multilabel_margin": lambda f, x, i: (f.multilabel_margin_loss(x[0], i), i),
    "ctc": lambda f, x, i: (f.ctc_loss(x.log_softmax(1), i[:1], (3,), (1,)), i),
    "unpool": lambda f, x, i: (f.max_unpool1d(x[:1], i[None], 2), i),
    "put": lambda f, x, i: ((x * 1).put_(i, x[0]), i),
    "max_pool": lambda f, x, i: f.max_pool1d(x[None], 2, return_indices=True),
    "adaptive": lambda f, x, i: f.adaptive_max_pool1d(x[None], 2, return_indices=True),
    "sort": lambda f, x, i: x.sort(0),
    "topk": lambda f, x, i: x.topk(2),
    "max": lambda f, x, i: x.max(0),
    "median": lambda f, x, i: x.median(0),
    "mode": lambda f, x, i: x.mode(),
    "cummax": lambda f, x, i: x.cummax(0),
}  # fmt: skip


@pytest.mark.parametrize("case", INDEXED.values(), ids=INDEXED)
def test_indices_and_labels_changed_before_backward_are_noticed(case):
    x = torch.linspace(-1, 1, 9).reshape(3, 3).requires_grad_()
    y, index = case(*table(x))
    y.sum().backward(retain_graph=True)
    index.zero_()
    with pytest.raises(RuntimeError, match=r"\[torch.LongTensor \[.*is at version 1"):
        y.sum().backward()


def test_an_index_that_is_a_copy_may_change():
    x = torch.linspace(-1, 1, 9).reshape(3, 3).requires_grad_()
    index = torch.tensor([[2, 0, 1]])
    y = x.take_along_dim(index, 0)
    index.zero_()
    y.sum().backward()
    assert x.grad.tolist() == [[0, 1, 0], [0, 0, 1], [1, 0, 0]]
