"""A cause is confirmed where it is one, and not where a result is wrong."""

from __future__ import annotations

import numpy as np
import pytest

from tests.fuzz.causes import CAUSES, causes
from tests.fuzz.known import KNOWN
from tests.fuzz.outcomes import Outcome, TensorValue, outcome
from tests.oracle import torch

TEXT = "result = torch.tensor([1.0, 3.0], dtype=torch.float32) / 3"


def tensor(*values):
    numbers = np.array(values, np.float32)
    return Outcome(
        [TensorValue("torch.float32", (2,), "torch.strided", False, numbers)]
    )


def nothing(library):
    return {}


def test_every_cause_of_an_entry_has_a_test():
    tests = {name for kind in CAUSES.values() for name in kind}
    assert {entry.cause for entry in KNOWN} - {""} <= tests


@pytest.mark.parametrize(
    ("got", "same"), [((np.nan, 1.0), True), ((np.nan, 2.0), False)]
)
def test_infinities_that_differ_do_not_excuse_finite_numbers(got, same):
    test = CAUSES["value"]["not finite"]
    assert test(TEXT, tensor(np.inf, 1.0), tensor(*got)) is same


def test_results_that_agree_without_zeros_differ_by_their_signs():
    text = "x = np.arange(np.prod((3,)))\nresult = [1 / torch.tensor(-x * 1.0)]"
    assert "zeros" in causes(text, "value", nothing)
    assert "zeros" not in causes("result = [torch.ones(2)]", "value", nothing)


def test_squeezed_negative_views_are_compared_with_strided_ones():
    text = "b = torch.tensor([[1 + 2j, 3 + 4j, 5 + 6j]]); v = b.conj().imag\n"
    text += "v.squeeze_(0); result = [b, v]"
    assert "squeezed" in causes(text, "value", nothing)
    wrong = text.replace("[b, v]", "[b, v * ('edu' in torch.__name__)]")
    assert "squeezed" not in causes(wrong, "value", nothing)


def test_a_gradient_is_compared_with_that_of_a_program_without_transposition():
    start = "x = torch.arange(6.).reshape(2, 3).requires_grad_(); b = x * 1; "
    text = start + "b.t_()\nresult = [0, torch.autograd.grad((b * b).sum(), x)]"
    assert causes(text, "accepted", nothing) == ["transposed"]


def test_a_gradient_may_belong_to_a_leaf_transposed_without_record():
    text = "x = torch.arange(6.).reshape(2, 3).requires_grad_()\nb = x; "
    text += "exec('with torch.no_grad(): b.t_()')\n"
    text += "g = torch.autograd.grad((b * b).sum(), [x])\nresult = [0, g]"
    assert causes(text, "accepted", nothing) == ["transposed"]
    wrong = text.replace(
        "[0, g]", "[0, [g[0] * 2]] if 'edu' in torch.__name__ else [0, g]"
    )
    assert causes(wrong, "accepted", nothing) == []


def test_a_gradient_may_have_the_new_shape_of_a_leaf_that_changed_without_record():
    text = "x = torch.arange(6.).reshape(2, 3).requires_grad_()\nb = x; "
    text += "v = b * 3; exec('with torch.no_grad(): b.unsqueeze_(0)')\n"
    text += "g = torch.autograd.grad((b * b).sum(), [x])\nresult = [0, g]"
    assert causes(text, "shape", nothing) == ["transposed"]


ORDERS = (
    "x0 = torch.empty_strided((2, 3), (1, 2), dtype=torch.float32)"
    ".copy_(torch.tensor([[1, 2, 3], [4, 5, 6]], dtype=torch.float32))\n"
    "x1 = torch.empty_strided((2, 3), (3, 1), dtype=torch.float32)"
    ".copy_(torch.tensor([[1, 2, 3], [4, 5, 6]], dtype=torch.float32))\n"
    "y = {}\nresult = [y.to('meta'), y.device.type, str(y.stride())]"
)


