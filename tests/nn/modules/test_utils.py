"""Sizes for every dimension, and names in states."""

from __future__ import annotations

from edutorch.nn.modules.utils import ntuple
from tests.programs import Programs

programs = Programs(__file__)


def test_ntuple_repeats_numbers_and_keeps_sequences():
    assert ntuple(3, 2) == (3, 3)
    assert ntuple([1, 2], 2) == (1, 2)
    assert ntuple((1, 2, 3), 3) == (1, 2, 3)


@programs.add
def sizes_are_repeated(torch):
    utils = torch.nn.modules.utils
    given = 3, (1, 2), [4], range(2), torch.Size([5, 6])
    functions = utils._single, utils._pair, utils._triple, utils._quadruple
    found = [[f(x) for x in given] for f in functions]
    names = [f.__name__ for f in functions]
    return [found, names, utils._ntuple(5)(0), utils._reverse_repeat_tuple((1, 2), 2)]


@programs.add
def a_prefix_is_taken_off(torch):
    net = torch.nn.Sequential(torch.nn.Linear(1, 1), torch.nn.BatchNorm1d(1))
    state = torch.nn.DataParallel(net).state_dict()
    plain = {"module.a": 1, "modules.b": 2}
    for given in (state, plain):
        torch.nn.modules.utils.consume_prefix_in_state_dict_if_present(given, "module.")
    return [list(state), sorted(state._metadata), sorted(plain)]


test_utils = programs.test()
