"""Channels first or last in memory."""

import numpy as np
import pytest

import edutorch
from edutorch.kernels.memory_format import (
    cast_preserving_strides,
    channels_last,
    elementwise_strides,
    has_channels_last,
    match_memory_format,
)

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
    "reflect": lambda x: F.pad(x, (1, 1, 1, 1), "reflect"),
    "upsample": lambda x: F.interpolate(x, scale_factor=2),
    "bilinear": lambda x: F.interpolate(x, scale_factor=2, mode="bilinear"),
    "pixel_unshuffle": lambda x: F.pixel_unshuffle(x, 2),
    "channel_shuffle": lambda x: F.channel_shuffle(x, 2),
    "rms_norm": lambda x: F.rms_norm(x, (6,)),
    "alpha_dropout": lambda x: F.alpha_dropout(x, 1e-9, training=True),
    "add": lambda x: x + edutorch.ones(4, 1, 1),
    "cat": lambda x: edutorch.cat([x, x], 1),
}


def test_channels_last_of_an_array_changes_strides_only():
    x = np.arange(24.0).reshape(1, 2, 3, 4)
    y = channels_last(x)
    assert (x == y).all()
    assert has_channels_last(y)
    assert not has_channels_last(x)
    assert match_memory_format(x, x) is x
    assert has_channels_last(match_memory_format(x, x, y))


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


ROW_MAJOR = {
    "rms_norm": lambda x: F.rms_norm(x, (4,)),
    "layer_norm": lambda x: F.layer_norm(x[0], (4,)),
    "log_softmax": lambda x: F.log_softmax(x.half(), 2),
    "linear": lambda x: F.interpolate(x, scale_factor=2, mode="linear"),
    "replicate": lambda x: F.pad(x, (0, 0), "replicate"),
    "circular": lambda x: F.pad(x, (0, 0), "circular"),
}


@pytest.mark.parametrize("layer", ROW_MAJOR)
def test_result_of_a_transposed_input_is_row_major(layer):
    x = edutorch.arange(24.0).reshape(4, 3, 2).permute(2, 1, 0)
    assert ROW_MAJOR[layer](x).is_contiguous()


KEPT = {
    "relu": F.relu,
    "pad": lambda x: F.pad(x, (0, 0)),
    "dropout1d": lambda x: F.dropout1d(x, 0.5),
    "alpha_dropout": lambda x: F.alpha_dropout(x, 0.5, training=True),
}


@pytest.mark.parametrize("layer", KEPT)
def test_result_of_elementwise_layers_lies_as_their_input(layer):
    x = edutorch.arange(4800.0).reshape(40, 30, 4).permute(2, 1, 0)
    assert KEPT[layer](x).stride() == x.stride()


def test_volumes_in_double_precision_and_means_of_them_are_row_major():
    x = edutorch.rand(2, 3, 4, 4, 4).to(memory_format=edutorch.channels_last_3d)
    w = edutorch.rand(2, 3, 2, 2, 2)
    assert F.conv3d(x.double(), w.double()).is_contiguous()
    assert not F.conv3d(x, w).is_contiguous()
    assert F.avg_pool3d(x, 2).is_contiguous()


def test_pools_of_lines_with_channels_last_keep_them_so():
    x = edutorch.arange(24.0).reshape(2, 4, 3).transpose(1, 2)
    assert F.avg_pool1d(x, 2).stride() == (6, 1, 3)
    assert F.adaptive_avg_pool1d(x, 2).stride() == (6, 1, 3)


def test_strides_follow_the_first_operand_that_tells():
    c, f = np.zeros((2, 3)), np.zeros((3, 2)).T
    assert elementwise_strides((2, 3), 8, [f, c]) == (8, 16)
    assert elementwise_strides((2, 3), 8, [np.zeros((1, 3)), f]) == (8, 16)
    assert elementwise_strides((2, 3), 4, [np.zeros(())]) == (12, 4)


@pytest.mark.parametrize("dtype", [np.float16, np.float64])
def test_in_dtype_leaves_repeated_dimensions_where_they_stand(dtype):
    x = np.broadcast_to(np.arange(4.0, dtype=np.float32).reshape(1, 2, 2), (3, 2, 2))
    y = cast_preserving_strides(x, dtype)
    assert y.dtype == dtype
    assert y.flags.c_contiguous
    assert (y == x).all()
    transposed = cast_preserving_strides(x.transpose(0, 2, 1), dtype)
    assert transposed.transpose(0, 2, 1).flags.c_contiguous


