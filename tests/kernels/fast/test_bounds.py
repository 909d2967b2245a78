"""Kernels refuse arrays that do not fit together before they run."""

import ast
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from edutorch.kernels import fast
from edutorch.kernels.fast import bounds
from edutorch.kernels.padded_buffers import conv_geometry, padded_buffer

FILES = sorted(Path(fast.__file__).parent.glob("*.py"))
HOW = conv_geometry((1,), (1,), (1,))
# Kernel, stride, padding and dilation of pooling windows.
WINDOWS = np.array([[1, 2, 2], [1, 2, 2], [0, 0, 0], [1, 1, 1]])


def f(*shape):
    return np.ones(shape, np.float32)


def i(*numbers):
    return np.array(numbers, np.int64)


def u(*shape):
    return np.ones(shape, np.uint8)


def half_bits(*shape):
    return np.ones(shape, np.uint16)


def space():
    return padded_buffer(HOW, (1, 1, 9), 1, np.float32)


def free(place, *dims):
    """Sizes that a kernel reads off an array, so that no other must equal them."""
    return {(place, dim, by) for dim in dims for by in (-1, 1)}


def smaller(place, *dims):
    """Sizes of windows: fewer windows fit the buffer."""
    return {(place, dim, -1) for dim in dims}


# Arguments that belong together, and changes (argument, dimension, by how much) that
# do no harm.
SAMPLES = {
    "activations.clamp": ([f(9), f(9), 0.0, 1.0], set()),
    "casts.float16_from_float32": ([f(9), half_bits(9)], set()),
    "casts.float32_from_float16": ([half_bits(9), f(9)], set()),
    "activations.relu_gradient": ([f(9), f(9), f(9)], set()),
    "activations.leaky_relu": ([f(9), f(9), 0.1], set()),
    "activations.leaky_relu_gradient": ([f(9), f(9), f(9), 0.1], set()),
    "activations.expm1": ([f(9), f(9)], set()),
    "activations.sigmoid": ([f(9), f(9)], set()),
    "activations.sigmoid_gradient": ([f(9), f(9), f(9)], set()),
    "activations.tanh_gradient": ([f(9), f(9), f(9)], set()),
    "activations.silu": ([f(9), f(9)], set()),
    "activations.silu_gradient": ([f(9), f(9), f(9)], set()),
    "activations.gelu": ([f(9), f(9)], set()),
    "activations.gelu_gradient": ([f(9), f(9), f(9)], set()),
    "conv_im2col.im2col": (
        [f(2, 3, 1, 1, 9), HOW, space(), 0, 9, f(3, 1, 1, 3, 2, 1, 1, 9)],
        free(0, 2, 3, 4) | smaller(5, 1, 2, 3, 5, 6, 7),
    ),
    "conv_im2col.col2im": (
        [f(3, 1, 1, 3, 2, 1, 1, 9), 9, HOW, space(), f(2, 3, 1, 1, 9)],
        free(4, 2, 3, 4) | smaller(0, 1, 2, 3, 5, 6, 7),
    ),
    "grid_sample.bilinear": ([f(2, 3, 4, 5), f(2, 7), f(2, 7), f(2, 3, 7)], free(0, 2, 3)),
    "grid_sample.bilinear_backward": (
        [f(2, 3, 7), f(2, 3, 4, 5), f(2, 7), f(2, 7), f(2, 3, 4, 5), f(2, 7), f(2, 7)],
        set(),
    ),
    "conv_depthwise.forward": (
        [f(8, 1, 1, 9), f(4, 1, 1, 3), HOW, space(), 0, 8, f(8, 1, 1, 9)],
        free(0, 1, 2, 3) | smaller(1, 1, 2, 3) | smaller(6, 1, 2, 3),
    ),
    "conv_depthwise.grad_input": (
        [f(8, 1, 1, 9), f(4, 1, 1, 3), HOW, space(), 0, 8, f(8, 1, 1, 9)],
        free(6, 1, 2, 3) | smaller(1, 1, 2, 3) | smaller(0, 1, 2, 3),
    ),
    "conv_depthwise.grad_weight": (
        [f(6, 1, 1, 9), f(6, 1, 1, 9), HOW, space(), 0, 3, f(3, 1, 1, 3)],
        free(1, 1, 2, 3) | smaller(6, 1, 2, 3) | smaller(0, 1, 2, 3),
    ),
    "distances.distances": ([f(3, 4), f(4, 5), f(3, 5)], set()),
    "distances.distances_backward": (
        [f(3, 5), f(3, 4), f(4, 5), f(3, 4), f(4, 5)], set(),
    ),
    "introsort.heap_sort": ([i(3, 2, 1).astype(np.int32), i(0, 1, 2), 0, 2, 3], set()),
    "introsort.introsort": (
        [i(3, 2, 1).astype(np.int32), i(0, 1, 2), i(0), i(3), i(2)], set(),
    ),
    "multiply_add.add_scaled": ([f(9), f(9), f(9), 0.1], set()),
    "sum_of_squares.add_squares": ([f(5, 8), f(8)], free(0, 0)),
    "norm.normalize_rows": ([f(3, 5), f(5), f(5), 0.1, f(3, 5), f(3), f(3)], set()),
    "norm.normalize_rows_backward": (
        [f(3, 5), f(3, 5), f(5), f(3), f(3), f(3, 5), f(5), f(5)], set(),
    ),
    "norm.normalize_channels": (
        [f(2, 3, 5), f(3), f(3), 0.1, f(2, 3, 5), f(3), f(3), 0], set(),
    ),
    "norm.normalize_channels_backward": (
        [f(2, 3, 5), f(2, 3, 5), f(3), f(3), f(3), f(2, 3, 5), f(3), f(3), 0], set(),
    ),
    "box_muller.box_muller": ([f(3, 2, 8), f(3, 2, 8)], set()),
    "optim.descend": ([f(9), f(9), 0.1], set()),
    "optim.sgd_step": ([f(9), f(9), f(9), 0.1, 0.9, 0.0, 0.0, 0.0], set()),
    "optim.adam_step": (
        [f(9), f(9), f(9), f(9), 0.1, 0.9, 0.9, 0.1, 0.0, 1.0], set(),
    ),
    "softmax.softmax": ([f(3, 5), f(3, 5)], set()),
    "softmax.softmax_backward": ([f(3, 5), f(3, 5), f(3, 5)], set()),
    "softmax.log_softmax": ([f(3, 5), f(3, 5)], set()),
    "softmax.log_softmax_backward": ([f(3, 5), f(3, 5), f(3, 5)], set()),
    "softmax.cross_entropy": ([f(3, 5), i(0, 4, 2), f(3), f(3), f(3)], free(0, 1)),
    "softmax.cross_entropy_backward": (
        [f(3, 5), i(0, 4, 2), f(3), f(3), f(3), f(3, 5)], set(),
    ),
    "scatter.scatter_add_rows": ([f(3, 5), f(4, 5), i(0, 3, 1)], free(1, 0)),
    "conv_winograd.input_tiles": (
        [f(2, 3, 8, 8), 1, 1, 4, f(24, 3, 16)],
        free(0, 0, 2, 3) | {(0, 1, -1), (4, 1, 1)},
    ),
    "conv_winograd.gradient_tiles": ([f(2, 3, 8, 8), 0, 4, f(24, 3, 16)], free(0, 0, 2, 3)),
    "conv_winograd.output_tiles": (
        [f(24, 2, 3, 16), f(2, 3, 8, 8), f(3), 2, 0, 0, 0],
        free(0, 1) | free(1, 2) | {(0, 2, -1), (1, 0, 1), (1, 3, -1)},
    ),
    "conv_winograd.kernel_tiles": (
        [f(4, 6, 9), 1, False, f(24, 2, 3, 3)],
        {(0, 0, 1), (0, 1, -1), (3, 1, 1), (3, 2, -1), (3, 3, 1)},
    ),
    "conv_winograd.kernel_gradients": ([f(24, 3, 5), f(3, 5, 9)], set()),
    "conv_winograd_2x2.input_tiles": (
        [f(2, 3, 4, 4), 0, 1, 1, 2, f(16, 3, 8)],
        free(0, 2, 3) | {(0, 0, -1), (0, 1, 1), (5, 1, -1)},
    ),
    "conv_winograd_2x2.output_tiles": (
        [f(16, 3, 8), f(2, 3, 4, 4), f(3), 2, 0, 0, 0],
        free(1, 2) | {(0, 1, -1), (1, 0, 1), (1, 3, -1)},
    ),
    "conv_winograd_2x2.kernel_tiles": (
        [f(4, 6, 9), 1, 2, False, f(16, 2, 3)], free(0, 0, 1) | free(4, 1, 2),
    ),
    "max_pool.max_pool_2x2": (
        [f(2, 4, 6), f(2, 2, 3), u(2, 2, 3)], {(0, 1, 1), (0, 2, 1)},
    ),
    "max_pool.max_pool_channels_last": (
        [f(2, 1, 4, 4, 3), f(2, 1, 2, 2, 3), u(2, 1, 2, 2, 3), WINDOWS],
        free(0, 1, 2, 3),
    ),
    "max_pool.max_pool_backward": (
        [f(2, 1, 2, 2, 3), u(2, 1, 2, 2, 3), f(2, 1, 4, 4, 3), WINDOWS],
        free(2, 1, 2, 3),
    ),
}  # fmt: skip

