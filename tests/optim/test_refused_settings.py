"""Settings, states and gradients that do not fit: refused in PyTorch's words.

Each program makes an optimizer, spoils something between two steps, and tells what
PyTorch tells: the exception with its first line, or the parameters.
"""

import pytest

import edutorch
from tests.fuzz.differences import difference
from tests.fuzz.outcomes import outcome
from tests.oracle import torch

MADE = """
ps = [torch.ones(3, 2, requires_grad=True), torch.ones(2, requires_grad=True)]
o = torch.optim.{}
state, group = o.state, o.param_groups[0]
def step():
    for p in ps: p.grad = torch.full_like(p, 0.5)
    return o.step(lambda: ps[0].sum())
step()
{}
o.step(lambda: ps[0].sum())
result = [p.detach() for p in ps]
"""
PROGRAMS = [
    ("Adam(ps)", "group['betas'] = [1, 2]"),
    ("SGD(ps, momentum=0.9)", "group['momentum'] = []"),
    ("SGD(ps, momentum=0.9)", "group['momentum'] = None"),
    ("SGD(ps, lr=None)", ""),
    ("Adam(ps, lr=None)", ""),
    ("RMSprop(ps, eps='a')", ""),
    ("Adafactor(ps, lr=None)", ""),
    ("SparseAdam(ps, lr=1j)", ""),
    ("Muon(ps[:1], momentum='a')", ""),
    ("Adam(ps)", "state[ps[0]] = None"),
    ("Adam(ps)", "state[ps[0]] = ()"),
    ("RAdam(ps)", "state[ps[0]] = 0"),
    ("Rprop(ps)", "state[ps[0]] = []"),
    ("Adafactor(ps)", "state[ps[0]] = torch.tensor(1)"),
    ("Adam(ps)", "state[ps[0]] = torch.ones(3, 4)"),
    *[(f"{name}(ps)", f"state[ps[0]] = torch.ones({shape})")
      for name in ("Adadelta", "Adagrad", "Adam", "Adamax", "ASGD", "NAdam", "RAdam",
                   "RMSprop", "Rprop", "AdamW")
      for shape in ("3", "3, 4", "1, 1, 1, 1", "1, 1, 1, 1, 1, 1")],
    ("Adam(ps)", "state[ps[0]] = {k: torch.ones(40) for k in state[ps[0]]}"),
    ("AdamW(ps)", "state[ps[0]] = {k: torch.ones(3, 2).t() for k in state[ps[0]]}"),
    ("Adamax(ps)", "state[ps[0]] = {k: torch.ones(40) for k in state[ps[0]]}"),
    ("Adam(ps)", "ps[0].data = ps[0].data.double(); ps[0].grad = torch.ones(3, 2).double()"),
    ("Adafactor(ps)", "ps[0].data = torch.ones(6); ps[0].grad = torch.ones(6)"),
    ("Adam(ps)", "group['lr'] = 'sum'"),
    ("Adam(ps)", "group['lr'] = torch.ones(3, 4)"),
    ("Adamax(ps)", "group['lr'] = torch.ones(3, 4) > 0"),
    ("AdamW(ps)", "group['lr'] = torch.tensor([5, -7, 1])"),
    ("Adam(ps)", "group['betas'] = torch.tensor([5, -7, 1])"),
    ("AdamW(ps)", "group['betas'] = 'sum'"),
    ("AdamW(ps)", "group['weight_decay'] = []"),
    ("Adam(ps)", "group['weight_decay'] = True"),
    ("Adam(ps)", "group['weight_decay'] = torch.ones(2, 3)"),
    ("SGD(ps, 0.1)", "group['lr'] = (1,)"),
    ("SGD(ps, 0.1, momentum=0.9)", "group['lr'] = [[1, 2], [3]]"),
    ("SGD(ps, 0.1)", "group['weight_decay'] = 'none'"),
    ("RAdam(ps)", "group['weight_decay'] = ()"),
    ("RMSprop(ps)", "group['lr'] = torch.ones(3, 4)"),
    ("Adadelta(ps)", "group['lr'] = torch.ones(3, 4)"),
    ("Adamax(ps)", "group['lr'] = torch.ones(3, 4)"),
    ("NAdam(ps)", "group['lr'] = torch.ones(3)"),
    ("Adagrad(ps)", "group['lr_decay'] = torch.ones(1, 1, 1)"),
    ("ASGD(ps)", "group['lr'] = torch.ones(3, 4)"),
    ("Rprop(ps, step_sizes=(1,))", ""),
    ("LBFGS(ps)", "o.add_param_group({'params': torch.ones(2)})"),
    ("Adam(ps, amsgrad=torch.ones(3))", ""),
    ("Adam(ps, amsgrad=1j)", ""),
]  # fmt: skip
# Steps with gradients of other kinds: a parameter, its gradient, an optimizer.
GRADIENTS = [
    ("torch.tensor(2.)", "torch.tensor(0.5).to_sparse()", "SparseAdam([p])"),
    ("torch.tensor(2.)", "torch.tensor(0.).to_sparse()", "SparseAdam([p], maximize=True)"),
    ("torch.tensor(2.)", "torch.tensor(0.5).to_sparse()", "Adagrad([p])"),
    ("torch.ones(3, 2)", "torch.full((3, 2), 0.5).to_sparse()", "LBFGS([p], lr=0.1)"),
    ("torch.ones(3, 2)", "torch.ones(2, 3).t()", "LBFGS([p], lr=0.1)"),
    ("torch.ones(2)", "torch.ones(2)", "LBFGS([p], lr=torch.tensor(0.1).requires_grad_())"),
    ("torch.tensor(1.)", "torch.tensor(1.)", "RAdam([p], lr=torch.tensor([0.1]))"),
    ("torch.ones(2)", "torch.ones(2)", "NAdam([p], differentiable=None)"),
    ("torch.ones(2) * 1j", "torch.ones(2) * 1j", "SGD([p, q], fused=True)"),
    ("torch.ones(2) * 1j", "torch.ones(2) * 1j", "Adagrad([q, p], fused=True)"),
]  # fmt: skip
SCHEDULES = [
    ("StepLR(o, 2)", "True"),
    ("StepLR(o, 2, gamma=2)", "0.5"),
    ("ConstantLR(o, 0.5, 2)", "None"),
    ("CosineAnnealingWarmRestarts(o, torch.ones(3))", "1"),
    ("CosineAnnealingWarmRestarts(o, 2, T_mult=torch.ones(3))", "1"),
    ("OneCycleLR(o, 0.5, total_steps=torch.ones(3))", "1"),
    ("OneCycleLR(o, 0.5, epochs='a', steps_per_epoch=2)", "1"),
]


