"""Batch norm folded into the layer before it."""

from __future__ import annotations

from tests.nn.modules.layers import numbers
from tests.programs import Programs, attempt

programs = Programs(__file__)


def measured(torch, bn, rank):
    """Batch norm that has seen data, in evaluation."""
    shape = (4, bn.num_features) + (2,) * rank
    bn(numbers(torch, *shape) * 3)
    if bn.affine:
        torch.nn.init.constant_(bn.weight, 1.5)
        torch.nn.init.constant_(bn.bias, 0.3)
    return bn.eval()


@programs.add
def fused_layers_do_what_both_do(torch):
    nn, found = torch.nn, []
    cases = (
        (nn.Conv2d(2, 3, 2), nn.BatchNorm2d(3), 2, False),
        (nn.Conv1d(2, 3, 2, bias=False), nn.BatchNorm1d(3, affine=False), 1, False),
        (nn.ConvTranspose2d(2, 3, 2), nn.BatchNorm2d(3), 2, True),
    )
    for conv, bn, rank, transposed in cases:
        measured(torch, bn, rank)
        fused = nn.utils.fuse_conv_bn_eval(conv.eval(), bn, transposed)
        x = numbers(torch, 2, 2, *(3,) * rank)
        same = torch.allclose(fused(x), bn(conv(x)), atol=1e-5)
        found.append([fused.state_dict(), same, fused.bias.requires_grad])
    linear, bn = nn.Linear(2, 3).eval(), measured(torch, nn.BatchNorm1d(3), 0)
    fused = nn.utils.fuse_linear_bn_eval(linear, bn)
    x = numbers(torch, 4, 2)
    return [*found, fused.state_dict(), torch.allclose(fused(x), bn(linear(x)))]


@programs.add
def what_cannot_be_fused_is_refused(torch):
    nn, utils = torch.nn, torch.nn.utils
    bn = nn.BatchNorm1d(2, track_running_stats=False).eval()
    return [
        attempt(lambda: utils.fuse_conv_bn_eval(nn.Conv1d(1, 2, 1), bn)),
        attempt(lambda: utils.fuse_conv_bn_eval(nn.Conv1d(1, 2, 1).eval(), bn)),
        attempt(lambda: utils.fuse_linear_bn_eval(nn.Linear(1, 2), bn)),
        attempt(lambda: utils.fuse_linear_bn_eval(nn.Linear(1, 3).eval(), bn)),
        attempt(lambda: utils.fuse_linear_bn_eval(nn.Linear(1, 2).eval(), bn)),
    ]


test_fusion = programs.test()
