"""Modules without their initial values."""

from __future__ import annotations

from tests.programs import Programs, attempt

programs = Programs(__file__)


@programs.add
def no_random_number_is_used_up(torch):
    m = torch.nn.utils.skip_init(torch.nn.Linear, 5, 2, bias=False, device="cpu")
    return [repr(m), list(m.weight.shape), m.weight.requires_grad, torch.rand(2)]


@programs.add
def what_is_no_module_is_refused(torch):
    class Own(torch.nn.Module):
        def __init__(self):
            super().__init__()

    skip = torch.nn.utils.skip_init
    return [attempt(lambda: skip(int))[:2], attempt(lambda: skip(Own))]


test_init = programs.test()
