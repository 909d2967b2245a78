"""Clipping gradients."""

from __future__ import annotations

from tests.programs import Programs, attempt, warned

programs = Programs(__file__)


def params(torch, *gradients):
    found = []
    for g in gradients:
        p = torch.nn.Parameter(torch.zeros(len(g)))
        p.grad = torch.tensor(g)
        found.append(p)
    return [*found, torch.nn.Parameter(torch.zeros(1))]


@programs.add
def norms_of_every_order(torch):
    utils = torch.nn.utils
    found = []
    for order in (2, 1.0, float("inf"), 0.5, "inf"):
        ps = params(torch, [3.0, -4.0], [12.0])
        total = utils.clip_grad_norm_(ps, 2.0, norm_type=order)
        found.append([total, [p.grad for p in ps]])
    return found


@programs.add
def small_gradients_stay(torch):
    ps = params(torch, [0.3, 0.4])
    total = torch.nn.utils.clip_grad_norm_(ps, 1.0)
    one = torch.nn.utils.clip_grad_norm_(ps[0], 0.1)
    return [total, ps[0].grad, one, torch.nn.utils.clip_grad_norm_([], 1.0)]


@programs.add
def infinite_norms(torch):
    ps = params(torch, [float("inf"), 1.0])
    clip = torch.nn.utils.clip_grad_norm_
    refused = attempt(lambda: clip(ps, 1.0, error_if_nonfinite=True))
    return [refused, ps[0].grad, clip(ps, 1.0), ps[0].grad]


@programs.add
def values_are_clamped(torch):
    ps = params(torch, [3.0, -4.0, 0.5])
    torch.nn.utils.clip_grad_value_(ps, 1.0)
    torch.nn.utils.clip_grad_value_(ps[0], 0.75)
    return [p.grad for p in ps]


@programs.add
def norms_that_are_known(torch):
    utils = torch.nn.utils
    ps = params(torch, [3.0, -4.0])
    total = utils.get_total_norm([p.grad for p in ps if p.grad is not None])
    utils.clip_grads_with_norm_(ps, 1.0, total * 2)
    return [total, ps[0].grad, utils.get_total_norm([]), utils.get_total_norm(total)]


@programs.add
def warnings_are_given(torch):
    clip = torch.nn.utils
    return [warned(lambda: clip.clip_grad_norm_((p for p in ()), 1.0)),
            warned(lambda: clip.clip_grad_norm(params(torch, [3.0]), 1.0))[1]]  # fmt: skip


test_clip_grad = programs.test()
