"""Attention with several heads, as a layer."""

from __future__ import annotations

from tests.nn.modules.layers import numbers, refused, runs
from tests.programs import Programs

programs = Programs(__file__)

X, Y = (4, 2, 6), (3, 2, 6)
CASES = (
    ("nn.MultiheadAttention(6, 2)", X, Y, Y),
    ("nn.MultiheadAttention(6, 3, bias=False)", X, Y, Y),
    ("nn.MultiheadAttention(6, 2, add_bias_kv=True, add_zero_attn=True)", X, Y, Y),
    ("nn.MultiheadAttention(6, 2, kdim=4, vdim=5)", X, (3, 2, 4), (3, 2, 5)),
    ("nn.MultiheadAttention(6, 2, batch_first=True)", X, (4, 3, 6), (4, 3, 6)),
    ("nn.MultiheadAttention(6, 2)", (4, 6), (3, 6), (3, 6)),
)
REFUSED = (
    ("nn.MultiheadAttention(6, 4)",),
    ("nn.MultiheadAttention(0, 4)",),
    ("nn.MultiheadAttention(6, 2)", (4, 2, 5), (3, 2, 5), (3, 2, 5)),
    ("nn.MultiheadAttention(6, 2)", (6,), (3, 6), (3, 6)),
)


@programs.add
def layers_run_forward_and_backward(torch):
    torch.manual_seed(1)
    return runs(torch, CASES)


@programs.add
def parameters_have_pytorchs_order_and_start(torch):
    torch.manual_seed(2)
    layers = [torch.nn.MultiheadAttention(4, 2),
              torch.nn.MultiheadAttention(4, 2, kdim=3, add_bias_kv=True)]  # fmt: skip
    return [list(m.named_parameters()) for m in layers]


@programs.add
def masks_hide_keys(torch):
    torch.manual_seed(3)
    m = torch.nn.MultiheadAttention(6, 2)
    x, y = numbers(torch, *X), numbers(torch, *Y)
    padding = torch.tensor([[False, False, True], [False, False, False]])
    mask = torch.ones(4, 3).triu(1).bool()
    return [*m(x, y, y, padding, attn_mask=mask, average_attn_weights=False),
            m(x, y, y, padding, need_weights=False, attn_mask=mask)[0],
            *m.merge_masks(torch.zeros(4, 4), torch.ones(2, 4),
                           x.transpose(0, 1))]  # fmt: skip


@programs.add
def wrong_settings_and_inputs_are_refused(torch):
    return refused(torch, REFUSED)


test_multihead = programs.test()
