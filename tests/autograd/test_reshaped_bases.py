"""Gradients of views whose base was changed in shape, in place, since they were made.

They are those of the same program that makes another view of the base instead, and
PyTorch's where it is installed.
"""

from __future__ import annotations

import pytest

import edutorch
from tests.answers import oracle

VIEWS = {
    "imag": lambda lib, b: b.imag,
    "real": lambda lib, b: b.real,
    "conj": lambda lib, b: b.conj(),
    "view_as_real": lambda lib, b: lib.view_as_real(b),
    "view(dtype)": lambda lib, b: b.view(lib.float32),
    "transpose": lambda lib, b: b.transpose(0, 1),
    "select": lambda lib, b: b[0],
    "slice": lambda lib, b: b[:, 1:],
    "diagonal": lambda lib, b: b.diagonal(),
    "conj.imag": lambda lib, b: b.conj().imag,
    "select.imag": lambda lib, b: b[0].imag,
    "mH": lambda lib, b: b.mH,
    "t.real": lambda lib, b: b.t().real,
    "as complex again": lambda lib, b: lib.view_as_complex(lib.view_as_real(b)[:, 1:]),
}
# For each change the method without the final `_`, and its arguments.
CHANGES = {
    "unsqueeze_(0)": ("unsqueeze", 0),
    "unsqueeze_(-1)": ("unsqueeze", -1),
    "squeeze_(0)": ("squeeze", 0),
    "t_()": ("t",),
    "transpose_(0, 1)": ("transpose", 0, 1),
    "as_strided_((3, 1), (1, 1))": ("as_strided", (3, 1), (1, 1)),
    "as_strided_((3, 2), (1, 3))": ("as_strided", (3, 2), (1, 3)),
}
WRITES = {
    "mul_": lambda v, w: v[..., 0].mul_(w),
    "copy_": lambda v, w: v[..., 0].copy_(w),
    "add_": lambda v, w: v[..., 1:].add_(w),
    "mul_ all": lambda v, w: v.mul_(w),
    "none": lambda v, w: None,
}
# PyTorch makes a view of the whole base as something else again in the new shape of the
# base. Then it refuses the gradient of the view in the old one, and that of a change of
# all of the view is refused or wrong.
WHOLE = ("conj", "view_as_real")


def loss(lib, t):
    """A real number to which every component contributes differently."""
    t = lib.view_as_real(t.resolve_conj()) if t.is_complex() else t
    return (t.reshape(-1) * lib.arange(1.0, 1 + t.numel())).sum()


def gradients(lib, view, change, write, *, in_place=True):
    """The values afterwards, and gradients of the base's loss and of the view's."""
    method, *args = change
    few = method == "squeeze" or args[:1] == [(3, 1)]
    shape = (1, 3) if few else (2, 3)
    n = shape[0] * shape[1]
    real, imag = lib.arange(float(n)), lib.arange(1.0, n + 1)
    x = lib.complex(real, imag).reshape(shape).requires_grad_()
    w = lib.tensor(2.0, requires_grad=True)
    b = x * 1
    v = view(lib, b)
    if in_place:
        getattr(b, f"{method}_")(*args)
    write(v, w)
    seen = b if in_place else getattr(b, method)(*args)
    told = [seen.tolist(), v.tolist()]
    for t in (seen, v):
        try:
            found = lib.autograd.grad(
                loss(lib, t), (x, w), retain_graph=True, allow_unused=True
            )
            told.append([g is not None and g.tolist() for g in found])
        except RuntimeError as error:
            told.append(str(error))
    return told


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("view", VIEWS)
def test_views_keep_their_gradients_when_the_base_changes_its_shape(view, change):
    for name, write in WRITES.items():
        program = VIEWS[view], CHANGES[change], write
        told = gradients(edutorch, *program)
        assert told == gradients(edutorch, *program, in_place=False)
        if oracle() is None or (view in WHOLE and name == "mul_ all"):
            continue
        reference = gradients(oracle(), *program)
        if view in WHOLE and "returned an invalid gradient at" in reference[3]:
            reference[3] = told[3]
        assert told == reference


def test_parts_of_complex_numbers_are_found_in_a_base_with_another_shape():
    x = edutorch.tensor([[1 + 2j, 3 + 4j]], requires_grad=True)
    b = x * 1
    v = b.imag
    b.unsqueeze_(0)
    v[..., 0].mul_(3)
    (g,) = edutorch.autograd.grad(edutorch.view_as_real(b).sum() + v.sum(), x)
    assert b.tolist() == [[[1 + 6j, 3 + 4j]]]
    assert g.tolist() == [[1 + 6j, 1 + 2j]]


@pytest.mark.parametrize("view", ["imag", "conj.imag", "select.imag", "mH", "t.real"])
def test_writing_to_such_views_can_be_differentiated_twice(view):
    def function(pairs, value):
        b = edutorch.view_as_complex(pairs * pairs) * 1  # not a view
        v = VIEWS[view](edutorch, b)
        b.t_()
        v[..., 0].mul_(value)
        b = b.resolve_conj()
        return edutorch.view_as_real(b * b)

    pairs = edutorch.arange(1.0, 13).reshape(2, 3, 2).double() / 5
    value = edutorch.tensor(0.7, dtype=edutorch.float64, requires_grad=True)
    assert edutorch.autograd.gradcheck(function, (pairs.requires_grad_(), value))
    assert edutorch.autograd.gradgradcheck(function, (pairs, value))


def test_infinite_gradients_outside_a_view_stay_and_inside_disappear():
    x = edutorch.ones(2, dtype=edutorch.complex64, requires_grad=True)
    b = x * 1
    b.imag.fill_(2)
    infinite = edutorch.full((2,), complex(1, float("inf")))
    (g,) = edutorch.autograd.grad(b, x, infinite, create_graph=True)
    assert g.tolist() == [1, 1]


def test_a_view_that_begins_before_its_base_has_no_place_in_the_gradient():
    x = edutorch.ones(2, 3, requires_grad=True)
    for view in (lambda b: b[0], lambda b: b[:, :2]):
        b = x * 1
        v = view(b)
        b.as_strided_((2,), (1,), 1)
        v.mul_(2)
        with pytest.raises(RuntimeError, match="invalid storage offset -1"):
            b.sum().backward()
