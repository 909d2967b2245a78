"""Losses."""

from __future__ import annotations

from tests.nn.modules.layers import numbers, refused, runs
from tests.programs import Programs, warned

programs = Programs(__file__)

X = "torch.tensor([[0.2, -1.0, 0.7], [1.5, 0.3, -0.4]])"
Y = "torch.tensor([[0.5, 1.0, 0.0], [-1.0, 0.2, 0.9]])"
P = "torch.tensor([[0.2, 0.9, 0.7], [0.5, 0.3, 0.4]])"
Q = "torch.tensor([[0.5, 1.0, 0.0], [1.0, 0.2, 0.9]])"
C = "torch.tensor([2, 0])"

CASES = (
    ("nn.L1Loss()", X, Y),
    ('nn.L1Loss(reduction="sum")', X, Y),
    ("nn.MSELoss()", X, Y),
    ('nn.MSELoss(reduction="none")', X, Y),
    ("nn.MSELoss(size_average=False)", X, Y),
    ("nn.MSELoss(reduce=False)", X, Y),
    ("nn.SmoothL1Loss(beta=0.5)", X, Y),
    ("nn.HuberLoss(delta=0.7)", X, Y),
    ('nn.KLDivLoss(reduction="batchmean")', X, P),
    ('nn.KLDivLoss(log_target=True, reduction="sum")', X, X),
    ("nn.BCELoss()", P, Q),
    ("nn.BCELoss(weight=torch.tensor([1.0, 2.0, 3.0]))", P, Q),
    ("nn.BCEWithLogitsLoss()", X, Q),
    ("nn.BCEWithLogitsLoss(pos_weight=torch.tensor([1.0, 2.0, 3.0]))", X, Q),
    ("nn.NLLLoss()", X, C),
    ('nn.NLLLoss(weight=torch.tensor([1.0, 2.0, 3.0]), reduction="sum")', X, C),
    ("nn.NLLLoss(ignore_index=0)", X, C),
    ("nn.CrossEntropyLoss()", X, C),
    ("nn.CrossEntropyLoss(label_smoothing=0.1)", X, C),
    ("nn.CrossEntropyLoss(weight=torch.tensor([1.0, 2.0, 3.0]))", X, C),
    ("nn.CrossEntropyLoss()", X, P),
    ("nn.PoissonNLLLoss()", X, Q),
    ('nn.PoissonNLLLoss(log_input=False, full=True, reduction="sum")', P, Q),
    ("nn.GaussianNLLLoss()", X, Y, P),
    ('nn.GaussianNLLLoss(full=True, reduction="none")', X, Y, P),
)
REFUSED = (
    ('nn.MSELoss(reduction="all")', (2,), (2,)),
    ("nn.BCELoss()", (2,), (3,)),
    ("nn.L1Loss()", (2,), (3,)),
    ("nn.NLLLoss()", (2, 3), (2,)),
)


@programs.add
def losses_run_forward_and_backward(torch):
    return runs(torch, CASES)


@programs.add
def wrong_settings_and_inputs_are_refused(torch):
    return refused(torch, REFUSED)


@programs.add
def alignments_of_sequences(torch):
    x = numbers(torch, 5, 2, 4).log_softmax(2).requires_grad_()
    y = torch.tensor([[1, 2, 2], [3, 1, 0]])
    found = []
    for settings in ({}, {"blank": 0, "reduction": "sum"}, {"zero_infinity": True}):
        x.grad = None
        loss = torch.nn.CTCLoss(**settings)
        value = loss(x, y, torch.tensor([5, 4]), torch.tensor([3, 2]))
        value.sum().backward()
        found.append([repr(loss), value, x.grad])
    return found


@programs.add
def an_old_name_is_warned_of(torch):
    return warned(lambda: repr(torch.nn.NLLLoss2d()))


test_loss = programs.test()
