"""Batch normalisation."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "F.batch_norm(img, None, None, ch, ch, True)",
    "F.batch_norm(img, None, None, training=True)",
    "F.batch_norm(a, None, None, row, row, True)",
    "F.batch_norm(seq, ch.detach(), ch.detach() ** 2, ch, ch)",
    "F.batch_norm(img, ch.detach(), ch.detach() ** 2)",
    "F.batch_norm(singles, None, None, training=True)",
    "m, v = ch.detach(), ch.detach() ** 2;"
    "F.batch_norm(img, m, v, ch, None, True, 0.3); [m, v]",
    "F.batch_norm(singles[:0], None, None, training=True)",
]

FOUR = "torch.tensor([0.1, 0.2, 0.3, 0.4]).double()"

SMOOTH = [
    "F.batch_norm(img[:, :, :2], None, None, ch, bias[:4], True)",
    "F.batch_norm(a, None, None, training=True)",
    f"F.batch_norm(seq, {FOUR}, {FOUR}, ch, bias[:4])",
    f"F.batch_norm(a, {FOUR}[:3], {FOUR}[1:])",
]

REFUSED = [
    "F.batch_norm(torch.ones(3, 2) > 0, torch.zeros(2), torch.ones(2))",
    "F.batch_norm(a, row.detach(), row.detach().float())",
    "F.batch_norm(a, row.detach(), ints[0], training=True)",
    "F.batch_norm(row, None, None, training=True)",
    "F.batch_norm(a, None, None)",
    "F.batch_norm(a, row, None)",
    "F.batch_norm(a[:1], None, None, training=True)",
    "F.batch_norm(a, ch, row)",
    "F.batch_norm(a, row, ch)",
    "F.batch_norm(a, row, row, ch)",
    "F.batch_norm(a, row, row, row, ch)",
    "F.batch_norm(ints, None, None, training=True)",
    "F.batch_norm(singles, None, None, row, training=True)",
    "F.batch_norm(a, row, row, eps=-1.0)",
    "F.batch_norm(a, row, row, training=True, eps=0.0)",
    "F.batch_norm(None, None, None)",
    "F.batch_norm(a, row.detach(), 'a')",
    "F.batch_norm(a, None, None, 1.0)",
    "F.batch_norm(a, row.detach(), None, training=True)",
    "F.batch_norm(a, row.detach(), row.detach(), row.float())",
]


@pytest.mark.parametrize("case", CASES)
def test_batch_norm_equals_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_batch_norm_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_batch_norm_refused_by_pytorch_is_refused_alike(case):
    refused(__file__, case)
