"""Weight normalisation by a hook."""

from __future__ import annotations

from tests.nn.utils.layers import LAYERS, made, train
from tests.programs import Programs, attempt, warned

programs = Programs(__file__)


@programs.add
def layers_learn_length_and_direction(torch):
    found = {}
    for layer, shape in LAYERS.items():
        name = "weight_hh_l0" if "LSTM" in layer else "weight"
        for dim in (0, 1, None):
            m = torch.nn.utils.weight_norm(made(torch, layer), name, dim)
            seen = train(torch, m, shape)
            names = [n for n, _ in m.named_parameters()]
            torch.nn.utils.remove_weight_norm(m, name)
            found[f"{layer} {dim}"] = [seen, names, m.state_dict(), repr(m)]
    return found


@programs.add
def the_older_form_is_deprecated(torch):
    m = torch.nn.Linear(2, 2)
    return warned(lambda: repr(torch.nn.utils.weight_norm(m)))


@programs.add
def what_does_not_fit_is_refused(torch):
    utils, m = torch.nn.utils, torch.nn.Linear(2, 2)
    utils.weight_norm(m)
    return [
        attempt(lambda: utils.weight_norm(m)),
        attempt(lambda: utils.remove_weight_norm(m, "bias")),
        attempt(lambda: utils.weight_norm(m, "x")),
    ]


test_weight_norm = programs.test()
