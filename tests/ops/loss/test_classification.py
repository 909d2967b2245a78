"""Losses of a choice among classes."""

import numpy as np
import pytest

import edutorch as torch
from edutorch import config
from edutorch.ops.loss import cross_entropy, cross_entropy_reference
from tests.ops.cases import alike, derivatives, refused

CASES = [
    f"F.{loss}({operands}{options})"
    for loss in ("nll_loss", "cross_entropy")
    for operands in ("a, cls", "img, clsmap", "seq, cls[:, None].repeat(1, 5)")
    for options in ("", ", reduction='sum'", ", reduction='none'", ", ignore_index=0")
] + [
    "F.nll_loss(a, cls, row.detach())",
    "F.nll_loss(a, cls, row.detach(), ignore_index=0, reduction='sum')",
    "F.nll_loss(row, cls[0])",
    "F.nll_loss(row, cls[0], reduction='none')",
    "F.nll_loss(a[:0], cls[:0])",
    "F.nll_loss(a, cls * 0, ignore_index=0)",
    "F.cross_entropy(row, cls[0])",
    "F.cross_entropy(img, clsmap, positive.reshape(6)[:4].detach())",
    "F.cross_entropy(singles * 1000, cls)",
    "F.cross_entropy(singles.half(), cls)",
    "F.cross_entropy(a, cls.to(torch.uint8))",
    "F.cross_entropy(row.detach(), cls[:1], reduction='none')",
]

SMOOTH = [
    "F.nll_loss(a, cls)",
    "F.nll_loss(seq, cls[:, None].repeat(1, 5), reduction='none')",
    "F.cross_entropy(a, cls)",
    "F.cross_entropy(a, cls, ignore_index=2)",
    "F.cross_entropy(seq, cls[:, None].repeat(1, 5), reduction='none')",
    "F.cross_entropy(a, cls, label_smoothing=0.3)",
    "F.cross_entropy(a, prob)",
]

REFUSED = [
    "F.nll_loss(a, ints[0])",
    "F.nll_loss(a, cls + 1)",
    "F.nll_loss(a, cls - 1)",
    "F.nll_loss(a, row)",
    "F.nll_loss(a, [0, 1])",
    "F.cross_entropy(a, [0, 1])",
    "F.cross_entropy([1.0], cls)",
    "F.nll_loss(a, cls.int())",
    "F.nll_loss(scalar, cls[0])",
    "F.nll_loss(a, ints)",
    "F.nll_loss(a, cls, ch)",
    "F.nll_loss(singles, cls, row)",
    "F.nll_loss(ints, cls)",
    "F.nll_loss(img, clsmap[:, :2])",
    "F.nll_loss(img, cls)",
    "F.nll_loss(seq, cls)",
    "F.nll_loss(a, cls, reduction='max')",
    "F.cross_entropy(a, cls + 1)",
    "F.cross_entropy(a, b[:, :2])",
    "F.cross_entropy(a, ints)",
    "F.cross_entropy(a, prob, ignore_index=1)",
    "F.cross_entropy(a, cls, label_smoothing=2)",
    "F.cross_entropy(ints, cls)",
    "F.cross_entropy(row, cls)",
    "F.nll_loss(row, cls)",
    "F.cross_entropy(a, cls, weight=3)",
    "F.nll_loss(a, cls, 'a')",
]

COMPOSED = [
    "F.cross_entropy(a, prob)",
    "F.cross_entropy(a, prob, row.detach(), reduction='none', label_smoothing=0.1)",
    "F.cross_entropy(a, cls, label_smoothing=0.1)",
    "F.cross_entropy(img, clsmap, label_smoothing=0.2, reduction='sum')",
    "F.cross_entropy(img, clsmap, ch.detach(), label_smoothing=0.2, ignore_index=1)",
    "F.cross_entropy(a, cls, label_smoothing=0.1, ignore_index=2, reduction='none')",
]


@pytest.mark.parametrize("case", COMPOSED)
def test_composed_class_loss_equals_pytorch_but_for_its_node(case):
    alike(__file__, case, nodes=False)


def test_cross_entropy_equals_its_reference():
    x, t = torch.tensor([[1.0, 2.0, 0.5], [0.0, -1.0, 3.0]]), torch.tensor([2, 0])
    assert torch.allclose(cross_entropy(x, t), cross_entropy_reference(x, t))


@pytest.mark.parametrize("case", CASES)
def test_class_loss_equals_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_class_loss_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_class_loss_refused_by_pytorch_is_refused_alike(case):
    refused(__file__, case)


@pytest.mark.parametrize("mode", ["plain", "fast"])
@pytest.mark.parametrize("wrong", [-1, 50, 10**7, -(2**62)])
@pytest.mark.parametrize("loss", ["cross_entropy", "nll_loss"])
def test_backward_when_labels_have_changed_refuses_them(loss, wrong, mode):
    labels = np.arange(64) % 50
    x = torch.zeros(64, 50, requires_grad=True)
    with config.kernels(mode):
        y = getattr(torch.nn.functional, loss)(x, torch.from_numpy(labels))
        labels[3] = wrong
        with pytest.raises(IndexError, match=f"^Target {wrong} is out of bounds"):
            y.backward()
