"""Batch normalisation."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "F.batch_norm(img, None, None, ch, ch, True)",
    "F.batch_norm(img, None, None, training=True)",
    "F.batch_norm(a, None, None, r, r, True)",
    "F.batch_norm(seq, ch.detach(), ch.detach() ** 2, ch, ch)",
    "F.batch_norm(img, ch.detach(), ch.detach() ** 2)",
    "F.batch_norm(f, None, None, training=True)",
    "m, v = ch.detach(), ch.detach() ** 2;"
    "F.batch_norm(img, m, v, ch, None, True, 0.3); [m, v]",
    "F.batch_norm(f[:0], None, None, training=True)",
]

FOUR = "torch.tensor([0.1, 0.2, 0.3, 0.4]).double()"

SMOOTH = [
    "F.batch_norm(img[:, :, :2], None, None, ch, bias[:4], True)",
    "F.batch_norm(a, None, None, training=True)",
    f"F.batch_norm(seq, {FOUR}, {FOUR}, ch, bias[:4])",
    f"F.batch_norm(a, {FOUR}[:3], {FOUR}[1:])",
]

REFUSED = [
    "F.batch_norm(a, r.detach(), r.detach().float())",
    "F.batch_norm(a, r.detach(), k[0], training=True)",
    "F.batch_norm(r, None, None, training=True)",
    "F.batch_norm(a, None, None)",
    "F.batch_norm(a, r, None)",
    "F.batch_norm(a[:1], None, None, training=True)",
    "F.batch_norm(a, ch, r)",
    "F.batch_norm(a, r, ch)",
    "F.batch_norm(a, r, r, ch)",
    "F.batch_norm(a, r, r, r, ch)",
    "F.batch_norm(k, None, None, training=True)",
    "F.batch_norm(f, None, None, r, training=True)",
    "F.batch_norm(a, r, r, eps=-1.0)",
    "F.batch_norm(a, r, r, training=True, eps=0.0)",
    "F.batch_norm(None, None, None)",
    "F.batch_norm(a, r.detach(), 'a')",
    "F.batch_norm(a, None, None, 1.0)",
    "F.batch_norm(a, r.detach(), None, training=True)",
    "F.batch_norm(a, r.detach(), r.detach(), r.float())",
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
