"""Views by strides, and histories told by places in the storage."""

from __future__ import annotations

import pytest

import edutorch as torch

ARANGE = torch.arange(24.0).reshape(2, 3, 4)


@pytest.mark.parametrize(
    ("view", "size", "stride", "offset", "expected"),
    [
        (lambda x: x.diagonal(), (3,), (2,), 1, [1, 3, 5]),
        (lambda x: x.as_strided((2, 2), (4, 1), 1), (3,), (2,), 1, [1, 3, 5]),
        (lambda x: x.as_strided((2, 2), (4, 1), 1), (2,), (2,), None, [1, 3]),
        (lambda x: x.unfold(2, 2, 1)[1], (2,), (2,), None, [12, 14]),
        (lambda x: x[1].T.expand(2, 4, 3), (2,), (1,), None, [12, 13]),
        (lambda x: x.diagonal().diagonal(), (2, 2), (1, 1), 3, [[3, 4], [4, 5]]),
        (lambda x: torch.view_as_real(torch.view_as_complex(x.view(-1, 2))), (2,), (3,),
         4, [4, 7]),
    ],
)  # fmt: skip
def test_as_strided_of_any_view_counts_from_the_storage(
    view, size, stride, offset, expected
):
    x = ARANGE.clone()
    found = view(x).as_strided(size, stride, offset)
    assert found.tolist() == expected
    assert found.untyped_storage() is x.untyped_storage()
    found.zero_()
    assert x.sum() == 276 - sum(set(torch.tensor(expected).flatten().tolist()))
    with pytest.raises(RuntimeError, match="out of bounds for storage of size 96"):
        view(x).as_strided((500000,), (1,))


def test_an_element_that_the_input_shows_twice_shares_its_gradient():
    x = torch.arange(3.0).reshape(3, 1).requires_grad_()
    x.expand(3, 4).as_strided((2, 2), (1, 0)).sum().backward()
    assert x.grad.tolist() == [[2], [2], [0]]


def test_gradients_of_overlapping_windows_add_up():
    x = torch.arange(4.0, dtype=torch.float64).requires_grad_()
    (gx,) = torch.autograd.grad(
        (x.as_strided((3, 2), (1, 1)) ** 2).sum(), x, create_graph=True
    )
    assert gx.tolist() == [0, 4, 8, 6]
    assert torch.autograd.grad(gx.sum(), x)[0].tolist() == [2, 4, 4, 2]

    def second(x):
        return x.expand(2, 4).as_strided((2, 3), (1, 1)).sin()

    assert torch.autograd.gradgradcheck(second, (x,))


def test_a_view_is_an_as_strided_of_its_base_once_that_has_changed():
    x = torch.arange(6.0, requires_grad=True)
    y = x.reshape(2, 3) * 2
    row = y[1]
    y.t_()  # the view stays where it was
    row.mul_(3)
    assert y.tolist() == [[0, 18], [2, 24], [4, 30]]
    assert row.grad_fn.name() == "AsStridedBackward0"
    (row.sum() + y.sum()).backward()
    assert x.grad.tolist() == [2, 2, 2, 12, 12, 12]


def test_writing_through_as_strided_has_the_gradient_of_its_place():
    x = torch.arange(6.0, requires_grad=True)
    v = torch.ones(2, requires_grad=True)
    y = (x * 1).reshape(3, 2).t()
    y.as_strided((2,), (3,), 1).copy_(v * 2)
    (y * torch.arange(6.0).reshape(2, 3)).sum().backward()
    assert x.grad.tolist() == [0, 0, 1, 4, 0, 5]
    assert v.grad.tolist() == [6, 4]


def test_writing_through_a_view_can_be_differentiated_twice():
    def written(x, v):
        y = (x * x).t()
        y.as_strided((2,), (2,), 1).copy_(v**2)
        return y * y

    x = torch.arange(6.0, dtype=torch.float64).reshape(2, 3).requires_grad_()
    v = torch.tensor([2.0, 3.0], dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(written, (x, v))
    assert torch.autograd.gradgradcheck(written, (x, v))
