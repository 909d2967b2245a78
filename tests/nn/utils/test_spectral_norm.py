"""Spectral normalisation by a hook."""

from __future__ import annotations

from tests.nn.utils.layers import LAYERS, made, train
from tests.programs import Programs, attempt

programs = Programs(__file__)


@programs.add
def layers_are_normalised_in_training_and_evaluation(torch):
    found = {}
    for layer, shape in LAYERS.items():
        name = "weight_hh_l0" if "LSTM" in layer else "weight"
        m = torch.nn.utils.spectral_norm(made(torch, layer), name, 2)
        seen = train(torch, m, shape)
        m.eval()
        y = m(torch.ones(shape))
        torch.nn.utils.remove_spectral_norm(m, name)
        found[layer] = [seen, y, m.state_dict(), repr(m)]
    return found


@programs.add
def states_note_their_version(torch):
    m = torch.nn.utils.spectral_norm(torch.nn.Linear(2, 3))
    state = m.state_dict()
    other = torch.nn.utils.spectral_norm(torch.nn.Linear(2, 3))
    other.load_state_dict(state)
    return [dict(state._metadata), other.state_dict()]


@programs.add
def what_does_not_fit_is_refused(torch):
    utils, m = torch.nn.utils, torch.nn.Linear(2, 2, bias=False)
    utils.spectral_norm(m)
    return [
        attempt(lambda: utils.spectral_norm(m)),
        attempt(lambda: utils.spectral_norm(m, "bias")),
        attempt(lambda: utils.spectral_norm(torch.nn.Linear(2, 2), "weight", 0)),
        attempt(lambda: utils.remove_spectral_norm(m, "bias")),
    ]


test_spectral_norm = programs.test()