@pytest.mark.parametrize(("made", "spoilt"), PROGRAMS)
def test_an_optimizer_refuses_what_pytorch_refuses(made, spoilt):
    assert_agrees(MADE.format(made, spoilt))


@pytest.mark.parametrize(("made", "grad", "optimizer"), GRADIENTS)
def test_gradients_of_other_kinds_are_taken_or_refused_as_by_pytorch(
    made, grad, optimizer
):
    assert_agrees(
        f"p = ({made}).requires_grad_()\nq = torch.ones(1, requires_grad=True)\n"
        f"o = torch.optim.{optimizer}\nq.grad = torch.ones(1)\np.grad = {grad}\n"
        "for _ in range(3): o.step(lambda: (p.detach() ** 2).abs().sum())\nresult = p"
    )


@pytest.mark.parametrize(("made", "rate"), SCHEDULES)
def test_a_scheduler_leaves_rates_alone_where_pytorch_does(made, rate):
    assert_agrees(
        "o = torch.optim.SGD([torch.ones(2, requires_grad=True)], lr=0.1)\n"
        f"s = torch.optim.lr_scheduler.{made}\ngroup = o.param_groups[0]\n"
        f"group['lr'] = {rate}\ns.step()\nrates = [group['lr']]\n"
        "s.step()\nresult = [*rates, group['lr']]"
    )


def assert_agrees(program):
    """Compare what a program gives, or with which first line it is refused."""
    expected, got = outcome(program, torch, {}), outcome(program, edutorch, {})
    assert difference(expected, got) == ("", ""), f"{expected} | {got}"
