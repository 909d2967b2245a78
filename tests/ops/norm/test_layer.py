"""Layer normalisation."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "F.layer_norm(a, (3,), row, row)",
    "F.layer_norm(a, (2, 3))",
    "F.layer_norm(img, (4, 3))",
    "F.layer_norm(a, (3,), None, row)",
    "torch.layer_norm(a, [3], row)",
    "F.layer_norm(singles, (3,))",
    "F.layer_norm(singles[:0], (3,))",
    "F.layer_norm(singles.half(), (3,))",
    "F.rms_norm(singles.half(), (3,), row.float())",
]

SMOOTH = [
    "F.layer_norm(a, (3,), row, b[0])",
    "F.layer_norm(a, (2, 3), positive, b)",
    "F.layer_norm(a, (3,), None, row)",
    "F.layer_norm(a, (3,), row)",
    "F.rms_norm(a, (3,), row)",
]

REFUSED = [
    "F.layer_norm(a, (True,))",
    "F.layer_norm(a, (4,))",
    "F.layer_norm(a, ())",
    "F.layer_norm(a, 3)",
    "F.layer_norm(a, (3,), ch)",
    "F.layer_norm(a, (3,), row, ch)",
    "F.layer_norm(ints, (3,))",
    "F.layer_norm(singles, (3,), row)",
    "F.rms_norm(a, 3)",
    "F.rms_norm(a, (4,))",
    "F.layer_norm(a, (3.0,))",
    "F.rms_norm(ints, (3,))",
    "F.rms_norm(a, (2, 2, 3))",
    "F.layer_norm(a, (3,), 'a')",
    "F.rms_norm(a, (3,), [1.0])",
]

COMPOSED = [
    "F.rms_norm(a, (3,), row)",
    "torch.rms_norm(singles, (2, 3), eps=0.1)",
]


@pytest.mark.parametrize("case", COMPOSED)
def test_rms_norm_equals_pytorch_with_its_node(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", CASES)
def test_layer_norm_equals_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_layer_norm_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_layer_norm_refused_by_pytorch_is_refused_alike(case):
    refused(__file__, case)
