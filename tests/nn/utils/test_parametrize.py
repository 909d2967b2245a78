"""Parameters that are functions of others."""

from __future__ import annotations

import copy
import pickle

from tests.nn.utils.layers import train
from tests.programs import Programs, attempt

programs = Programs(__file__)


def functions(torch):
    """Some functions: with and without an inverse, of several tensors, and wrong ones."""

    class Symmetric(torch.nn.Module):
        def forward(self, x):
            return x.triu() + x.triu(1).transpose(-1, -2)

        def right_inverse(self, a):
            return a.triu()

    class Skew(torch.nn.Module):
        def forward(self, x):
            return x.triu(1) - x.triu(1).transpose(-1, -2)

    class RankOne(torch.nn.Module):
        def forward(self, x, y):
            return x.unsqueeze(-1) @ y.unsqueeze(-2)

        def right_inverse(self, z):
            return z[..., :, 0].clone(), z[..., 0, :].clone()

    class Flat(torch.nn.Module):
        def forward(self, x):
            return x.reshape(-1)

    class Wide(torch.nn.Module):
        def forward(self, x):
            return x.double()

    class Number(torch.nn.Module):
        def forward(self, x):
            return 3

        def right_inverse(self, x):
            return 3

    kinds = (Symmetric, Skew, RankOne, Flat, Wide, Number)
    return {kind.__name__: kind for kind in kinds}


def linear(torch, *names, unsafe=False):
    """A linear layer with parametrizations of its weight."""
    m, kinds = torch.nn.Linear(3, 3), functions(torch)
    for name in names:
        torch.nn.utils.parametrize.register_parametrization(
            m, "weight", kinds[name](), unsafe=unsafe
        )
    return m


@programs.add
def parametrized_layers_train(torch):
    parametrize, found = torch.nn.utils.parametrize, []
    for names in (["Symmetric"], ["Skew"], ["RankOne"], ["Symmetric", "Skew"]):
        m = linear(torch, *names)
        found += [repr(m), train(torch, m, (2, 3)), m.weight]
        found.append([n for n, _ in m.named_parameters()])
        found.append(parametrize.type_before_parametrizations(m).__name__)
    return found


@programs.add
def tensors_can_be_assigned_through_inverses(torch):
    found = []
    value = torch.arange(9.0).reshape(3, 3)
    for names in (["Symmetric"], ["RankOne"], ["Skew"]):
        m = linear(torch, *names)

        def assign(m=m):
            m.weight = value
            return m.weight

        found += [attempt(assign), m.state_dict()]
    return found


@programs.add
def removing_leaves_the_value_or_the_original(torch):
    parametrize, found = torch.nn.utils.parametrize, []
    for names in (["Symmetric"], ["RankOne"]):
        for leave in (True, False):
            m = linear(torch, *names)
            remove = parametrize.remove_parametrizations
            found.append(
                attempt(lambda m=m, r=remove, x=leave: repr(r(m, "weight", x)))
            )
            found += [m.state_dict(), type(m).__name__, m.weight.requires_grad]
    return found


@programs.add
def values_are_cached_in_a_block(torch):
    parametrize, m = torch.nn.utils.parametrize, linear(torch, "Symmetric")
    with parametrize.cached():
        inside = m.weight is m.weight
    return [inside, m.weight is m.weight]


@programs.add
def buffers_can_be_parametrized(torch):
    m = torch.nn.Module()
    m.register_buffer("x", torch.ones(2, 2))
    parametrize = torch.nn.utils.parametrize
    parametrize.register_parametrization(m, "x", functions(torch)["Symmetric"]())
    found = [m.x, list(m.state_dict()), parametrize.is_parametrized(m, "y")]
    return [*found, parametrize.is_parametrized(m), m.parametrizations.x.is_tensor]


@programs.add
def copies_are_parametrized_and_pickles_refused(torch):
    m = linear(torch, "Symmetric")
    other = copy.deepcopy(m)
    torch.nn.init.zeros_(other.parametrizations.weight.original)
    found = [other.weight.sum(), torch.equal(m.weight, other.weight)]
    return [*found, attempt(lambda: pickle.dumps(m))]


@programs.add
def parametrizations_are_transferred(torch):
    transfer = torch.nn.utils.parametrize.transfer_parametrizations_and_params
    found = []
    for name in ("Symmetric", "RankOne"):
        m, other = linear(torch, name), torch.nn.Linear(3, 3)
        transfer(m, other)
        found += [repr(other), torch.equal(m.weight, other.weight)]
    plain = torch.nn.Linear(3, 3)
    return [*found, repr(transfer(plain, torch.nn.Linear(3, 3)))]


@programs.add
def what_does_not_fit_is_refused(torch):
    parametrize, kinds = torch.nn.utils.parametrize, functions(torch)
    register = parametrize.register_parametrization
    symmetric = linear(torch, "Symmetric")
    found = [
        attempt(lambda k=k: repr(linear(torch, k))) for k in ("Flat", "Wide", "Number")
    ]
    found += [
        attempt(lambda k=k: repr(linear(torch, "Symmetric", k)))
        for k in ("Flat", "Wide", "Number")
    ]
    found += [
        attempt(lambda: repr(linear(torch, "Flat", unsafe=True))),
        attempt(lambda: register(torch.nn.Linear(1, 1), "x", kinds["Skew"]())),
        attempt(lambda: parametrize.remove_parametrizations(symmetric, "bias")),
        attempt(lambda: parametrize.ParametrizationList([], torch.ones(1))),
    ]
    return found


test_parametrize = programs.test()
