"""Losses with margins."""

from __future__ import annotations

from tests.nn.modules.layers import refused, runs
from tests.programs import Programs

programs = Programs(__file__)

X = "torch.tensor([[0.2, -1.0, 0.7], [1.5, 0.3, -0.4]])"
Y = "torch.tensor([[0.5, 1.0, 0.0], [-1.0, 0.2, 0.9]])"
P = "torch.tensor([[0.2, 0.9, 0.7], [0.5, 0.3, 0.4]])"
Q = "torch.tensor([[0.5, 1.0, 0.0], [1.0, 0.2, 0.9]])"
S = "torch.tensor([[1, -1, 1], [-1, -1, 1]]).float()"
C = "torch.tensor([2, 0])"

CASES = (
    ("nn.SoftMarginLoss()", X, S),
    ("nn.HingeEmbeddingLoss(margin=0.5)", X, S),
    ("nn.MarginRankingLoss(margin=0.2)", X, Y, S),
    ("nn.CosineEmbeddingLoss(margin=0.1)", X, Y, "torch.tensor([1, -1])"),
    ("nn.MultiMarginLoss()", X, C),
    ("nn.MultiMarginLoss(p=2, margin=0.5, weight=torch.ones(3))", X, C),
    ("nn.MultiLabelMarginLoss()", X, "torch.tensor([[2, 0, -1], [1, -1, 0]])"),
    ("nn.MultiLabelSoftMarginLoss()", X, Q),
    ("nn.TripletMarginLoss()", X, Y, P),
    ('nn.TripletMarginLoss(margin=2.0, p=1, swap=True, reduction="sum")', X, Y, P),
    ("nn.TripletMarginWithDistanceLoss(margin=0.5)", X, Y, P),
    ("nn.TripletMarginWithDistanceLoss()", X, Y, P),
)
REFUSED = (
    ("nn.MultiMarginLoss(p=3)",),
    ("nn.MultiMarginLoss(weight=torch.ones(2, 2))",),
    ("nn.TripletMarginLoss(margin=0)",),
    ("nn.TripletMarginWithDistanceLoss(margin=-1)",),
)


@programs.add
def losses_run_forward_and_backward(torch):
    return runs(torch, CASES)


@programs.add
def wrong_settings_and_inputs_are_refused(torch):
    return refused(torch, REFUSED)


test_margin = programs.test()
