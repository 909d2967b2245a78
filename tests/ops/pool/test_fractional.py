"""Fractional maximum pooling."""

import pytest

from tests.ops.cases import alike, derivatives, refused

U2 = "torch.tensor([[[0.2, 0.9], [0.5, 0.1], [0.7, 0.7], [0.0, 0.3]]] * 2).double()"
U3 = "torch.tensor([[[0.2, 0.9, 0.5], [0.5, 0.1, 0.8]]]).double()"

CASES = [
    f"F.fractional_max_pool2d(img, 2, (3, 2), _random_samples={U2})",
    f"F.fractional_max_pool2d(img, 2, None, (0.5, 0.7), True, {U2})",
    f"F.fractional_max_pool2d(img[0], (2, 1), 3, _random_samples={U2})",
    f"F.fractional_max_pool3d(vol, (2, 2, 1), (1, 2, 2), None, True, {U3})",
    "torch.manual_seed(1); F.fractional_max_pool2d(img, 2, (3, 2))",
    "torch.manual_seed(1); F.fractional_max_pool3d(vol, 1, output_ratio=0.7)",
    f"F.fractional_max_pool2d(img, 2, 0, None, True, {U2})",
    f"F.fractional_max_pool3d(vol, 2, (1, 0, 1), _random_samples={U3})",
    "torch.manual_seed(1); F.fractional_max_pool2d_with_indices(img, 2, 2)",
]

SMOOTH = [
    f"F.fractional_max_pool2d(img, 2, (3, 2), _random_samples={U2})",
]

REFUSED = [
    "F.fractional_max_pool2d(img, 2)",
    "F.fractional_max_pool2d(img, 2, 4)",
    "F.fractional_max_pool2d(img, 2, -1)",
    "F.fractional_max_pool2d(img, 2, output_ratio=0.5)",
    "F.fractional_max_pool2d(img, 2, output_ratio=(0.5, 0.5, 0.5))",
    "F.fractional_max_pool2d(a, 2, 1)",
    "F.fractional_max_pool2d(img, (2, 2, 2), 2)",
    "F.fractional_max_pool2d(img, 2, (2, 2, 2))",
    f"F.fractional_max_pool2d(img, 2, 2, _random_samples={U2}.float())",
    f"F.fractional_max_pool2d(img, 2, 2, _random_samples={U2}[0])",
    f"F.fractional_max_pool2d(img, 2, 2, _random_samples={U2}[:, :1])",
    "F.fractional_max_pool3d(vol, 2)",
    "F.fractional_max_pool3d(vol, 2, 4)",
]


@pytest.mark.parametrize("case", CASES)
def test_fractional_pool_equals_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_fractional_pool_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_fractional_pool_refused_by_pytorch_is_refused_alike(case):
    refused(__file__, case)
