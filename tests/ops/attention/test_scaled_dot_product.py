"""Attention by products."""

import pytest

import edutorch
from tests.ops.cases import alike, derivatives, refused

A = "F.scaled_dot_product_attention"
Q = "img.transpose(1, 2)"  # (2, 4, 4, 3): samples, heads, queries, size
K = "(img.transpose(1, 2) * 0.5 + 0.1).flip(2)[:, :, :3]"
V = "(img * -0.7).transpose(1, 2)[:, :, :3]"
MAY = "torch.tensor([[1, 0, 1], [1, 1, 1], [0, 0, 0], [0, 0, 1]]).bool()"
PLUS = "torch.arange(12).double().reshape(4, 3).sin()"

CASES = [
    f"{A}({Q}, {K}, {V})",
    f"{A}({Q}, {K}, {V}, {MAY})",
    f"{A}({Q}, {K}, {V}, {PLUS})",
    f"{A}({Q}, {K}, {V}, is_causal=True)",
    f"{A}({Q}, {K}, {V}, scale=0.3)",
    f"{A}({Q}, {K}, {V}, {MAY}, is_causal=True)",
    f"{A}({Q}.float(), {K}.float(), {V}.float(), {PLUS}.float())",
]

COMPOSED = [
    f"{A}({Q}, {K}, {V}[..., :2])",
    f"{A}({Q}[0], {K}[0], {V}[0], is_causal=True)",
    f"{A}({Q}[0, 0], {K}[0, 0], {V}[0, 0], {MAY})",
    f"{A}({Q}, {K}[:, :2], {V}[:, :2], enable_gqa=True)",
    f"{A}({Q}, {K}[:, :1], {V}[:, :1])",
    f"{A}({Q}, {K}[:1], {V}[:1])",
    f"{A}({Q}, {K}, {V}, w2[:4, 0, :1, :1] * torch.ones(4, 3).double())",
    f"torch.manual_seed(2); {A}({Q}, {K}, {V}, None, 0.5)",
    f"{A}({Q}.half(), {K}.half(), {V}[..., :2].half())",
    f"{A}({Q}[:0], {K}[:0], {V}[:0])",
    f"{A}({Q}, {K}[:, :, :0], {V}[:, :, :0])",
    f"{A}({Q}, {K}, {V}[..., :2], scale=-0.3)",
]

SMOOTH = [CASES[0], CASES[1], CASES[3], COMPOSED[1]]

REFUSED = [
    "F.scaled_dot_product_attention(a, seq, seq, enable_gqa=True)",
    f"{A}(row, row, row)",
    f"{A}({Q}, {K}.float(), {V})",
    f"{A}({Q}, {K}[..., :2], {V})",
    f"{A}({Q}, {K}, {V}[..., :2], {MAY}, is_causal=True)",
    f"{A}({Q}, {K}, {V}, {MAY}.long())",
    f"{A}({Q}, {K}, {V}, {MAY}[:, :2])",
    f"{A}({Q}, {K}, {V}, {MAY}.half())",
    f"{A}({Q}, {K}, {V}, 0.5)",
    f"{A}({Q}, {K}, {V}, dropout_p=1.5)",
    f"{A}({Q}, {K}, {V}, scale='a')",
    f"{A}({Q}, {K}[:, :3], {V}[:, :3], enable_gqa=True)",
    f"{A}({Q}.int(), {K}.int(), {V}.int())",
    f"{A}({Q}, {K}, {V}[..., :2], torch.ones(3, 1, 1, 4, 3).double())",
]


@pytest.mark.parametrize("case", CASES)
def test_attention_equals_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", COMPOSED)
def test_composed_attention_equals_pytorch_but_for_its_node(case):
    alike(__file__, case, nodes=False)


@pytest.mark.parametrize("case", SMOOTH)
def test_attention_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_attention_refused_by_pytorch_is_refused_alike(case):
    refused(__file__, case)


def test_a_query_that_may_look_nowhere_finds_zeros_and_has_no_gradient():
    q = edutorch.ones(1, 1, 2, 3, requires_grad=True)
    mask = edutorch.tensor([[True, True], [False, False]])
    y = edutorch.nn.functional.scaled_dot_product_attention(q, q, q, mask)
    y.sum().backward()
    assert y[0, 0, 1].tolist() == [0.0, 0.0, 0.0]
    assert q.grad.isfinite().all()


def test_attention_in_16_bits_has_16_bits():
    q = edutorch.tensor([[[[1.0, 0.5]]]], dtype=edutorch.bfloat16, requires_grad=True)
    y = edutorch.nn.functional.scaled_dot_product_attention(q, q, q)
    y.sum().backward()
    assert y.dtype is q.grad.dtype is edutorch.bfloat16
    assert q.grad.tolist() == [[[[1.0, 1.0]]]]


def test_features_that_lie_apart_give_values_in_row_major_order():
    alike(__file__, f"y = squares.detach()[None].mT; {A}(y, y, y).stride()")
    expanded = "y = squares.detach()[None, :1].expand(2, 4, 3, 3)"
    alike(__file__, f"{expanded}; {A}(y, y, y).stride()")
