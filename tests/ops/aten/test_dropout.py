"""Dropout as `torch` has it."""

import pytest

from tests.ops.cases import alike, refused

KINDS = ("dropout", "feature_dropout", "alpha_dropout", "feature_alpha_dropout")

CASES = [
    *(f"torch.manual_seed(4); torch.{kind}(img, 0.4, True)" for kind in KINDS),
    *(f"torch.manual_seed(4); torch.{kind}_(img * 2, 0.4, True)" for kind in KINDS),
    *(f"torch.{kind}(row, p=0.4, train=False)" for kind in KINDS),
    *(f"torch.{kind}(row, 0.0, True)" for kind in KINDS),
]

REFUSED = [
    "torch.dropout(row, 1.5, True)",
    "torch.feature_dropout(row, 0.5, True)",
    "torch.feature_alpha_dropout(row, 0.5, True)",
    "torch.alpha_dropout(row, -0.5, False)",
]


@pytest.mark.parametrize("case", CASES)
def test_dropout_equals_pytorch_but_for_its_node(case):
    alike(__file__, case, nodes=False)


@pytest.mark.parametrize("case", REFUSED)
def test_dropout_refused_by_pytorch_is_refused_alike(case):
    refused(__file__, case)
