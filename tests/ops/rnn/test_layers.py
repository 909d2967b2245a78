"""Recurrent networks: values, gradients and refusals like PyTorch's."""

from __future__ import annotations

from tests.ops.rnn.networks import KINDS, operands, results
from tests.programs import Programs, attempt

programs = Programs(__file__)

SHAPES = (
    {},
    {"layers": 2},
    {"both": True},
    {"layers": 2, "both": True, "biases": False},
    {"packed": True},
    {"packed": True, "layers": 2, "both": True},
)


@programs.add
def networks_give_values_and_gradients(torch):
    return {
        f"{kind} {shape}": results(torch, kind, operands(kind, **shape), **shape)
        for kind in KINDS
        for shape in SHAPES
    }


@programs.add
def projections_feed_back_a_part(torch):
    return [
        results(torch, "lstm", operands("lstm", proj=2, **shape), **shape)
        for shape in SHAPES
    ]


@programs.add
def dropout_lies_between_layers(torch):
    x, (h,), w = operands("gru", layers=2)
    x, h, *w = (torch.from_numpy(a) for a in (x, h, *w))
    y, _ = torch.gru(x, h, w, True, 2, 1.0, True, False, False)
    kept, _ = torch.gru(x, h, w, True, 2, 1.0, False, False, False)
    return y, kept


@programs.add
def what_does_not_fit_is_refused(torch):
    x, (h,), w = operands("gru")
    x, h, *w = (torch.from_numpy(a) for a in (x, h, *w))
    settings = (0.0, True, False, False)
    return [
        attempt(lambda: torch.gru(x, h, w, True, 2, *settings)),
        attempt(lambda: torch.gru(x, h, w[:3], True, 1, *settings)),
        attempt(lambda: torch.gru(x[:0], h, w, True, 1, *settings)),
        attempt(lambda: torch.gru(x[..., :1], h, w, True, 1, *settings)),
        attempt(lambda: torch.gru(x, h[:, :2], w, True, 1, *settings)),
        attempt(lambda: torch.gru(x, h, w, True, 1, 0.0, True, True, False)),
        attempt(lambda: torch.lstm(x, (h,), w, True, 1, *settings)),
    ]


test_layers = programs.test()
