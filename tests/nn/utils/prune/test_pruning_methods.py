"""The ways of pruning, as masks."""

from __future__ import annotations

from tests.nn.modules.layers import numbers
from tests.nn.utils.prune.nets import pruning
from tests.programs import Programs, attempt

programs = Programs(__file__)

WAYS = (
    "Identity()", "RandomUnstructured(0.4)", "L1Unstructured(3)",
    "RandomStructured(1, 0)", "LnStructured(2, n=1)", "LnStructured(0.5, 2, 0)",
    "CustomFromMask(torch.eye(3, 4))",
)  # fmt: skip


@programs.add
def masks_leave_out_what_they_should(torch):
    found, t = {}, numbers(torch, 3, 4)
    before = torch.ones(3, 4)
    before[1] = 0
    for way in WAYS:
        made = eval(way, {**vars(pruning(torch)), "torch": torch})
        masks = [made.compute_mask(t, torch.ones(3, 4)), made.compute_mask(t, before)]
        found[way] = [masks, made.PRUNING_TYPE]
    return found


@programs.add
def amounts_out_of_range_are_refused(torch):
    prune = pruning(torch)
    return [
        attempt(lambda: prune.RandomUnstructured("x")),
        attempt(lambda: prune.RandomStructured(-2)),
        attempt(lambda: prune.LnStructured(1.2, 2)),
        attempt(lambda: prune.LnStructured(9, 2).compute_mask(torch.ones(2, 2), None)),
    ]


test_ways = programs.test()
