"""Dropout layers: PyTorch's streams, and silence in evaluation."""

from __future__ import annotations

from tests.nn.modules.layers import refused
from tests.programs import Programs, attempt

programs = Programs(__file__)


def after_seed(torch, layer, *shape):
    """A layer's output and gradient for ones, after a seed."""
    torch.manual_seed(4)
    x = torch.ones(shape, requires_grad=True)
    y = layer(x)
    y.sum().backward()
    return [repr(layer), y, x.grad, torch.rand(1), layer.eval()(x)]


@programs.add
def elements_are_dropped_by_pytorchs_stream(torch):
    nn = torch.nn
    return [after_seed(torch, nn.Dropout(p), 4, 5) for p in (0.2, 0.0, 1.0)]


@programs.add
def channels_are_dropped_as_a_whole(torch):
    nn = torch.nn
    return [
        after_seed(torch, nn.Dropout1d(0.4), 2, 3, 4),
        after_seed(torch, nn.Dropout2d(0.4), 2, 3, 2, 2),
        after_seed(torch, nn.Dropout3d(0.4), 1, 4, 1, 2, 2),
        after_seed(torch, nn.Dropout1d(), 3, 4),
    ]


@programs.add
def self_normalising_networks_keep_mean_and_variance(torch):
    nn = torch.nn
    return [
        after_seed(torch, nn.AlphaDropout(0.3), 3, 4),
        after_seed(torch, nn.FeatureAlphaDropout(0.3), 2, 3, 2),
    ]


@programs.add
def inputs_are_overwritten_in_place(torch):
    x = torch.ones(10)
    y = torch.nn.Dropout(0.5, inplace=True)(x)
    return [x, y is x]


@programs.add
def wrong_settings_and_inputs_are_refused(torch):
    return refused(torch, (("nn.Dropout(1.5)",), ("nn.Dropout2d(-0.1)",),
                           ("nn.Dropout1d()", (2,))))  # fmt: skip


@programs.add
def probabilities_that_are_no_numbers_are_refused(torch):
    kinds = "a", None, float("nan")
    return [attempt(lambda p=p: repr(torch.nn.Dropout(p))) for p in kinds]


test_dropout = programs.test()
