"""Layers that undo a maximum pooling, and pool by fractions."""

from __future__ import annotations

from tests.nn.modules.layers import numbers, refused, runs
from tests.programs import Programs

programs = Programs(__file__)

INDEX1 = "torch.tensor([[[1, 2], [0, 3]]])"
INDEX2 = "torch.tensor([[[[0, 3], [9, 14]]]])"
CASES = (
    ("nn.MaxUnpool1d(2)", (1, 2, 2), INDEX1),
    ("nn.MaxUnpool2d(2)", (1, 1, 2, 2), INDEX2),
    ("nn.MaxUnpool3d((1, 2, 2), padding=(0, 0, 0))", (1, 1, 1, 1, 1),
     "torch.zeros(1, 1, 1, 1, 1).long()"),
)  # fmt: skip
REFUSED = (
    ("nn.FractionalMaxPool2d(2)",),
    ("nn.FractionalMaxPool2d(2, 3, 0.5)",),
    ("nn.FractionalMaxPool2d(2, output_ratio=1.5)",),
    ("nn.FractionalMaxPool3d(2, output_ratio=(0.5, 0.5, 1.5))",),
)


@programs.add
def layers_run_forward_and_backward(torch):
    return runs(torch, CASES)


@programs.add
def a_layer_undoes_its_pooling(torch):
    pool, undo = torch.nn.MaxPool2d(2, return_indices=True), torch.nn.MaxUnpool2d(2)
    x = numbers(torch, 1, 1, 5, 5)
    y, index = pool(x)
    return [undo(y, index), undo(y, index, output_size=x.size())]


@programs.add
def windows_lie_at_random_places(torch):
    torch.manual_seed(3)
    flat = torch.nn.FractionalMaxPool2d(2, (3, 2))
    deep = torch.nn.FractionalMaxPool3d(2, output_ratio=0.5, return_indices=True)
    x, v = numbers(torch, 1, 2, 6, 5), numbers(torch, 1, 1, 4, 6, 4)
    return [repr(flat), flat(x), *deep(v)]


@programs.add
def wrong_settings_are_refused(torch):
    return refused(torch, REFUSED)


test_unpooling = programs.test()
