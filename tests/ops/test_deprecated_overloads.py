"""Deprecated signatures from PyTorch's first versions, and their warnings."""

import warnings

import pytest

import edutorch
from edutorch.ops.deprecated_overloads import reordered
from tests import oracle

torch = edutorch

v = torch.tensor([1.0, 2.0])
m = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
b = m[None]

CALLS = [
    (lambda: torch.add(v, 3, v), lambda: torch.add(v, v, alpha=3)),
    (lambda: v.clone().add_(-0.1, v), lambda: torch.add(v, v, alpha=-0.1)),
    (lambda: v.sub(3, v), lambda: torch.sub(v, v, alpha=3)),
    (lambda: torch.add(v, 3, 2), lambda: torch.add(v, 2, alpha=3)),
    (lambda: torch.add(1, 3, v), lambda: torch.add(1, v, alpha=3)),
    (lambda: v.clone().sub_(3, 2), lambda: torch.sub(v, 2, alpha=3)),
    (lambda: v.addcmul(3, v, v), lambda: torch.addcmul(v, v, v, value=3)),
    (lambda: v.clone().addcdiv_(3, v, v), lambda: torch.addcdiv(v, v, v, value=3)),
    (lambda: torch.addmm(3, m, m, m), lambda: torch.addmm(m, m, m, beta=3)),
    (lambda: m.addmm(3, 2, m, m), lambda: torch.addmm(m, m, m, beta=3, alpha=2)),
    (lambda: m.addmm(torch.tensor(3), m, m), lambda: torch.addmm(m, m, m, beta=3)),
    (lambda: torch.add(v, torch.tensor(3), v), lambda: torch.add(v, v, alpha=3)),
    (lambda: torch.addmv(3, v, m, v), lambda: torch.addmv(v, m, v, beta=3)),
    (lambda: m.addr(3, 2, v, v), lambda: torch.addr(m, v, v, beta=3, alpha=2)),
    (lambda: torch.baddbmm(3, b, b, b), lambda: torch.baddbmm(b, b, b, beta=3)),
    (
        lambda: torch.addbmm(3, m, 2, b, b),
        lambda: torch.addbmm(m, b, b, beta=3, alpha=2),
    ),
]


@pytest.mark.parametrize("case", range(len(CALLS)))
def test_old_order_warns_and_means_the_new(case):
    old, new = CALLS[case]
    with pytest.warns(UserWarning, match=r"This overload of \w+ is deprecated:"):
        assert old().equal(new())


@pytest.mark.parametrize(
    "given", [(v, v, v), (1, 2, 3), (v, 1, "a", v), (torch.tensor(1), v, v)]
)
def test_reordered_refuses_what_was_never_a_signature(given):
    with pytest.raises(TypeError, match="positional arguments but"):
        reordered("add", *given, names=("alpha",))


def test_too_many_tensors_are_refused():
    with pytest.raises(TypeError, match=r"add\(\) takes 2 positional arguments but 3"):
        torch.add(v, v, v)


@pytest.mark.parametrize("function", [torch.add, torch.sub, torch.rsub])
def test_boolean_alpha_is_refused(function):
    with pytest.raises(RuntimeError, match="Boolean alpha only supported for Boolean"):
        function(v, v, alpha=True)


def test_negative_alpha_of_bytes_is_counted_from_256():
    x = torch.ones(2, dtype=torch.uint8)
    assert torch.add(x, x, alpha=-3).tolist() == [254, 254]
    assert torch.sub(x, x, alpha=-3).tolist() == [4, 4]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ("x.T", "Consider `x.mT` to transpose batches"),
        ("x[0, 0, 0].T", "Tensor.T is deprecated on 0-D tensors"),
        ("torch.meshgrid(x[0, 0], x[0, 0])", "required to pass the indexing argument"),
        ("torch.cross(x, x)", "without specifying the dim arg is deprecated"),
        ("torch.qr(x)", "deprecated in favor of torch.linalg.qr"),
    ],
)
def test_deprecated_forms_warn_in_the_words_of_pytorch(call, words):
    texts = []
    for library in (edutorch, oracle.torch):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            eval(call, {"torch": library, "x": library.ones(2, 3, 3)})
        texts.append([str(w.message).partition(" (Triggered")[0] for w in caught])
    assert len(texts[0]) == 1 and words in texts[0][0]
    assert texts[1] in ([], texts[0])  # PyTorch says it once


def test_squares_and_calls_that_say_all_do_not_warn():
    x = edutorch.ones(3, 3)
    edutorch.cross(x.T, x, dim=0)
    edutorch.meshgrid(x[0], x[0], indexing="ij")
