"""Times of kernels and copies, against sums by hand."""

from __future__ import annotations

import numpy as np
import pytest

from edutorch.autograd.node import Op
from edutorch.backends.cost_model import FLOPS, PRESETS, flops_of, preset
from edutorch.ops.attention.scaled_dot_product import Attention


def test_kernel_takes_the_slower_of_arithmetic_and_memory():
    a100 = PRESETS["A100"]
    flops, nbytes = 2 * 4096**3, 3 * 4096**2 * 4
    by_arithmetic = 3e-6 + 137_438_953_472 / 19.5e12
    assert a100.kernel_seconds(flops, nbytes, "float32") == pytest.approx(by_arithmetic)
    by_memory = 3e-6 + 1e9 / 2039e9
    assert a100.kernel_seconds(1000, 10**9, "float32") == pytest.approx(by_memory)
    half = a100.kernel_seconds(flops, 0, "float16") - 3e-6
    assert half * 16 == pytest.approx(by_arithmetic - 3e-6)
    unknown = a100.kernel_seconds(flops, 0, "int64")
    assert unknown == a100.kernel_seconds(flops, 0, "float32")


def test_copies_from_pageable_memory_are_copied_twice():
    t4 = PRESETS["T4"]
    assert t4.copy_seconds(12 * 10**9, pinned=True) == pytest.approx(1.00001)
    assert t4.copy_seconds(12 * 10**9) == pytest.approx(1.00001 + 1.2)
    assert PRESETS["A100"].peer_seconds(3 * 10**9) == pytest.approx(0.01001)


def test_presets_are_found_in_any_case_and_others_are_refused():
    assert preset("h200") is PRESETS["H200"] and set(PRESETS) >= {"T4", "laptop"}
    with pytest.raises(ValueError, match=r"T4, A100, H200, laptop\), got 'V100'"):
        preset("V100")


@pytest.mark.parametrize(
    ("op", "operands", "out", "flops"),
    [
        ("Mm", [(2, 3), (3, 5)], (2, 5), 2 * 2 * 3 * 5),
        ("Linear", [(7, 4, 3), (5, 3), (5,)], (7, 4, 5), 2 * 28 * 3 * 5),
        ("Addmm", [(5,), (2, 3), (3, 5)], (2, 5), 60),
        ("Addbmm", [(2, 5), (4, 2, 3), (4, 3, 5)], (2, 5), 4 * 60),
        ("Convolution", [(1, 3, 8, 8), (6, 3, 5, 5)], (1, 6, 4, 4), 2 * 96 * 75),
        ("ConvTranspose", [(1, 6, 4, 4), (6, 3, 5, 5)], (1, 3, 8, 8), 2 * 96 * 75),
        ("Attention", [(1, 2, 4, 8)] * 3, (1, 2, 4, 8), 2 * 2 * 2 * 4 * 4 * 8),
        ("LstmLayer", [(9, 2, 12), (2, 3), (2, 3), (12, 3)], (9, 2, 3), 9 * 2 * 72),
        ("Add", [(4, 1), (5,)], (4, 5), 20),
        ("SumAll", [(4, 5)], (), 20),
    ],
)
def test_operations_are_counted_by_shapes(op, operands, out, flops):
    arrays = [np.empty(shape) for shape in operands]
    assert flops_of(op, arrays, np.empty(out)) == flops


def test_every_op_with_a_formula_is_an_op_of_the_library():
    def names(kind):
        return {kind.__name__}.union(*map(names, kind.__subclasses__()))

    assert Attention.__name__ in FLOPS  # its file is loaded when it is needed
    assert set(FLOPS) <= names(Op)
