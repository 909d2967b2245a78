"""Losses of a choice among classes."""

import numpy as np
import pytest

import edutorch as torch
from edutorch import config
from edutorch.func import vmap_transform
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
    "F.nll_loss(img.detach(), clsmap.mT.contiguous().mT, reduction='none').stride()",
    "F.nll_loss(a[:0], cls[:0])",
    "F.nll_loss(a, cls * 0, ignore_index=0)",
    "F.nll_loss(a, cls, torch.zeros(3, dtype=torch.float64))",
    "F.nll_loss(a, cls, row.detach() * torch.tensor([0, 1, 0]), ignore_index=0)",
    "F.cross_entropy(a, cls, torch.tensor([1.0, 0, -1]).double())",
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
    "torch.nn.functional.nll_loss(torch.ones(3), torch.tensor(0), ignore_index=-0.5)",
    "torch.nn.functional.nll_loss(torch.ones(3), torch.tensor(0), ignore_index=True)",
    "F.nll_loss(a, ints[0])",
    "F.nll_loss(a, cls + 1)",
    "F.nll_loss(a, cls - 1)",
    "F.nll_loss(a, row)",
    "F.nll_loss(a, [0, 1])",
    "F.cross_entropy(a, [0, 1])",
    "F.cross_entropy(a, prob, label_smoothing=2)",
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
def test_composed_class_loss_equals_pytorch_with_its_node(case):
    alike(__file__, case)


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


# ---- inside vmap


@pytest.fixture
def no_fallback(monkeypatch):
    """No function may run sample by sample."""

    def refuse(batch, error, state):
        raise AssertionError("the function went sample by sample") from error

    monkeypatch.setattr(vmap_transform._Batch, "_run_sample_by_sample", refuse)


CLASS_WEIGHT = torch.tensor([1.0, 0.5, 2.0, 3.0])
VMAPPED_LOSSES = [  # of four classes: shape of a sample, arguments
    ((5, 4), {}),
    ((5, 4), {"reduction": "sum"}),
    ((5, 4), {"reduction": "none"}),
    ((5, 4), {"weight": CLASS_WEIGHT}),
    ((5, 4), {"ignore_index": 1}),
    ((5, 4), {"ignore_index": -100, "weight": CLASS_WEIGHT, "reduction": "none"}),
    ((4,), {}),
    ((4,), {"reduction": "none"}),
    ((4,), {"ignore_index": 2, "reduction": "sum"}),
    ((2, 4, 3, 2), {"weight": CLASS_WEIGHT}),
    ((2, 4, 3, 2), {"reduction": "none"}),
]


@pytest.mark.parametrize("name", ["cross_entropy", "nll_loss"])
@pytest.mark.parametrize("case", VMAPPED_LOSSES, ids=str)
def test_losses_inside_vmap_are_those_of_a_loop(no_fallback, name, case):
    shape, arguments = case
    torch.manual_seed(0)
    xs = torch.randn(3, *shape)
    ts = torch.randint(0, 4, (3, *shape[:1], *shape[2:]) if shape[1:] else (3,))

    def loss(x, t):
        return getattr(torch.nn.functional, name)(x, t, **arguments)

    def gradient(x, t):
        return torch.func.grad(lambda x: loss(x, t).sum())(x)

    for f in (loss, gradient):
        both = torch.vmap(f)(xs, ts)
        rows = torch.stack([f(x, t) for x, t in zip(xs, ts, strict=True)])
        assert torch.allclose(both, rows, equal_nan=True)
        scores = torch.vmap(f, (0, None))(xs, ts[0])
        rows = torch.stack([f(x, ts[0]) for x in xs])
        assert torch.allclose(scores, rows, equal_nan=True)
        labels = torch.vmap(f, (None, 0))(xs[0], ts)
        rows = torch.stack([f(xs[0], t) for t in ts])
        assert torch.allclose(labels, rows, equal_nan=True)


def test_losses_inside_two_vmaps_equal_loops(no_fallback):
    torch.manual_seed(0)
    x, t = torch.randn(3, 5, 4), torch.randint(0, 4, (2, 5))
    loss = torch.nn.functional.cross_entropy
    found = torch.vmap(lambda x: torch.vmap(lambda t: loss(x, t))(t))(x)
    assert torch.allclose(
        found, torch.stack([torch.stack([loss(a, b) for b in t]) for a in x])
    )
    h = torch.vmap(torch.func.hessian(loss), (0, None))(x, t[0])
    assert torch.allclose(h[1], torch.func.hessian(loss)(x[1], t[0]), atol=1e-6)


def test_vmap_takes_weights_of_each_sample_and_refuses_wrong_classes():
    torch.manual_seed(0)
    x, t = torch.randn(3, 5, 4), torch.randint(0, 4, (3, 5))
    loss, w = torch.nn.functional.cross_entropy, torch.rand(3, 4)
    found = torch.vmap(loss)(x, t, w)
    rows = [loss(*v) for v in zip(x, t, w, strict=True)]
    assert torch.allclose(found, torch.stack(rows))
    with pytest.raises(IndexError, match="Target 7 is out of bounds"):
        torch.vmap(loss)(x, t + 4 * (t == 3))


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_mean_loss_without_classes_is_nan(smoothing):
    x, loss = torch.zeros(2, 0), torch.nn.functional.cross_entropy
    assert loss(x, x, label_smoothing=smoothing).isnan()
    assert loss(x, x, label_smoothing=smoothing, reduction="sum") == 0


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_mean_of_losses_in_16_bits_is_that_of_all_samples(dtype, smoothing):
    x, t = torch.zeros(3000, 4, dtype=dtype), torch.arange(3000) % 4
    loss = torch.nn.functional.cross_entropy  # log(4), however many there are
    got = loss(x, t, ignore_index=1, label_smoothing=smoothing)
    assert got.dtype is dtype and abs(got.item() - 1.386) < 0.02
    weight = torch.ones(4, dtype=dtype)
    got = loss(x, t, weight, label_smoothing=smoothing)
    assert abs(got.item() - 1.386) < 0.02
    got = torch.vmap(lambda x: loss(x, t, ignore_index=1))(x[None])
    assert got.dtype is dtype and abs(got.item() - 1.386) < 0.02
