"""Convolutions by oneDNN against the formulas of plain mode."""

import os

import numpy as np
import pytest

import edutorch
from edutorch import config
from edutorch.backends import mkldnn
from edutorch.kernels import conv, conv_onednn, onednn

pytestmark = pytest.mark.skipif(not onednn.is_installed(), reason="needs onednn")
RNG = np.random.default_rng(8)

# n, c, o, size, kernel, stride, padding, dilation, groups
CASES = {
    "line": (9, 16, 32, (50,), (5,), (2,), (2,), (1,), 1),
    "line_dilated": (5, 20, 16, (61,), (4,), (3,), (4,), (2,), 1),
    "image": (11, 16, 32, (17, 13), (3, 3), (2, 2), (1, 1), (1, 1), 1),
    "image_of_odd_sizes": (7, 7, 19, (15, 11), (3, 2), (2, 3), (1, 0), (1, 2), 1),
    "image_with_rest": (6, 24, 16, (16, 18), (3, 3), (2, 2), (0, 0), (1, 1), 1),
    "image_dilated": (5, 32, 48, (14, 14), (3, 3), (1, 1), (2, 2), (2, 2), 1),
    "image_of_few_channels": (9, 3, 32, (16, 16), (3, 3), (1, 1), (1, 1), (1, 1), 1),
    "image_with_large_kernel": (9, 8, 16, (14, 14), (5, 5), (1, 1), (0, 0), (1, 1), 1),
    "image_more_padding_than_kernel": (
        4, 16, 16, (6, 9), (2, 2), (2, 1), (3, 2), (1, 1), 1,
    ),
    "image_in_groups": (6, 32, 64, (12, 12), (3, 3), (1, 1), (1, 1), (1, 1), 4),
    "image_in_small_groups": (6, 64, 64, (12, 9), (3, 3), (2, 1), (1, 1), (1, 1), 16),
    "single_image": (1, 16, 32, (30, 31), (4, 4), (2, 2), (1, 1), (1, 1), 1),
    "image_of_heavy_kernels": (3, 72, 80, (5, 4), (3, 3), (1, 1), (1, 1), (1, 1), 1),
    "image_of_heavy_kernels_with_rest": (
        2, 69, 131, (7, 6), (3, 2), (2, 1), (1, 0), (1, 2), 1,
    ),
    "volume": (3, 8, 16, (6, 7, 9), (3, 2, 3), (2, 1, 2), (1, 0, 1), (1, 1, 1), 1),
}  # fmt: skip
ONLY_WITH_AVX_512 = ("image_in_small_groups",)  # else oneDNN may have none at all


@pytest.fixture(autouse=True)
def all_convolutions(monkeypatch):
    """Whatever oneDNN supports, not only what it computes faster."""
    monkeypatch.setattr(conv_onednn, "MIN_PRODUCTS", 0)
    monkeypatch.setattr(conv_onednn, "MAX_WASTE", 10**6)
    monkeypatch.setattr(conv_onednn, "MIN_CHANNELS", 0)
    monkeypatch.setattr(conv_onednn, "HEAVY_BYTES", 2**17)


