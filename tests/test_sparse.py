"""The namespace `torch.sparse`, and elementwise arithmetic of sparse tensors."""

import pytest

import edutorch as torch
from tests.ops.sparse.shown import gradients, prints

CASES = [
    "S + S", "U + U", "SC + torch.eye(2, 3).to_sparse()", "H + H", "D + S", "S - S",
    "D - S", "-S", "U.neg()", "S * 2", "2 * S", "S * 2.5", "S * S", "U * U", "S * D",
    "D * S", "U * D", "S * D[0]", "S * D[:, :1]", "S * torch.tensor(2.)", "S / 2",
    "U / 2", "S / torch.tensor(2)", "S // 2", "abs(S)", "S.sin()", "U.sin()",
    "S.tanh()", "S.sqrt()", "S.pow(2)", "U.pow(2)", "S ** 2", "S.square()", "S.relu()",
    "U.relu()", "S.erf()", "S.erfinv()", "S.asin()", "S.atan()", "S.sinh()",
    "S.asinh()", "S.atanh()", "S.tan()", "S.ceil()", "S.floor()", "S.round()",
    "S.trunc()", "S.frac()", "S.deg2rad()", "S.rad2deg()", "S.expm1()", "S.log1p()",
    "S.signbit()", "S.sign()", "S.sgn()", "S.isnan()", "S.isinf()", "S.isposinf()",
    "S.isneginf()", "S.nan_to_num()", "S.positive()", "S.int() / 2", "S.int() * 1.5",
    "S.int().sin()", "S.bool() * 2", "S + S.double()", "S * D.double()",
    "torch.ones(2, 3, dtype=torch.int64) + S", "torch.add(S, S, alpha=3)",
    "torch.sub(S, S, alpha=3)", "D.add(S, alpha=2)", "D.add_(S)", "S.mul_(2)",
    "S.add_(S)", "S.div_(2)", "S.sub_(S)", "S.neg_()", "S.zero_()", "SC.sin_()",
    "S.mul(3).add(S)", "(S * 2).is_coalesced()", "(SC * D).is_coalesced()",
    "SC.t().is_coalesced()", "S.sin().is_coalesced()", "S.t()", "S.T", "H * 2",
    "S.transpose(0, 1)", "S.permute(1, 0)", "S.unsqueeze(0)", "S[0]", "S[0, 1]",
    "S[:, 1]", "S.select(0, 1)", "S.unbind(0)", "C[0]", "C.select(0, 1)",
    "S.index_select(0, torch.tensor([1]))", "U.index_select(0, torch.tensor([1]))",
    "torch.cat([S, S])", "torch.cat([U, U], 1)", "torch.stack([S, S])",
    "C * 2", "C + C", "C + D", "D + C", "C * C", "C * D", "-C", "C.sin()", "C.sqrt()",
    "C.relu()", "C.mul_(2)", "C.add_(C)", "C.neg_()", "C.zero_()", "C.abs()",
]  # fmt: skip

OLD = [
    "torch.sparse.FloatTensor(i, v, torch.Size([2, 3]))",
    "torch.sparse.FloatTensor(i, v)", "torch.sparse.FloatTensor(2, 3)",
    "torch.sparse.FloatTensor()", "torch.sparse.DoubleTensor(2)",
    "isinstance(S, torch.sparse.FloatTensor)", "torch.sparse.LongTensor",
    "isinstance(D, torch.sparse.FloatTensor)", "isinstance(S, torch.sparse.IntTensor)",
]  # fmt: skip

REFUSED = [
    "S + 1", "S + D", "S - D", "S / S", "S / D", "D / S", "2 - S", "2 / S",
    "S + torch.eye(3).to_sparse()", "S * torch.eye(3).to_sparse()",
    "torch.eye(3) + S", "S.add_(D)", "S.add(torch.tensor(2.))",
]  # fmt: skip

SLOPES = [
    "SC + SC", "SC * 2", "SC * SC", "SC * D", "D * SC", "D + SC", "D - SC", "SC - SC",
    "-SC", "SC.abs()", "SC / 2", "SC.pow(2)", "SC.relu()", "SC.mul(3).add(SC)",
    "C * 2", "C + C", "C * C", "-C", "C.abs()", "C.relu()", "U * 2", "H * 2", "H + H",
]  # fmt: skip


@pytest.mark.parametrize("expression", CASES)
def test_arithmetic_prints_as_in_pytorch(expression: str):
    prints(expression)


@pytest.mark.parametrize("expression", REFUSED)
def test_arithmetic_refuses_what_pytorch_refuses(expression: str):
    prints(expression)


@pytest.mark.parametrize("expression", SLOPES)
def test_arithmetic_gradients_are_pytorchs(expression: str):
    gradients(expression)


@pytest.mark.parametrize("expression", SLOPES)
def test_arithmetic_gradients_are_pytorchs_in_plain_mode_too(expression: str):
    with torch.config.kernels("plain"):
        gradients(expression)


@pytest.mark.parametrize("expression", OLD)
def test_old_types_make_sparse_tensors_as_in_pytorch(expression: str):
    prints(expression)


def test_invariants_switch_says_what_was_set():
    switch = torch.sparse.check_sparse_tensor_invariants
    assert not switch.is_enabled()
    with switch():
        assert switch.is_enabled()
        with switch(enable=False):
            assert not switch.is_enabled()
    assert not switch.is_enabled()
    switch.enable()
    assert switch.is_enabled()
    switch.disable()
    assert switch()(switch.is_enabled)()
    assert not switch(False)(switch.is_enabled)()
    once = switch()
    with once, pytest.raises(RuntimeError, match="already activated"):
        once.__enter__()
    assert not switch.is_enabled()


def test_unsupported_functions_say_what_helps():
    with pytest.raises(NotImplementedError, match="SparseCPU") as caught:
        torch.eye(2).to_sparse().exp()
    assert "to_dense()" in "".join(caught.value.__notes__)


def test_gradients_that_are_sparse_and_dense_add_up():
    x = torch.eye(2).to_sparse().requires_grad_()
    (x.to_dense().sum() + (x @ torch.ones(2, 2)).sum()).backward()
    assert x.grad.to_dense().tolist() == [[3, 2], [2, 3]]
    x.to_dense().sum().backward()
    assert x.grad.to_dense().tolist() == [[4, 2], [2, 4]]


def test_watched_sparse_gradients_have_statistics():
    from edutorch import events

    seen = []
    x = torch.eye(3).to_sparse().requires_grad_()
    subscription = events.listen("test", seen.append, level=2)
    (x * 2).to_dense().sum().backward()
    subscription.close()
    assert any(r[0] == "stat" for r in seen)


def test_sparse_gradients_can_be_retained_and_looked_through_for_nan():
    x = torch.eye(2).to_sparse().requires_grad_()
    with torch.autograd.detect_anomaly():
        y = x * 2
        y.retain_grad()
        y.to_dense().sum().backward()
    assert y.grad.values().tolist() == [1, 1]
    assert x.grad.values().tolist() == [2, 2]