@pytest.mark.parametrize(
    ("call", "found"),
    [
        ("x0 + x1", ["memory order"]),
        ("x1 + x0 if 'edu' in torch.__name__ else x0 + x1", []),
        ("(x1.t() if 'edu' in torch.__name__ else x1)[:2, :2] + 1", []),
        ("(x0 + x1).reshape(-1) if 'edu' in torch.__name__ else x0 + x1", []),
    ],
)
def test_results_whose_operands_disagree_may_lie_row_by_row(call, found):
    assert causes(ORDERS.format(call), "message", nothing) == found


def test_other_kinds_of_difference_have_no_cause():
    assert causes(TEXT, "dtype", nothing) == []


@pytest.mark.parametrize(("got", "lost"), [((1e-8, 1.0), True), ((1e-5, 1.0), False)])
def test_what_is_added_to_one_may_be_lost(got, lost):
    test = CAUSES["value"]["beside one"]
    assert test(TEXT, tensor(0.0, 1.0), tensor(*got)) is lost


@pytest.mark.parametrize(
    ("got", "few"), [((1e-7, 1.0), True), ((1e-4, 1.0), False), ((0.0, 1.1), False)]
)
def test_what_cancels_leaves_a_few_roundings(got, few):
    text = (
        "g, d = np.random.default_rng(0), torch.float32\nleaf = lambda t: t\n"
        "x = lambda *n: torch.full(n, .3).to(d)\n"
        "result = [(leaf(x(2)).double().sub(.3) / .3).float()]"
    )
    test = CAUSES["value"]["cancelled"]
    assert test(text, tensor(0.0, 1.0), tensor(*got)) is few


SEARCHED = """\
def made(shape, dtype): return torch.tensor(rng.standard_normal(shape)).to(dtype)
rng = np.random.default_rng(72)
ps = [made((2, 1, 3), torch.float32).requires_grad_()]
o = torch.optim.LBFGS(ps, lr=LR, max_iter=3, line_search_fn='strong_wolfe')
def loss():
    ps[0].grad = (ps[0] * 0.7).detach()
    return 0.35 * (ps[0] ** 2).sum().double()
for i in range(COUNT): o.step(loss)
result = [ps[0].detach()[0, 0, :2].double()]
"""


@pytest.mark.parametrize(
    ("lr", "count", "chaotic"), [(0.01, 4, True), (0.01, 1, True), (1.0, 1, False)]
)
def test_roundings_decide_where_a_line_search_goes_on_near_the_minimum(
    lr, count, chaotic
):
    text = SEARCHED.replace("LR", str(lr)).replace("COUNT", str(count))
    test, expected = CAUSES["value"]["line search"], outcome(text, torch, {})
    x, y = expected.value[0].values
    assert test(text, expected, tensor(x + 0.1, y)) is chaotic
    assert not test(text, expected, tensor(x + 5, y))


def test_roundings_explain_nothing_where_pytorch_fails():
    text = (
        "leaf = lambda t: t.long()\nx = torch.ones\nresult = [1 // leaf(x(2)).item()]"
    )
    test = CAUSES["value"]["rounding"]
    assert not test(text, tensor(0.0, 1.0), tensor(1.0, 1.0))


@pytest.mark.parametrize(("off", "near"), [(0.0, True), (1e-4, True), (1e-2, False)])
def test_numbers_as_near_to_double_precision_as_pytorch_are_right(off, near):
    text = "g, d = 0, torch.float32\nx = lambda t: torch.tensor(t).to(d)\n"
    text += "result = [x([1.0, 3.0]) / 3]"
    test = CAUSES["value"]["double precision"]
    right = np.array([1 / 3, 1.0])
    assert test(text, tensor(*(right + 1e-3)), tensor(*(right - off))) is near


def test_a_result_is_compared_with_that_of_elements_of_their_own():
    text = "n, m = 2, 2\nresult = [torch.arange(2.).expand(n, m)[0]]"
    test = CAUSES["value"]["contiguous"]
    assert test(text, tensor(5.0, 5.0), tensor(0.0, 1.0))
    assert not test(text, tensor(5.0, 5.0), tensor(0.0, 2.0))
