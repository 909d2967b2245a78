"""Group and instance normalisation."""

import numpy as np
import pytest

import edutorch
from tests.ops.cases import alike, derivatives, refused

CASES = [
    "F.group_norm(img, 2, ch, ch)",
    "F.group_norm(seq, 4)",
    "torch.group_norm(a, 1, row)",
    "torch.group_norm(a[:1], 3, row, row, 1e-5, False)",
    "F.instance_norm(img[:0].detach(), ch.detach(), ch.detach())",
]

SMOOTH = [
    "F.group_norm(seq, 2, ch, bias[:4])",
    "F.group_norm(a, 3 - 2)",
    "F.instance_norm(seq, weight=ch, bias=bias[:4])",
]

REFUSED = [
    "F.instance_norm(ch, row, row, use_input_stats=False)",
    "F.instance_norm(torch.rand(3, 2, 4), torch.ones(1).expand(2), torch.ones(2))",
    "torch.nn.functional.instance_norm(torch.ones(3))",
    "torch.group_norm(row, 1)",
    "torch.group_norm(a, 0)",
    "torch.group_norm(a, 1, cudnn_enabled=1)",
    "F.group_norm(img, 3)",
    "F.group_norm(row, 1)",
    "F.group_norm(img, 2, row)",
    "F.group_norm(img, 2, ch, row)",
    "F.group_norm(a[:1, :2], 2)",
    "F.group_norm(a[:1], 2)",
    "F.group_norm(ints, 1)",
    "F.instance_norm(a)",
    "F.instance_norm(seq[:, :, :1])",
    "F.instance_norm(seq, use_input_stats=False)",
    "F.group_norm(img, 2.5)",
    "F.group_norm(img, -1)",
    "F.group_norm(img, 2, 'a')",
    "F.instance_norm(img, 'a')",
    "F.group_norm(img, 0)",
    "F.instance_norm(img, ch.detach(), None)",
]

INSTANCES = [
    "F.instance_norm(img)",
    "F.instance_norm(seq, None, None, ch, ch)",
    "F.instance_norm(seq, ch.detach(), ch.detach() ** 2, ch, ch, False)",
    "m, v = ch.detach(), ch.detach() ** 2; F.instance_norm(seq, m, v); [m, v]",
]


@pytest.mark.parametrize("case", INSTANCES)
def test_instance_norm_equals_pytorch_but_for_its_node(case):
    alike(__file__, case, nodes=False)


@pytest.mark.parametrize("case", CASES)
def test_group_norm_equals_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_group_norm_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_group_norm_refused_by_pytorch_is_refused_alike(case):
    refused(__file__, case)


def test_numpy_eps_does_not_widen_the_result():
    x = edutorch.ones(1, 6, 3)
    y = edutorch.nn.functional.group_norm(x, 2, eps=np.int64(1))
    assert y.dtype is edutorch.float32
