"""The layers that transformers stack."""

from __future__ import annotations

from tests.nn.modules.layers import numbers, refused, runs
from tests.programs import Programs

programs = Programs(__file__)

S, T = (5, 2, 4), (3, 2, 4)
CASES = (
    ("nn.TransformerEncoderLayer(4, 2, 6)", S),
    ("nn.TransformerEncoderLayer(4, 1, 6, 0.0, 'gelu', 1e-3, True, True, False)", S),
    ("nn.TransformerEncoderLayer(4, 2, 6, activation=nn.Tanh())", (5, 4)),
    ("nn.TransformerDecoderLayer(4, 2, 6)", T, S),
    ("nn.TransformerDecoderLayer(4, 2, 6, norm_first=True, bias=False)", T, S),
)
REFUSED = (
    ("nn.TransformerEncoderLayer(4, 3)",),
    ("nn.TransformerDecoderLayer(4, 2, activation='tanh')",),
    ("nn.TransformerEncoderLayer(4, 2)", (4,)),
)


@programs.add
def layers_run_forward_and_backward(torch):
    torch.manual_seed(1)
    return runs(torch, CASES)


@programs.add
def masks_hide_the_future_and_the_padding(torch):
    torch.manual_seed(2)
    encode = torch.nn.TransformerEncoderLayer(4, 2, 6, dropout=0.0)
    decode = torch.nn.TransformerDecoderLayer(4, 2, 6, dropout=0.0)
    x, y = numbers(torch, *S), numbers(torch, *T)
    mask = torch.nn.Transformer.generate_square_subsequent_mask
    padding = torch.zeros(2, 5).bool()
    padding[1, 3:] = True
    return [encode(x, mask(5), padding), encode(x, mask(5), is_causal=True),
            decode(y, x, mask(3), memory_key_padding_mask=padding),
            decode(y, x, mask(3), tgt_is_causal=True)]  # fmt: skip


@programs.add
def wrong_settings_and_inputs_are_refused(torch):
    return refused(torch, REFUSED)


test_transformer_layers = programs.test()
