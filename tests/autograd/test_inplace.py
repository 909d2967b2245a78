"""In-place changes: memory, versions and history, of tensors, bases and views."""

from __future__ import annotations

import pytest

import edutorch as torch


def leaf(*values):
    return torch.tensor(values, requires_grad=True)


def test_in_place_result_is_the_tensor_itself():
    x = torch.ones(2)
    assert x.add_(1) is x
    assert x.tolist() == [2.0, 2.0]
    assert x._version == 1


def test_history_goes_through_the_old_value():
    x = leaf(2.0, 3.0)
    y = x * 1
    y.mul_(y)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.sum().backward()
    x = leaf(2.0, 3.0)
    y = x * 1
    z = leaf(5.0, 7.0)
    y.mul_(z)
    assert y.grad_fn.name() == "MulBackward0"
    y.sum().backward()
    assert x.grad.tolist() == [5.0, 7.0]
    assert z.grad.tolist() == [2.0, 3.0]


def test_change_through_a_view_changes_the_bases_history():
    x = leaf(1.0, 2.0, 3.0)
    y = x * 2
    y[1:].mul_(10)
    assert y.grad_fn.name().endswith("CopySlices")
    y.sum().backward()
    assert x.grad.tolist() == [2.0, 20.0, 20.0]


def test_change_of_the_base_reaches_a_view_made_before():
    x = leaf(1.0, 2.0, 3.0)
    y = x * 2
    view = y[1:]
    y.mul_(10)
    view.sum().backward()
    assert x.grad.tolist() == [0.0, 20.0, 20.0]


def test_change_through_a_view_of_a_view_reaches_the_base():
    x = torch.arange(6.0).reshape(2, 3).requires_grad_()
    y = x * 1
    y[1][:2].mul_(3)
    (y * y).sum().backward()
    assert x.grad.tolist() == [[0.0, 2.0, 4.0], [54.0, 72.0, 10.0]]


def test_assigning_a_tensor_that_requires_grad_into_a_view():
    base = torch.zeros(3)
    w = leaf(4.0)
    base[1:2] = w * 2
    assert base.requires_grad
    (base * torch.tensor([1.0, 10.0, 100.0])).sum().backward()
    assert w.grad.tolist() == [20.0]


def test_second_derivative_through_a_changed_view_is_right():
    x = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)

    def f(x):
        y = x * x
        y[:1].mul_(y[1:].clone())
        return y

    assert torch.autograd.gradcheck(f, [x])
    assert torch.autograd.gradgradcheck(f, [x])


def test_leaf_and_view_of_a_leaf_are_refused():
    x = leaf(1.0, 2.0)
    with pytest.raises(RuntimeError) as caught:
        x.add_(1)
    assert str(caught.value) == (
        "a leaf Variable that requires grad is being used in an in-place operation."
    )
    with pytest.raises(
        RuntimeError, match="a view of a leaf Variable that requires grad"
    ):
        x[:1].add_(1)
    with torch.no_grad():
        x.add_(1)
    assert x.tolist() == [2.0, 3.0]


def test_result_that_does_not_fit_is_refused_and_changes_nothing():
    x = torch.zeros(2)
    with pytest.raises(RuntimeError) as caught:
        x.add_(torch.ones(3, 2))
    assert str(caught.value).startswith(
        "output with shape [2] doesn't match the broadcast shape [3, 2]"
    )
    ints = torch.zeros(2, dtype=torch.int64)
    with pytest.raises(RuntimeError) as caught:
        ints.add_(0.5)
    assert str(caught.value).startswith(
        "result type Float can't be cast to the desired output type Long"
    )
    assert x.tolist() == [0.0, 0.0] and ints.tolist() == [0, 0]


def test_expanded_and_read_only_memory_is_refused():
    with pytest.raises(RuntimeError, match="single memory location"):
        torch.ones(1).expand(3).add_(1)


def test_overlapping_operands_act_as_if_copied():
    x = torch.arange(6.0)
    x[:4:2].copy_(x[2::2])  # nobody looks between gaps
    assert x.tolist() == [2.0, 1.0, 4.0, 3.0, 4.0, 5.0]


