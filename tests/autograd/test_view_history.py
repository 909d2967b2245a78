"""Views by strides, and histories identified by positions in the storage."""

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


def test_a_view_that_changes_its_shape_has_pytorchs_node():
    for change, node in (
        (lambda x: x.t_(), "TBackward1"),
        (lambda x: x.unsqueeze_(0), "UnsqueezeBackward1"),
        (lambda x: x.squeeze_(0), "SqueezeBackward4"),
        (lambda x: x.as_strided_((2,), (1,)), "AsStridedBackward1"),
    ):
        for base in (torch.ones(1, 3, requires_grad=True) * 1,
                     (torch.ones(2, 3, requires_grad=True) * 1)[:1]):  # fmt: skip
            assert change(base).grad_fn.name() == node


def test_a_change_without_a_graph_makes_views_anew_when_they_are_used():
    p = torch.ones(3, requires_grad=True)
    view, part = p[:2], p.unbind()[0]
    with torch.no_grad():
        early = p[:2]
        assert early.requires_grad  # as its base does
        p.mul_(2)
        assert (part * 2).item() == 4
    assert view.grad_fn.name() == "AsStridedBackward0"
    view.sum().backward()
    assert p.grad.tolist() == [1, 1, 0]
    for late, message in ((part, "Output 0 of Unbind is a view and its base"),
                          (early, "A view was created in no_grad mode and its")):  # fmt: skip
        with pytest.raises(RuntimeError, match=message):
            late * 2


def test_a_tensor_set_to_other_memory_has_no_derivative():
    x = torch.ones(2, requires_grad=True) * 1
    y = torch.zeros(3)
    x.set_(y)
    assert (x._version, y._version, x.data_ptr()) == (1, 0, y.data_ptr())
    with pytest.raises(RuntimeError, match="derivative for set_ is not implemented"):
        x.sum().backward()


def test_a_view_set_to_other_memory_has_no_derivative_in_its_base():
    x = torch.ones(4, requires_grad=True) * 1
    part = x[1:].set_(torch.zeros(2))
    for y in (x, part, part.fill_(2)):
        with pytest.raises(RuntimeError, match="derivative for set_ is not implem"):
            y.sum().backward(retain_graph=True)


def test_views_of_a_tensor_that_was_set_have_a_base_that_was_changed():
    x = torch.ones(2, 2, requires_grad=True) * 1
    row = x.unbind()[0]
    x.set_(x.untyped_storage(), 0, (1,), (1,))
    assert row._version == x._version == 1
    with pytest.raises(RuntimeError, match="its base or another view of its base"):
        row * 2


def test_a_result_saved_by_a_change_of_a_view_is_watched():
    x = torch.ones(3, requires_grad=True) * 1
    v = x[1:].exp_()
    v.add_(1)
    with pytest.raises(
        RuntimeError, match="output 0 of Exp, is at version 2; expected"
    ):
        v.sum().backward()


def test_memory_read_as_another_type_is_no_view():
    x = torch.ones(2, requires_grad=True) * 1
    bits = x.view(torch.int32)
    assert not bits._is_view() and bits.data_ptr() == x.data_ptr()
    bits.zero_()
    assert x.tolist() == [0, 0] and x._version == 1


def test_an_error_names_the_node_of_a_changed_view_while_there_is_one():
    x = torch.ones(3, requires_grad=True) * 1
    v = x[1:].exp_()
    x.add_(1)
    with pytest.raises(RuntimeError, match="output 0 of AsStrided, is at version 2"):
        x.sum().backward()
    v.sum()
    with pytest.raises(RuntimeError, match="output 0 of Exp, is at version 2"):
        x.sum().backward()


def test_a_view_beyond_its_base_has_no_place_in_the_gradient():
    x = torch.ones(2, 3, requires_grad=True)
    b = x.clone()
    v = b[1:]
    b.as_strided_((2, 2), (2, 1), 1)
    v.mul_(2)
    with pytest.raises(
        RuntimeError, match=r"sizes \[1, 3\], strides \[3, 1\], storage offset 2, .*"
        "storage size of 20 are out of bounds for storage of size 16",
    ):  # fmt: skip
        b.sum().backward()


