"""Attention with several heads."""

import pytest

from tests.ops.cases import alike, derivatives, refused

# Sequences of 4 places, 2 samples, size 4; weights out of other operands.
X = "seq[:, :, :4].permute(1, 0, 2)"
Y = "(seq[:, :, 1:].permute(1, 0, 2) * 0.6)[:3]"
W = "torch.cat([seq[0, :, :4], seq[1, :, 1:], img[0, :, :, 0]]) * 0.3"
OUT = "(img[1, :, :, 1] * 0.5)"
B = "torch.cat([ch, ch * 2, -ch]) * 0.1"
OWN = f"{X}, {X}, {X}, 4, 2, {W}"
MHA = "F.multi_head_attention_forward"
HIDE = "torch.tensor([[False, False, True], [False, False, False]])"
LATER = "torch.ones(4, 3).triu(1).bool()"
EXTRA = "torch.ones(1, 1, 4).double() * ch"
SEPARATE = (f"use_separate_proj_weight=True, q_proj_weight={OUT}, k_proj_weight={OUT}.T, "
            f"v_proj_weight={OUT} * 2")  # fmt: skip

CASES = [
    f"{MHA}({X}, {Y}, {Y}, 4, 2, {W}, {B}, None, None, False, 0.0, {OUT}, ch)",
    f"{MHA}({X}, {Y}, {Y}, 4, 2, {W}, None, None, None, False, 0.0, {OUT}, None, "
    "need_weights=False)",
    f"{MHA}({X}, {Y}, {Y}, 4, 2, {W}, {B}, {EXTRA}, {EXTRA} * 2, True, 0.0, {OUT}, ch, "
    f"key_padding_mask={HIDE}, attn_mask={LATER}, average_attn_weights=False)",
    f"{MHA}({X}, {Y}, {Y}, 4, 2, {W}, {B}, {EXTRA}, {EXTRA} * 2, True, 0.0, {OUT}, ch, "
    f"need_weights=False, key_padding_mask={HIDE}, attn_mask={LATER})",
    f"{MHA}({X}, {Y}, {Y}, 4, 2, None, {B}, None, None, False, 0.0, {OUT}, ch, {SEPARATE})",
    f"{MHA}({X}[:, 0], {Y}[:, 0], {Y}[:, 0], 4, 2, {W}, {B}, None, None, False, 0.0, "
    f"{OUT}, ch, key_padding_mask={HIDE}[0])",
    f"{MHA}({OWN}, {B}, None, None, False, 0.0, {OUT}, ch, need_weights=False, "
    "attn_mask=torch.ones(4, 4).triu(1).bool(), is_causal=True)",
    f"torch.manual_seed(3); {MHA}({OWN}, {B}, None, None, False, 0.4, {OUT}, ch)",
    f"{MHA}({X}, {Y}, {Y}, 4, 2, {W}, {B}, None, None, False, 0.0, {OUT}, ch, "
    "static_k=seq.reshape(4, 5, 2) * 0.2, static_v=seq.reshape(4, 5, 2))",
]

REFUSED = [
    f"{MHA}({X}[:, :0], {X}[:, :0], {X}[:, :0], 4, 2, {W}, {B}, None, None, False, "
    f"0.0, {OUT}, ch, key_padding_mask=mask[:1])",
    f"{MHA}({X}[0, 0], {Y}, {Y}, 4, 2, {W}, {B}, None, None, False, 0.0, {OUT}, ch)",
    f"{MHA}({X}, {Y}[0], {Y}, 4, 2, {W}, {B}, None, None, False, 0.0, {OUT}, ch)",
    f"{MHA}({X}, {Y}, {Y}, 5, 2, {W}, {B}, None, None, False, 0.0, {OUT}, ch)",
    f"{MHA}({X}, {Y}, {Y}, 4, 3, {W}, {B}, None, None, False, 0.0, {OUT}, ch)",
    f"{MHA}({X}, {Y}, {Y}[:2], 4, 2, {W}, {B}, None, None, False, 0.0, {OUT}, ch)",
    f"{MHA}({X}, {Y}, {Y}, 4, 2, None, {B}, None, None, False, 0.0, {OUT}, ch)",
    f"{MHA}({X}, {Y}, {Y}, 4, 2, {W}, {B}, {EXTRA}, None, False, 0.0, {OUT}, ch)",
    f"{MHA}({X}, {Y}, {Y}, 4, 2, {W}, {B}, None, None, False, 0.0, {OUT}, ch, "
    f"key_padding_mask={HIDE}[0])",
    f"{MHA}({X}, {Y}, {Y}, 4, 2, {W}, {B}, None, None, False, 0.0, {OUT}, ch, "
    f"key_padding_mask={HIDE}[:, :2])",
    f"{MHA}({X}, {Y}, {Y}, 4, 2, {W}, {B}, None, None, False, 0.0, {OUT}, ch, "
    f"attn_mask={LATER}[:3])",
    f"{MHA}({X}, {Y}, {Y}, 4, 2, {W}, {B}, None, None, False, 0.0, {OUT}, ch, "
    f"attn_mask={LATER}.expand(3, 4, 3))",
    f"{MHA}({X}, {Y}, {Y}, 4, 2, {W}, {B}, None, None, False, 0.0, {OUT}, ch, "
    f"attn_mask={LATER}.long())",
    f"{MHA}({X}, {Y}, {Y}, 4, 2, {W}, {B}, None, None, False, 0.0, {OUT}, ch, "
    "is_causal=True)",
]


@pytest.mark.parametrize("case", CASES)
def test_heads_equal_pytorch_but_for_their_nodes(case):
    alike(__file__, case, nodes=False)


def test_heads_derivatives_equal_differences():
    derivatives(CASES[3] + "[0]")


@pytest.mark.parametrize("case", REFUSED)
def test_heads_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)