@pytest.mark.parametrize(
    "use",
    [
        lambda v: v * v,
        lambda v: v.exp(),
        lambda v: v * 2.0,
        lambda v: torch.cat([v, v]),
        lambda v: v[:1],
    ],
)
def test_view_made_before_its_base_got_a_history_has_it_too(use):
    w = torch.tensor([2.0, 3.0, 4.0], requires_grad=True)
    base = torch.ones(3)
    view = base[:2]
    base.mul_(w)
    y = use(view)
    assert y.requires_grad and view.requires_grad
    y.sum().backward()
    later, again = torch.ones(3), w.detach().requires_grad_()
    later = later * again
    use(later[:2]).sum().backward()
    assert w.grad.equal(again.grad)


def test_in_place_with_a_list_is_refused():
    with pytest.raises(TypeError) as caught:
        torch.ones(2).mul_([1, 2])
    assert str(caught.value) == (
        "mul_(): argument 'other' (position 1) must be Tensor, not list"
    )


def test_retained_gradient_is_that_of_the_changed_values():
    x = torch.ones(4, requires_grad=True)
    y, z = x * 2, x * 2
    view = z[:2]
    for t in (y, view):
        t.retain_grad()
        t.mul_(3)
    (y.sum() + view.sum()).backward()
    assert y.grad.tolist() == [1.0] * 4
    assert view.grad.tolist() == [1.0] * 2
    assert x.grad.tolist() == [12.0, 12.0, 6.0, 6.0]


def view_made_in(mode, base):
    with mode():
        return base[:1]


@pytest.mark.parametrize(
    ("mode", "words"),
    [
        (torch.no_grad, "no_grad mode and is being modified inplace with grad mode"),
        (torch.inference_mode, "inference mode and is being modified inplace in norm"),
    ],
)
def test_view_made_where_nothing_is_recorded_is_not_changed_elsewhere(mode, words):
    leaf = torch.ones(3, requires_grad=True)
    ordinary = torch.zeros(3)
    for view in (view_made_in(mode, leaf), view_made_in(mode, leaf * 1)):
        with pytest.raises(RuntimeError, match=f"^A view was created in {words}"):
            view.mul_(2)
    view = view_made_in(mode, ordinary)
    for change in (view.add_, view.copy_):
        with pytest.raises(RuntimeError, match=f"^A view was created in {words}"):
            change(leaf[:1])
    assert ordinary.tolist() == [0.0] * 3
    assert view.add_(1).item() == 1.0  # without history there is nothing to lose


def test_view_made_without_recording_whose_base_changed_has_no_history():
    base = torch.ones(3, requires_grad=True) * 1
    view = view_made_in(torch.no_grad, base)
    base.add_(1)
    with pytest.raises(RuntimeError, match="and its base or another view of its base"):
        view.grad_fn


def test_inference_tensors_stay_so_outside():
    with torch.inference_mode():
        made = torch.ones(3)
    kin = made.view(3), made[0], made.detach()
    assert all(t.is_inference() for t in kin)
    assert not made.clone().is_inference()
    for change in (made.add_, made[0].add_, torch.no_grad()(made.mul_)):
        with pytest.raises(RuntimeError, match="^Inplace update to inference tensor"):
            change(1)
    with pytest.raises(RuntimeError, match="^Setting requires_grad=True on inference"):
        made.requires_grad_()


def test_view_of_an_ordinary_tensor_is_ordinary_in_inference_mode():
    x = torch.ones(3)
    with torch.inference_mode():
        assert not x.view(3).is_inference()
        assert (x * 2).is_inference()


def test_message_of_a_changed_value_names_its_node_as_pytorch_does():
    y = torch.ones(3, requires_grad=True) * 1
    z = (y * y).sum()
    y[0] = 0
    with pytest.raises(RuntimeError, match="output 0 of torch::autograd::CopySlices, "):
        z.backward()