# Kernels that give indices, and which of their arguments those are.
INDICES = {
    "softmax.cross_entropy": (1, 5),
    "softmax.cross_entropy_backward": (1, 5),
    "scatter.scatter_add_rows": (2, 4),
}


def kernel_of(name):
    file, _, function = name.partition(".")
    return getattr(import_module(f"{fast.__name__}.{file}"), function)


def resized(array, dim, by):
    shape = list(array.shape)
    shape[dim] += by
    return np.resize(array, shape)  # repeats: indices stay in their range


def misfits(arguments, harmless):
    """The changes of one size that do harm, of one array at a time."""
    for place, array in enumerate(arguments):
        if not isinstance(array, np.ndarray) or array is HOW or array.ndim == 6:
            continue  # those that describe windows fit all others or none
        for dim in range(array.ndim):
            for by in (-1, 1):
                if (place, dim, by) not in harmless:
                    yield place, dim, by


def test_every_kernel_has_a_sample():
    kernels = {
        f"{path.stem}.{node.name}"
        for path in FILES
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef)
        and any(
            isinstance(d, ast.Call) and getattr(d.func, "id", "") == "kernel"
            for d in node.decorator_list
        )
    }
    assert kernels == set(SAMPLES)


@pytest.mark.parametrize("name", SAMPLES)
def test_kernel_when_all_sizes_fit_runs(name):
    arguments, _ = SAMPLES[name]
    kernel_of(name)(
        *[np.copy(a) if isinstance(a, np.ndarray) else a for a in arguments]
    )


