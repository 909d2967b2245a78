"""Layers that infer their number of inputs at their first call."""

from __future__ import annotations

from tests.nn.modules.layers import numbers
from tests.programs import Programs, attempt

programs = Programs(__file__)

CASES = (
    ("nn.LazyLinear(3)", (2, 5)),
    ("nn.LazyLinear(3, bias=False)", (5,)),
    ("nn.LazyConv1d(4, 3)", (1, 2, 5)),
    ("nn.LazyConv2d(4, 3, padding=1, groups=2, bias=False)", (2, 5, 6)),
    ("nn.LazyConv3d(2, 2)", (1, 2, 3, 2, 2)),
    ("nn.LazyConvTranspose1d(4, 3)", (1, 2, 5)),
    ("nn.LazyConvTranspose2d(4, 3, 2, groups=2)", (1, 2, 3, 3)),
    ("nn.LazyConvTranspose3d(2, 2)", (1, 2, 2, 2, 2)),
    ("nn.LazyBatchNorm1d()", (4, 3)),
    ("nn.LazyBatchNorm2d(affine=False)", (2, 3, 2, 2)),
    ("nn.LazyBatchNorm3d(track_running_stats=False, bias=False)", (2, 2, 1, 2, 2)),
    ("nn.LazyInstanceNorm1d()", (2, 3, 4)),
    ("nn.LazyInstanceNorm2d(affine=False, track_running_stats=False)", (1, 2, 3, 3)),
    ("nn.LazyInstanceNorm3d()", (1, 2, 2, 2, 2)),
)


@programs.add
def layers_are_made_by_their_first_input(torch):
    found = []
    for layer, shape in CASES:
        torch.manual_seed(1)
        m = eval(layer, {"torch": torch, "nn": torch.nn})
        before = [repr(m), list(m.state_dict()), m.has_uninitialized_params()]
        y = m(numbers(torch, *shape))
        found.append([before, y, repr(m), type(m).__name__, m.state_dict()])
    return found


@programs.add
def a_waiting_layer_takes_what_is_loaded(torch):
    torch.manual_seed(2)
    full, lazy = torch.nn.Linear(3, 2), torch.nn.LazyLinear(2)
    lazy.load_state_dict(full.state_dict())
    waiting = lazy.in_features
    return [waiting, lazy(torch.ones(3)), lazy.in_features, type(lazy).__name__]


@programs.add
def inputs_that_do_not_fit_are_refused(torch):
    nn, x = torch.nn, torch.ones(1, 3, 2, 2)
    return [
        attempt(lambda: nn.LazyConv2d(4, 1)(x[0, 0])),
        attempt(lambda: nn.LazyConv2d(4, 1, groups=2)(x)),
        attempt(lambda: nn.LazyConv1d(4, 1)(x)),
        attempt(lambda: nn.LazyBatchNorm1d()(x)),
        attempt(lambda: nn.LazyLinear(2).weight.shape),
    ]


test_lazy_layers = programs.test()