def test_a_leaf_that_collects_gradients_is_not_set_to_other_memory():
    x = torch.ones(2, requires_grad=True)
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad is"):
        x.set_(torch.zeros(2))
    with torch.no_grad():
        assert x.set_(torch.zeros(2)).tolist() == [0, 0]
    y = x * 1
    y.set_(torch.zeros(2))
    assert y.grad_fn.name() == "torch::autograd::NotImplemented"


def test_an_error_names_the_history_that_a_saved_view_has_now():
    x = torch.ones(3, requires_grad=True) * 1
    x[::2].mul_(x[0])
    with pytest.raises(RuntimeError, match="output 0 of AsStrided, is at version 1"):
        x.sum().backward()


def test_a_view_without_history_is_refused_each_time_and_before_all_else():
    x = torch.ones(3, 2, requires_grad=True) * 1
    column = x.unbind(-1)[1]
    x.mul_(2)
    for use in (
        lambda: column * 2,
        lambda: column + torch.ones(7),
        lambda: column @ column[:2],
    ):
        with pytest.raises(RuntimeError, match="Output 1 of Unbind is a view and its"):
            use()
    with pytest.raises(IndexError, match="index 5 is out of bounds"):
        column[5]


def test_copying_onto_itself_and_conjugating_real_numbers_write_nothing():
    x = torch.ones(1).expand(3)
    assert x.copy_(x) is x and x.conj_physical_() is x and x._version == 2
    with pytest.raises(RuntimeError, match="more than one element of the written-to"):
        x.copy_(torch.zeros(3))


def test_the_gradient_of_a_single_number_is_looked_at_as_its_views_are():
    x = torch.tensor(2 + 3j, requires_grad=True)
    base = (x * 1).t()
    part = base.imag.reshape(-1)
    part.square_()
    assert base == 2 + 9j
    (g,) = torch.autograd.grad(base.imag + part.sum(), x)
    assert g == 12j


def test_writing_through_as_strided_beyond_its_operand_loses_no_gradient():
    x = torch.arange(6.0, requires_grad=True)
    base = x * 1
    beyond = base[1:3].as_strided((3,), (2,), 1)
    beyond.mul_(2)
    (g,) = torch.autograd.grad(base.sum(), x)
    assert g.tolist() == [1, 2, 1, 2, 1, 2]


@pytest.mark.parametrize("part", ["real", "imag"])
def test_writing_through_as_strided_of_a_part_loses_no_gradient(part):
    x = torch.ones(3, dtype=torch.complex64, requires_grad=True)
    base = x * 1
    beyond = getattr(base[0].conj(), part).as_strided((4,), (1,), 1)
    beyond.mul_(2)  # the numbers in between, and those of the other elements
    (g,) = torch.autograd.grad(torch.view_as_real(base).sum(), x)
    assert torch.view_as_real(g).flatten().tolist() == [1, 2, 2, 2, 2, 1]


def test_as_strided_after_reading_as_another_dtype_has_no_history_outside():
    x = torch.ones(3, dtype=torch.complex64, requires_grad=True)
    s = torch.ones(2, requires_grad=True)
    base = x * 1
    part = base.imag.as_strided((2,), (1,), 1)
    part.copy_(s)
    (g,) = torch.autograd.grad(part.sum(), s)
    assert g.tolist() == [1, 0]  # the second lies in a real part


def test_views_of_a_detached_base_keep_nodes_that_lead_nowhere():
    x = torch.arange(4.0, requires_grad=True)
    base = x * 1
    part = base[:2]
    base.mul_(2)
    base.detach_()
    assert part.requires_grad and part.grad_fn.name() == "AsStridedBackward0"
    assert torch.autograd.grad(part.sum(), x, allow_unused=True) == (None,)
    with pytest.raises(RuntimeError, match="a view of a leaf Variable that requires"):
        part.add_(1)


