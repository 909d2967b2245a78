"""Convolution by columns: on NumPy's arrays it must equal the plain formulas."""

from __future__ import annotations

import numpy as np
import pytest

from edutorch.kernels.gpu import conv
from edutorch.kernels.plain import conv as plain

CASES = [  # sizes, kernel, stride, padding, dilation, groups
    ((7,), (3,), (1,), (1,), (1,), 1),
    ((8, 9), (3, 2), (2, 1), (1, 0), (1, 2), 2),
    ((6, 6), (1, 1), (1, 1), (0, 0), (1, 1), 1),
    ((5, 4, 6), (2, 3, 2), (1, 2, 2), (1, 1, 0), (1, 1, 1), 4),
]


def _outputs(size, kernel, stride, padding, dilation):
    sizes = zip(size, kernel, stride, padding, dilation, strict=True)
    return tuple((n + 2 * p - (k - 1) * d - 1) // s + 1 for n, k, s, p, d in sizes)


@pytest.mark.parametrize("parts", ["whole batch", "sample by sample"])
@pytest.mark.parametrize("case", CASES)
def test_columns_give_what_the_plain_formulas_give(case, parts, monkeypatch):
    size, kernel, stride, padding, dilation, groups = case
    if parts == "sample by sample":
        monkeypatch.setattr(conv, "COLUMN_BYTES", 1)
    rng = np.random.default_rng(0)
    x = rng.standard_normal((3, 4, *size))
    w, b = rng.standard_normal((8, 4 // groups, *kernel)), rng.standard_normal(8)
    out = _outputs(size, kernel, stride, padding, dilation)
    g = rng.standard_normal((3, 8, *out))
    where = stride, padding, dilation, groups
    for name, *arguments in [
        ("conv_forward", x, w, b, *where, out),
        ("conv_forward", x, w, None, *where, out),
        ("conv_grad_weight", g, x, w.shape, *where),
        ("conv_grad_input", g, w, x.shape, *where),
    ]:
        ours, expected = (getattr(m, name)(*arguments) for m in (conv, plain))
        assert ours.shape == expected.shape
        assert np.allclose(ours, expected, rtol=1e-12, atol=1e-12)


def test_batch_of_nothing_has_gradients_of_zeros():
    x, where = np.zeros((0, 2, 5)), ((1,), (0,), (1,), 1)
    assert conv.conv_forward(x, np.ones((3, 2, 2)), None, *where, (4,)).shape == (
        0,
        3,
        4,
    )
    gw = conv.conv_grad_weight(np.zeros((0, 3, 4)), x, (3, 2, 2), *where)
    assert (gw == np.zeros((3, 2, 2))).all()
