"""What normalisation refuses."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "F.layer_norm(singles.half(), (3,), torch.ones(3)).shape",
]

SMOOTH = [
    "F.batch_norm(a, None, None, row, None, True)",
]

REFUSED = [
    "F.batch_norm(mask, None, None, training=True)",
    "F.layer_norm(singles, (3,), None, row)",
    "F.batch_norm(seq[:1, :, :1], None, None, training=True)",
    "F.layer_norm(a, (3,), row.float())",
    "F.layer_norm(singles, (3,), row)",
    "F.layer_norm(complexes, (2,), singles[0, :2])",
    "F.batch_norm(ints, None, None, training=True)",
    "F.group_norm(img.detach().float(), 2, ch)",
]


@pytest.mark.parametrize("case", CASES)
def test_norm_checks_equals_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_norm_checks_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_norm_checks_refused_by_pytorch_is_refused_alike(case):
    refused(__file__, case)