def operands(case, dtype=np.float32):
    n, c, o, size, kernel, *settings, groups = CASES[case]
    x = RNG.standard_normal((n, c, *size)).astype(dtype)
    w = RNG.standard_normal((o, c // groups, *kernel)).astype(dtype)
    b = RNG.standard_normal(o).astype(dtype)
    out = conv.conv_size(size, kernel, *settings)
    g = RNG.standard_normal((n, o, *out)).astype(dtype)
    return x, w, b, g, (*settings, groups)


def by_onednn(x, w, b, g, params):
    return (
        conv_onednn.forward(x, w, b, *params, g.shape[2:]),
        conv_onednn.grad_input(g, w, x.shape, *params),
        conv_onednn.grad_weight(g, x, w.shape, *params),
    )


def exactly(x, w, b, g, params):
    x, w, b, g = (a.astype(np.float64) for a in (x, w, b, g))
    with config.kernels("plain"):
        return (
            conv.conv_forward(x, w, b, *params),
            conv.conv_grad_input(g, w, x.shape, *params),
            conv.conv_grad_weight(g, x, w.shape, *params),
        )


def assert_close(found, expected):
    for y, exact in zip(found, expected, strict=True):
        if y is not None:
            assert y.dtype == np.float32
            assert y.shape == exact.shape
            assert abs(y - exact).max() <= 3e-6 * abs(exact).max()


@pytest.mark.parametrize("case", CASES)
def test_results_equal_the_formulas(case):
    arrays = operands(case)
    found = by_onednn(*arrays)
    assert_close(found, exactly(*arrays))
    if case not in ONLY_WITH_AVX_512:
        assert any(y is not None for y in found)  # it lacks some gradients


def test_images_in_blocks_of_different_sizes_equal_the_formulas(monkeypatch):
    arrays = operands("image")
    image = (arrays[0].nbytes + arrays[3].nbytes) // 11
    for name in ("BLOCK_BYTES", "PARTIAL_SUM_BYTES"):
        monkeypatch.setattr(conv_onednn, name, 2 * image)
    assert_close(by_onednn(*arrays), exactly(*arrays))


def test_few_small_images_of_many_channels_are_computed_by_channels(monkeypatch):
    kinds = []
    compute = conv_onednn._compute_channels

    def compute_and_note(kind, *arguments):
        kinds.append(kind)
        return compute(kind, *arguments)

    monkeypatch.setattr(conv_onednn, "_compute_channels", compute_and_note)
    by_onednn(*operands("image"))
    assert kinds == []
    by_onednn(*operands("image_of_heavy_kernels"))
    assert kinds == ["forward", "grad_input"]
    monkeypatch.setattr(conv_onednn, "SMALL_IMAGES_BYTES", 2**10)
    by_onednn(*operands("image_of_heavy_kernels"))
    assert len(kinds) == 2


@pytest.mark.parametrize(
    "case",
    [
        "image",
        "image_of_few_channels",
        "image_in_groups",
        "image_of_heavy_kernels",
    ],
)
def test_results_have_the_same_bits_for_any_number_of_threads(case):
    arrays, before = operands(case), edutorch.get_num_threads()
    try:
        results = []
        for threads in (1, 2, 3):
            edutorch.set_num_threads(threads)
            results.append(by_onednn(*arrays))
    finally:
        edutorch.set_num_threads(before)
    for other in results[1:]:
        for a, b in zip(results[0], other, strict=True):
            assert a.tobytes() == b.tobytes()


@pytest.mark.parametrize("case", ["image", "image_of_heavy_kernels"])
def test_channels_last_operands_give_channels_last_results(case):
    x, w, b, g, params = operands(case)
    expected = by_onednn(x, w, b, g, params)
    x, g = (np.moveaxis(np.moveaxis(a, 1, -1).copy(), -1, 1) for a in (x, g))
    y, gx, gw = by_onednn(x, w, b, g, params)
    assert_close((y, gx, gw), expected)
    for a in (y, gx):
        assert np.moveaxis(a, 1, -1).flags.c_contiguous


@pytest.mark.parametrize("case", ["image", "image_of_heavy_kernels"])
def test_operands_with_gaps_and_in_reverse_are_copied(case):
    x, w, b, g, params = operands(case)
    expected = by_onednn(x, w, b, g, params)
    x = np.repeat(x, 2, -1)[..., ::2]
    w = w[::-1].copy()[::-1]
    g = np.asfortranarray(g)
    b = np.repeat(b, 3)[::3]
    for a, exact in zip(by_onednn(x, w, b, g, params), expected, strict=True):
        assert a.tobytes() == exact.tobytes()


def test_nan_and_inf_stay_in_their_windows():
    x, w, b, g, params = operands("image")
    clean = conv_onednn.forward(x, w, b, *params, g.shape[2:])
    x[3, 2, 4, 4], x[5, 0, 0, 0] = np.nan, np.inf
    y = conv_onednn.forward(x, w, b, *params, g.shape[2:])
    with config.kernels("plain"):
        expected = conv.conv_forward(x, w, b, *params)
    assert (np.isfinite(y) == np.isfinite(expected)).all()
    assert np.isnan(y[3]).any()
    assert np.isinf(y[5]).any()
    assert y[4].tobytes() == clean[4].tobytes()


def test_error_is_at_most_that_of_a_sum_in_single_precision():
    x, w, b, g, params = operands("image_dilated")
    y, exact = by_onednn(x, w, b, g, params)[0], exactly(x, w, b, g, params)[0]
    with config.kernels("plain"):
        plain = conv.conv_forward(x, w, b, *params)
    assert abs(y - exact).max() <= 1.5 * abs(plain - exact).max()


def test_other_dtypes_empty_arrays_and_plain_mode_are_left_to_others():
    x, w, b, g, params = operands("image", np.float64)
    assert by_onednn(x, w, b, g, params) == (None, None, None)
    x, w, b, g = (a.astype(np.float32) for a in (x, w, b, g))
    assert by_onednn(x[:0], w, b, g[:0], params) == (None, None, None)
    with config.kernels("plain"):
        assert by_onednn(x, w, b, g, params) == (None, None, None)
    with mkldnn.flags(enabled=False):
        assert by_onednn(x, w, b, g, params) == (None, None, None)
    assert all(a is not None for a in by_onednn(x, w, b, g, params))


def test_few_channels_large_weights_and_small_problems_are_left_to_others(monkeypatch):
    monkeypatch.undo()
    strided = ((2, 2), (1, 1), (1, 1), 1)

    def chosen(n, c, o):
        x, w, g = (
            np.ones(s, np.float32) for s in ((n, c, 16, 16), (o, c, 3, 3), (n, o, 8, 8))
        )
        found = by_onednn(x, w, None, g, strided)
        return "".join("yn"[a is None] for a in found)

    assert chosen(8, 32, 32) == "yyy"
    assert chosen(8, 3, 32) == "yny"
    assert chosen(8, 32, 17) == "nyy"
    assert chosen(1, 2, 2) == "nnn"
    assert chosen(1, 512, 512) == "yyn"


def test_small_images_of_many_channels_use_onednn_instead_of_winograd(monkeypatch):
    monkeypatch.setattr(conv_onednn, "_multiplies_fast", lambda: False)
    chosen = conv_onednn.is_faster_than_winograd
    assert chosen("forward", (8, 8), (256, 256, 3, 3))
    assert chosen("grad_input", (8, 8), (256, 256, 3, 3))
    assert not chosen("grad_weight", (8, 8), (256, 256, 3, 3))
    assert not chosen("forward", (8, 9), (256, 256, 3, 3))
    assert not chosen("forward", (8, 8), (256, 128, 3, 3))
    with mkldnn.flags(enabled=False):
        assert not chosen("forward", (8, 8), (256, 256, 3, 3))


def test_processors_that_multiply_fast_use_onednn_instead_of_winograd(monkeypatch):
    monkeypatch.undo()
    monkeypatch.setattr(conv_onednn, "_multiplies_fast", lambda: True)
    chosen = conv_onednn.is_faster_than_winograd
    for kind in ("forward", "grad_input", "grad_weight"):
        assert chosen(kind, (32, 32), (64, 64, 3, 3))
        with mkldnn.flags(enabled=False):
            assert not chosen(kind, (32, 32), (64, 64, 3, 3))
    assert not chosen("forward", (32, 32), (17, 64, 3, 3))
    assert not chosen("grad_weight", (4, 4), (512, 512, 3, 3))


def test_both_choices_agree_with_the_convolution_in_double_precision(monkeypatch):
    generator = np.random.default_rng(0)
    x, w, g = (
        generator.standard_normal(s).astype(np.float32)
        for s in ((8, 64, 16, 16), (64, 64, 3, 3), (8, 64, 16, 16))
    )
    geometry = (1, 1), (1, 1), (1, 1), 1

    def all_three(x, w, g):
        return (
            conv.conv_forward(x, w, None, *geometry),
            conv.conv_grad_input(g, w, x.shape, *geometry),
            conv.conv_grad_weight(g, x, w.shape, *geometry),
        )

    expected = all_three(*(a.astype(np.float64) for a in (x, w, g)))
    for fast in (False, True):
        monkeypatch.setattr(conv_onednn, "_multiplies_fast", lambda fast=fast: fast)
        with config.kernels("auto"):
            found = all_three(x, w, g)
        for a, e in zip(found, expected, strict=True):
            assert np.abs(a - e).max() <= 1e-5 * np.abs(e).max()


def test_convolutions_and_their_gradients_use_onednn(monkeypatch):
    x, w, b, g, params = operands("image")
    found = by_onednn(x, w, b, g, params)
    with config.kernels("auto"):
        used = (
            conv.conv_forward(x, w, b, *params),
            conv.conv_grad_input(g, w, x.shape, *params),
            conv.conv_grad_weight(g, x, w.shape, *params),
        )
    for a, same in zip(used, found, strict=True):
        assert a.tobytes() == same.tobytes()


def test_a_forked_process_computes_the_same_bits():
    arrays, before = operands("image"), edutorch.get_num_threads()
    edutorch.set_num_threads(2)
    try:
        expected = [a.tobytes() for a in by_onednn(*arrays)]
        pid = os.fork()
        if not pid:
            status = 1
            try:
                again = [a.tobytes() for a in by_onednn(*arrays)]
                new = by_onednn(*operands("line"))  # with primitives of its own
                status = int(again != expected or any(a is None for a in new))
            finally:
                os._exit(status)
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    finally:
        edutorch.set_num_threads(before)