@pytest.mark.parametrize("name", SAMPLES)
def test_kernel_when_one_size_differs_refuses_and_writes_nothing(name):
    arguments, harmless = SAMPLES[name]
    for place, dim, by in misfits(arguments, harmless):
        given = [np.copy(a) if isinstance(a, np.ndarray) else a for a in arguments]
        given[place] = resized(given[place], dim, by)
        before = [np.copy(a) for a in given]
        with pytest.raises(RuntimeError, match="sizes of the tensors do not match"):
            kernel_of(name)(*given)
        for a, b in zip(given, before, strict=True):
            np.testing.assert_array_equal(a, b, err_msg=f"{place}, {dim}, {by}")


@pytest.mark.parametrize("wrong", [-1, "size", 10**9, -(2**63)])
@pytest.mark.parametrize("name", INDICES)
def test_kernel_when_an_index_is_out_of_range_refuses(name, wrong):
    arguments, _ = SAMPLES[name]
    place, size = INDICES[name]
    given = [np.copy(a) if isinstance(a, np.ndarray) else a for a in arguments]
    given[place][1] = size if wrong == "size" else wrong
    with pytest.raises(IndexError, match="out of range"):
        kernel_of(name)(*given)


@pytest.mark.parametrize("part", [(-1, 3), (0, 9), (4, 3)])
@pytest.mark.parametrize("name", [n for n in SAMPLES if n.startswith("depthwise")])
def test_depthwise_when_planes_are_not_there_refuses(name, part):
    given = [np.copy(a) if isinstance(a, np.ndarray) else a for a in SAMPLES[name][0]]
    given[4:6] = part
    with pytest.raises(RuntimeError, match="do not match"):
        kernel_of(name)(*given)


def test_within_accepts_all_indices_of_a_size():
    bounds.require_in_range(i(0, 1, 2), 3)
    bounds.require_in_range(i(), 0)