@pytest.mark.parametrize("name", ["sin", "isnan", "bfloat16", "sqrt"])
@pytest.mark.parametrize("dtype", ["bfloat16", "uint8", "float32"])
def test_functions_of_expanded_tensors_are_row_major(name, dtype):
    x = edutorch.arange(3).to(getattr(edutorch, dtype)).expand(4, 3)
    assert getattr(x, name)().stride() == ((0, 1) if dtype == name else (3, 1))


# What PyTorch gives of tensors whose dimensions lie in the opposite order in memory.
TRANSPOSED = {
    "rot90": (lambda x: x.rot90(1, (1, 2)), (1, 6, 2)),
    "rot90 by 4": (lambda x: x.rot90(4, (1, 2)), (12, 4, 1)),
    "rot90 of repeated": (
        lambda x: x[:1].expand(2, 3, 4).rot90(3, (0, 1)),
        (1, 12, 3),
    ),
    "flip": (lambda x: x.flip(0), (1, 2, 6)),
    "sort": (lambda x: x.sort(0).indices, (1, 2, 6)),
    "argsort": (lambda x: x.argsort(1), (1, 2, 6)),
    "msort": (lambda x: x.msort(), (1, 2, 6)),
    "chebyshev": (lambda x: edutorch.special.chebyshev_polynomial_t(x, 2), (1, 2, 6)),
    "unique": (lambda x: x.unique_consecutive(dim=1), (4, 8, 1)),
    "hash": (lambda x: x.hash_tensor(0), (4, 1)),
    "to_dtype": (
        lambda x: x.to(edutorch.int64, memory_format=edutorch.contiguous_format),
        (12, 4, 1),
    ),
    "to": (lambda x: x.to(memory_format=edutorch.contiguous_format), (1, 2, 6)),
    "max_pool1d": (lambda x: F.max_pool1d(x, 2), (6, 2, 1)),
}


@pytest.mark.parametrize("name", TRANSPOSED)
def test_order_of_memory_is_that_of_pytorch(name):
    f, strides = TRANSPOSED[name]
    x = edutorch.arange(24.0).reshape(4, 3, 2).permute(2, 1, 0)
    assert f(x).stride() == strides


@pytest.mark.parametrize("pool", ["avg_pool1d", "adaptive_avg_pool1d"])
def test_lines_are_pooled_as_images_of_one_row(pool):
    x = edutorch.arange(24.0).reshape(2, 4, 3).mT
    assert getattr(F, pool)(x, 2).stride() == (6, 1, 3)
    assert getattr(F, pool)(x[0], 2).shape == (3, 2)


@pytest.mark.parametrize(
    ("layer", "strides"),
    [
        (lambda x: F.interpolate(x, scale_factor=2), (192, 1, 24, 3)),
        (lambda x: F.pad(x, (1, 1, 0, 0), "replicate"), (72, 1, 18, 3)),
        (lambda x: F.pad(x, (1, 1, 1, 1), "circular"), (108, 36, 6, 1)),
        (lambda x: F.pixel_unshuffle(x, 2), (48, 1, 24, 12)),
        (lambda x: F.channel_shuffle(x, 3), (48, 1, 12, 3)),
        (lambda x: F.instance_norm(x[:1]), (48, 16, 4, 1)),
        (lambda x: F.avg_pool3d(_volumes(x), 1), (48, 16, 16, 4, 1)),
        (lambda x: F.max_pool3d(_volumes(x), 1), (48, 1, 48, 12, 3)),
    ],
)
def test_channels_last_is_handed_on_where_pytorch_does(layer, strides):
    x = edutorch.arange(96.0).reshape(2, 3, 4, 4)
    y = layer(x.to(memory_format=edutorch.channels_last))
    steps = zip(y.shape, y.stride(), strides, strict=True)
    assert all(n == 1 or s == wanted for n, s, wanted in steps)


def _volumes(x):
    return x.unsqueeze(2).to(memory_format=edutorch.channels_last_3d)


def test_half_precision_with_one_element_becomes_complex():
    x = edutorch.ones(2, 1, dtype=edutorch.float16) + 1j
    assert (x.dtype, x.stride(), x[0].item()) == (edutorch.complex32, (1, 1), 1 + 1j)


@pytest.mark.parametrize("shape", [(1, 2, 3), (2, 1, 3), (3, 1), (1, 2, 3, 4)])
def test_strides_of_dimensions_of_one_element_are_the_usual_ones(shape):
    x = edutorch.arange(float(np.prod(shape))).reshape(shape)
    assert F.batch_norm(x, None, None, training=True).stride() == x.stride()
