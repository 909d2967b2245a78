"""Calling a module with other tensors in place of its parameters."""

from __future__ import annotations

from tests.programs import Programs, attempt, warned

programs = Programs(__file__)


def small(torch):
    torch.manual_seed(0)
    return torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.ReLU())


@programs.add
def the_older_place_is_warned_of(torch):
    call, m = torch.nn.utils.stateless.functional_call, small(torch)
    ones = {"0.weight": torch.ones(2, 2), "0.bias": torch.zeros(2)}
    return warned(lambda: call(m, ones, torch.ones(2)).tolist())


@programs.add
def names_that_lead_nowhere_are_refused(torch):
    call, m, x = torch.func.functional_call, small(torch), torch.ones(2)
    given = (
        {"5.weight": x}, {"0.weight": 3}, {"0": x}, {"": x}, {"0.": x}, {"0.other": x},
        {"other": x},
    )  # fmt: skip
    found = [attempt(lambda g=g: call(m, g, x)) for g in given]
    return [found, m(x), sorted(vars(m[0]).keys() & {"other"})]


@programs.add
def what_the_call_assigns_is_given_back(torch):
    class Count(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("n", torch.zeros(()))
            self.register_parameter("none", None)

        def forward(self, x):
            self.n = self.n + x
            return [self.n, self.none]

    m, state = Count(), {"n": torch.ones(()), "none": torch.ones(1)}
    y = torch.func.functional_call(m, state, torch.ones(()))
    return [y, state, m.n, m.none]


@programs.add
def parametrized_tensors_are_replaced(torch):
    torch.manual_seed(0)
    layer = torch.nn.utils.parametrizations.weight_norm(torch.nn.Linear(2, 1))
    x, zero = torch.ones(2), torch.zeros(1)
    call = torch.func.functional_call
    before = layer.weight.detach()
    whole = call(layer, {"weight": torch.ones(1, 2), "bias": zero}, x)
    lengths = {"parametrizations.weight.original0": torch.ones(1, 1), "bias": zero}
    return [whole, call(layer, lengths, x), torch.allclose(layer.weight, before)]


@programs.add
def gradients_reach_the_tensors_given(torch):
    m, w = small(torch), torch.ones(2, 2, requires_grad=True)
    torch.func.functional_call(m, {"0.weight": w}, torch.ones(2)).sum().backward()
    return [w.grad, m[0].weight.grad]


@programs.add
def one_name_of_a_tied_tensor_is_enough_where_all_are_needed(torch):
    m = torch.nn.Sequential(torch.nn.Linear(2, 2, False), torch.nn.Linear(2, 2, False))
    m[1].weight = m[0].weight
    call, x, one, other = torch.func.functional_call, torch.ones(2), *torch.eye(2)
    one, other = one * torch.ones(2, 2), other * torch.ones(2, 2)
    return [
        call(m, {"1.weight": one}, x, strict=True),
        attempt(lambda: call(m, {"1.weight": one}, x, tie_weights=False, strict=True)),
        attempt(lambda: call(m, {"0.weight": one, "1.weight": other}, x, strict=True)),
    ]


test_stateless = programs.test()
