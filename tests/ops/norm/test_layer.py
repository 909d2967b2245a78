"""Layer normalisation."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "F.layer_norm(a, (3,), r, r)",
    "F.layer_norm(a, (2, 3))",
    "F.layer_norm(img, (4, 3))",
    "F.layer_norm(a, (3,), None, r)",
    "torch.layer_norm(a, [3], r)",
    "F.layer_norm(f, (3,))",
    "F.layer_norm(f[:0], (3,))",
    "F.layer_norm(f.half(), (3,))",
    "F.rms_norm(f.half(), (3,), r.float())",
]

SMOOTH = [
    "F.layer_norm(a, (3,), r, b[0])",
    "F.layer_norm(a, (2, 3), p, b)",
    "F.layer_norm(a, (3,), None, r)",
    "F.layer_norm(a, (3,), r)",
    "F.rms_norm(a, (3,), r)",
]

REFUSED = [
    "F.layer_norm(a, (4,))",
    "F.layer_norm(a, ())",
    "F.layer_norm(a, 3)",
    "F.layer_norm(a, (3,), ch)",
    "F.layer_norm(a, (3,), r, ch)",
    "F.layer_norm(k, (3,))",
    "F.layer_norm(f, (3,), r)",
    "F.rms_norm(a, 3)",
    "F.rms_norm(a, (4,))",
    "F.layer_norm(a, (3.0,))",
    "F.rms_norm(k, (3,))",
    "F.rms_norm(a, (2, 2, 3))",
    "F.layer_norm(a, (3,), 'a')",
    "F.rms_norm(a, (3,), [1.0])",
]

COMPOSED = [
    "F.rms_norm(a, (3,), r)",
    "torch.rms_norm(f, (2, 3), eps=0.1)",
]


@pytest.mark.parametrize("case", COMPOSED)
def test_rms_norm_equals_pytorch_but_for_its_node(case):
    alike(__file__, case, nodes=False)


@pytest.mark.parametrize("case", CASES)
def test_layer_norm_equals_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_layer_norm_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_layer_norm_refused_by_pytorch_is_refused_alike(case):
    refused(__file__, case)
