"""Layers of two inputs."""

from __future__ import annotations

from tests.nn.modules.layers import refused, runs
from tests.programs import Programs

programs = Programs(__file__)

CASES = (
    ("nn.CosineSimilarity()", (2, 3), (2, 3)),
    ("nn.CosineSimilarity(dim=0, eps=0.1)", (2, 3), (2, 3)),
    ("nn.PairwiseDistance()", (2, 3), (2, 3)),
    ("nn.PairwiseDistance(p=1, keepdim=True)", (2, 3), (1, 3)),
)
REFUSED = (("nn.CosineSimilarity()", (2, 3), (2, 4)),)


@programs.add
def layers_run_forward_and_backward(torch):
    return runs(torch, CASES)


@programs.add
def wrong_settings_and_inputs_are_refused(torch):
    return refused(torch, REFUSED)


test_distance = programs.test()
