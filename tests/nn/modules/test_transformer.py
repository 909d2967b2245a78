"""Transformers: whole models, and stacks of layers."""

from __future__ import annotations

from tests.nn.modules.layers import numbers, refused, runs
from tests.programs import Programs, warned

programs = Programs(__file__)

S, T = (5, 2, 4), (3, 2, 4)
ENCODER = "nn.TransformerEncoderLayer(4, 2, 6, batch_first=True)"
DECODER = "nn.TransformerDecoderLayer(4, 2, 6, dropout=0.0)"
CASES = (
    ("nn.Transformer(4, 2, 1, 2, 6, dropout=0.0)", S, T),
    ("nn.Transformer(4, 2, 1, 1, 6, norm_first=True, activation='gelu')", S, T),
    (f"nn.TransformerEncoder({ENCODER}, 2, nn.LayerNorm(4))", (2, 5, 4)),
    (f"nn.TransformerDecoder({DECODER}, 2)", T, S),
)
REFUSED = (
    ("nn.Transformer(4, 2, 1, 1, 6)", (5, 2, 4), (3, 1, 4)),
    ("nn.Transformer(4, 2, 1, 1, 6)", (5, 2, 6), (3, 2, 6)),
    ("nn.Transformer(4, 2, 1, 1, 6, activation='tanh')",),
)


@programs.add
def models_run_forward_and_backward(torch):
    torch.manual_seed(1)
    return runs(torch, CASES, double=True)


@programs.add
def parameters_have_pytorchs_names_and_start(torch):
    torch.manual_seed(2)
    m = torch.nn.Transformer(4, 2, 1, 1, 6)
    return [list(m.state_dict()), [p.sum() for p in m.parameters()]]


@programs.add
def masks_hide_the_future_and_the_padding(torch):
    torch.manual_seed(3)
    m = torch.nn.Transformer(4, 2, 1, 1, 6, dropout=0.0)
    src, tgt = numbers(torch, *S), numbers(torch, *T)
    mask = m.generate_square_subsequent_mask(3)
    padding = torch.zeros(2, 5).bool()
    padding[1, 3:] = True
    return [m(src, tgt, tgt_mask=mask, src_key_padding_mask=padding,
              memory_key_padding_mask=padding),
            m(src, tgt, tgt_mask=mask, tgt_is_causal=True)]  # fmt: skip


@programs.add
def padded_places_are_zero_in_evaluation_without_gradients(torch):
    torch.manual_seed(4)
    layer = eval(ENCODER, {"nn": torch.nn})
    m = torch.nn.TransformerEncoder(layer, 2).eval()
    x, padding = numbers(torch, 2, 5, 4), torch.zeros(2, 5).bool()
    padding[1, 3:] = True
    with torch.no_grad():
        left = m(x, src_key_padding_mask=padding)
        holes = m(x, src_key_padding_mask=padding.flip(1))
    return [left, holes, m(x, src_key_padding_mask=padding)]


@programs.add
def a_stack_that_keeps_its_padding_says_so(torch):
    layer = torch.nn.TransformerEncoderLayer(4, 2, 6)
    return warned(lambda: torch.nn.TransformerEncoder(layer, 1).use_nested_tensor)


@programs.add
def wrong_settings_and_inputs_are_refused(torch):
    return refused(torch, REFUSED)


test_transformer = programs.test()