@pytest.mark.parametrize(
    ("view", "expected"),
    [
        (lambda b: b.mH.imag, [[-2j, -6j, -10j], [-4j, -8j, -12j]]),
        (lambda b: torch.view_as_real(b.mT)[..., 0], [[2, 6, 10], [4, 8, 12]]),
        (lambda b: b[0].real, [[2, 4, 6], [0, 0, 0]]),
        (lambda b: b[0].conj()[1:].real, [[0, 2, 4], [0, 0, 0]]),
    ],
)
def test_parts_of_complex_views_keep_their_gradient_when_the_base_is_transposed(
    view, expected
):
    x = torch.ones(2, 3, dtype=torch.complex64, requires_grad=True)
    base = x * 1
    part = view(base)
    base.t_()
    base.mul_(2)
    weights = torch.arange(1.0, 1 + part.numel()).reshape(part.shape)
    (g,) = torch.autograd.grad((part * weights).sum(), x)
    assert g.tolist() == expected


def test_a_printed_view_names_the_node_that_it_has_since_its_base_was_changed():
    base = torch.ones(2, 2, requires_grad=True) * 1
    part = base[0]
    base.mul_(2)
    assert "grad_fn=<AsStridedBackward0>" in repr(part)
    columns = (torch.ones(2, 2, requires_grad=True) * 1).unbind()
    columns[0]._base.mul_(2)
    assert "grad_fn=<Invalid>" in repr(columns[1])


def test_the_conjugate_of_a_single_number_can_be_changed_through_its_real_part():
    x = torch.tensor(1 + 1j, requires_grad=True)
    base = x * 1
    part = base.conj().t().real
    part.mul_(3)
    (g,) = torch.autograd.grad(base.real + part, x)
    assert base.tolist() == 3 + 1j and g == 6


def test_a_view_transposed_in_place_keeps_the_gradient_of_its_own_steps():
    x = torch.arange(12.0).reshape(2, 3, 2).requires_grad_()
    view = x.clone().select(-1, 0)
    view.as_strided_((2,), (1,)).transpose_(0, -1)  # whose second element lay outside
    (gx,) = torch.autograd.grad((view * torch.tensor([1.0, 2.0])).sum(), x)
    assert gx.flatten().nonzero().tolist() == [[0]]


def test_conjugate_view_that_moves_is_recreated_as_it_was_made():
    x = torch.tensor([[1 + 2j], [3 - 1j]], requires_grad=True)
    b = x * 1
    v = b.conj()
    v.squeeze_()
    assert v.grad_fn.name() == "SqueezeBackward3"
    b.mul_(2)
    assert v.shape == (2,) and v.grad_fn.name() == "ConjBackward0"
    with pytest.raises(RuntimeError, match=r"got \[2\] but expected .* \[2, 1\]"):
        v.abs().sum().backward()


def test_part_that_is_set_elsewhere_is_recreated_where_it_was_made():
    x = torch.tensor([1 + 2j, 3 - 1j], requires_grad=True)
    b = x * 1
    v = b.imag
    with torch.no_grad():
        v.set_(b.untyped_storage(), 0, (2,), (1,)).fill_(2)
    assert b.tolist() == [2 + 2j, 3 - 1j]
    assert v._version == b._version == 2  # the view shares it
    (gx,) = torch.autograd.grad((v * torch.tensor([1.0, 2.0])).sum(), x)
    assert gx.tolist() == [1j, 2j]


def test_hooks_on_the_node_of_a_view_are_not_called_for_changes_of_the_base():
    x = torch.ones(2, 3, requires_grad=True)
    y, calls = x * 1, []
    v = y[0:1]
    v.grad_fn.register_hook(lambda *given: calls.append(given))
    u = v[0]
    u.register_hook(calls.append)
    u.mul_(2)  # its gradient goes to the base, past both nodes
    (g,) = torch.autograd.grad(y.sum() + v.sum() + u.sum(), x)
    assert not calls
    assert g.tolist() == [[6.0] * 3, [1.0] * 3]


def test_a_value_written_over_itself_has_a_gradient_unless_the_base_has_one():
    value = torch.tensor(2.0, requires_grad=True)
    x = torch.arange(3.0)
    view = x.expand(2, 3)
    view.masked_fill_(view > 0, value)
    (view * torch.arange(6.0).view(2, 3)).sum().backward()
    assert value.grad.item() == 24  # (1 + 4) + (2 + 5), once for each row
    x = torch.arange(3.0, requires_grad=True) * 1
    view = x.expand(2, 3)
    view.masked_fill_(view > 0, value)
    with pytest.raises(RuntimeError, match="more than one element of the written-to"):
        view.sum().backward()
