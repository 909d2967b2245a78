"""A linear map and the cross entropy of its scores, as one layer."""

from __future__ import annotations

from tests.nn.modules.layers import refused, runs
from tests.programs import Programs, attempt

programs = Programs(__file__)

TARGET = "torch.tensor([0, 3, 1])"
CASES = (
    ("nn.LinearCrossEntropyLoss(3, 4)", (3, 3), TARGET),
    ("nn.LinearCrossEntropyLoss(3, 4, bias=True, reduction='none')", (3, 3), TARGET),
    ("nn.LinearCrossEntropyLoss(3, 4, weight=torch.ones(4), ignore_index=3)",
     (3, 3), TARGET),
    ("nn.LinearCrossEntropyLoss(2, 2, out_features=(3,), bias=True)",
     (1, 2), "torch.tensor([[0, 1, 1]])"),
    ("nn.LinearCrossEntropyLoss(3, 4, "
     "options=nn.LinearCrossEntropyOptions(batch_chunk_size=2))", (3, 3), TARGET),
)  # fmt: skip
REFUSED = (
    ("nn.LinearCrossEntropyLoss(3, 4, weight=torch.ones(3))",),
    ("nn.LinearCrossEntropyLoss(3, 4, label_smoothing=2.0)",),
)
OPTIONS = (
    "()",
    "(batch_chunk_size=0)",
    "(chunking_method='rows')",
    "(chunking_method='aspect_ratio:0')",
    "(acc_policy='fast')",
    "(acc_dtype=torch.int32)",
)


@programs.add
def layers_run_forward_and_backward(torch):
    torch.manual_seed(1)
    return runs(torch, CASES)


@programs.add
def wrong_settings_are_refused(torch):
    make = "torch.nn.LinearCrossEntropyOptions"
    return [refused(torch, REFUSED)] + [
        attempt(lambda o=o: repr(eval(make + o, {"torch": torch}))) for o in OPTIONS
    ]


test_linear_cross_entropy = programs.test()