OVER = """
fill_(3.0); zero_(); masked_fill_(torch.tensor([True, False, True]), 5.0); triu_(1)
tril_(); index_fill_(1, torch.tensor([0]), 7.0); index_put_((torch.tensor([1]),), y)
"""
NOT_OVER = "add_(1); exp_(); copy_(y); clamp_(0, 1); normal_(); cumsum_(0); eq_(1)"


@pytest.mark.parametrize(
    "call", [c.strip() for c in OVER.replace("\n", ";").split(";")]
)
@pytest.mark.parametrize("base", ["torch.arange(3.0)", "torch.arange(6.0)[::2]"])
def test_expanded_tensors_take_what_is_written_last_where_pytorch_lets_them(call, base):
    if not call:
        return
    names = {"torch": torch, "x": eval(base, {"torch": torch}).expand(2, 3)}
    eval(f"x.{call}", names | {"y": torch.tensor(9.0)})
    x = names["x"]
    assert x[0].tolist() == x[1].tolist() and x.stride(0) == 0
    assert x.tolist()[0] != eval(base).tolist()


@pytest.mark.parametrize("call", NOT_OVER.split("; "))
def test_expanded_tensors_are_not_written_to_by_others(call):
    x = torch.arange(3.0).expand(2, 3)
    with pytest.raises(RuntimeError, match="more than one element of the written-to"):
        eval(f"x.{call}", {"x": x, "y": torch.zeros(2, 3)})
    assert x[0].tolist() == [0, 1, 2]


def test_a_part_of_an_expanded_tensor_that_does_not_overlap_is_assigned():
    x = torch.arange(3.0).expand(2, 3)
    x[0] = 5
    assert x.tolist() == [[5.0] * 3] * 2
    with pytest.raises(RuntimeError, match="more than one element of the written-to"):
        x[...] = 5
    with pytest.raises(RuntimeError, match="more than one element of the written-to"):
        x[:, 1] = 5


def test_a_change_that_changes_nothing_leaves_the_history():
    x = torch.arange(3.0, requires_grad=True)
    y = x * 2
    with torch.no_grad():
        y[1:].conj_physical_()
    assert y.grad_fn.name() == "MulBackward0" and y._version == 1
    y.sum().backward()
    assert x.grad.tolist() == [2, 2, 2]


def test_integers_have_no_history_whatever_is_copied_into_them():
    w = torch.tensor(2.0, requires_grad=True)
    for change in (lambda x: x.copy_(w), lambda x: x.__setitem__(0, w)):
        x = torch.zeros(2, dtype=torch.int64)
        change(x)
        assert x[0] == 2 and not x.requires_grad and x.is_leaf


def test_a_gradient_cannot_be_cut_out_of_a_repeated_place():
    w = torch.tensor(2.0, requires_grad=True)
    x = torch.ones(2, requires_grad=True) * 1
    with pytest.raises(RuntimeError, match="more than one element of the written-to"):
        x.expand(3, 2).fill_(w)
    x.expand(3, 2).fill_(2)
    with pytest.raises(RuntimeError, match="more than one element of the written-to"):
        x.sum().backward()


def test_expanded_parts_of_conjugates_are_not_written_to():
    x = torch.ones(3, dtype=torch.complex64)
    part = x.expand(2, 3).conj().imag
    with pytest.raises(RuntimeError, match="more than one element of the written-to"):
        part.fill_(3)
    assert x.imag.tolist() == [0, 0, 0]


def test_parts_of_a_leaf_that_is_a_view_are_refused_as_parts():
    leaf = torch.ones(4).view(2, 2).requires_grad_()
    with pytest.raises(RuntimeError, match="Output 1 of Unbind is a view and is being"):
        leaf.unbind()[1].mul_(2)


def test_a_view_copied_into_its_base_learns_of_what_happens_to_the_base():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    base = x * 1
    view = base.view(2)
    base.copy_(view)
    base.detach_()
    assert view.requires_grad
    assert torch.autograd.grad(view.sum(), x, allow_unused=True) == (None,)
