"""Channels first or last in memory."""

import numpy as np
import pytest

import edutorch
from edutorch.kernels.layout import channels_last, has_channels_last, laid_like

F = edutorch.nn.functional

LAYERS = {
    "conv": lambda x: F.conv2d(x, edutorch.ones(3, 4, 3, 3)),
    "conv_transpose": lambda x: F.conv_transpose2d(x, edutorch.ones(4, 2, 3, 3)),
    "max_pool": lambda x: F.max_pool2d(x, 2),
    "avg_pool": lambda x: F.avg_pool2d(x, 2),
    "adaptive_avg": lambda x: F.adaptive_avg_pool2d(x, 2),
    "adaptive_max": lambda x: F.adaptive_max_pool2d(x, 2),
    "batch_norm": lambda x: edutorch.nn.BatchNorm2d(4)(x),
    "group_norm": lambda x: F.group_norm(x, 2),
    "pad": lambda x: F.pad(x, (1, 1)),
    "relu": F.relu,
    "add": lambda x: x + edutorch.ones(4, 1, 1),
    "cat": lambda x: edutorch.cat([x, x], 1),
}


def test_channels_last_of_an_array_changes_strides_only():
    x = np.arange(24.0).reshape(1, 2, 3, 4)
    y = channels_last(x)
    assert (x == y).all()
    assert has_channels_last(y)
    assert not has_channels_last(x)
    assert laid_like(x, x) is x
    assert has_channels_last(laid_like(x, x, y))


@pytest.mark.parametrize("layer", LAYERS)
def test_channels_last_is_handed_on_by_layers(layer):
    x = edutorch.arange(2 * 4 * 6 * 6.0).reshape(2, 4, 6, 6) % 7
    plain, last = x, x.to(memory_format=edutorch.channels_last)
    y = LAYERS[layer](last)
    assert y.is_contiguous(memory_format=edutorch.channels_last)
    assert not y.is_contiguous()
    assert edutorch.allclose(y, LAYERS[layer](plain))


RESULTS = {
    "sum": lambda x: x.sum(0),
    "mean": lambda x: x.mean(0),
    "std": lambda x: x.std(0),
    "prod": lambda x: x.prod(0),
    "amax": lambda x: x.amax(0),
    "any": lambda x: x.any(0),
    "cat": lambda x: edutorch.cat([x, x]),
    "stack": lambda x: edutorch.stack([x, x]),
    "softmax": lambda x: x.softmax(1),
    "log_softmax": lambda x: x.log_softmax(-1),
    "masked_fill": lambda x: x.masked_fill(x > 1, 0),
    "scatter": lambda x: x.scatter(0, edutorch.zeros(1, 6, 4, 3).long(), 1.0),
    "index_add": lambda x: x.index_add(0, edutorch.tensor([0]), x[:1]),
    "batch_norm": lambda x: F.batch_norm(x, None, None, training=True),
    "max_pool": lambda x: F.max_pool2d(x, 2),
    "rot90": lambda x: x.rot90(1, (0, 1)),
}


@pytest.mark.parametrize("name", RESULTS)
def test_results_of_transposed_operands_can_be_viewed(name):
    x = edutorch.arange(144.0).reshape(2, 6, 3, 4).mT
    y = RESULTS[name](x)
    assert y.is_contiguous()
    assert y.view(-1).shape == (y.numel(),)


def test_elementwise_results_keep_the_order_of_their_operands():
    x = edutorch.ones(2, 6, 3, 4).mT
    assert (x + x).stride() == x.stride() == x.exp().stride()
