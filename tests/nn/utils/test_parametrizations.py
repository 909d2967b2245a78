"""Ready-made parametrizations."""

from __future__ import annotations

from tests.nn.utils.layers import LAYERS, made, train
from tests.programs import Programs, attempt

programs = Programs(__file__)

MAPS = ("matrix_exp", "cayley", "householder", None)


@programs.add
def weights_of_lengths_and_directions_train(torch):
    found = {}
    for layer, shape in LAYERS.items():
        name = "weight_hh_l0" if "LSTM" in layer else "weight"
        for dim in (0, None):
            m = made(torch, layer)
            torch.nn.utils.parametrizations.weight_norm(m, name, dim)
            found[f"{layer} {dim}"] = [train(torch, m, shape), repr(m)]
    return found


@programs.add
def weights_of_the_older_form_are_loaded(torch):
    utils = torch.nn.utils
    old = utils.weight_norm(torch.nn.Linear(2, 3))
    new = utils.parametrizations.weight_norm(torch.nn.Linear(2, 3))
    new.load_state_dict(old.state_dict())
    return [torch.equal(old.weight, new.weight), new.state_dict()]


@programs.add
def spectral_norms_train(torch):
    found, norm = {}, torch.nn.utils.parametrizations.spectral_norm
    for layer, shape in LAYERS.items():
        name = "weight_hh_l0" if "LSTM" in layer else "weight"
        # In single precision the vectors of nearly equal singular values drift.
        m = norm(made(torch, layer).double(), name, 2)
        ones = torch.ones(shape, dtype=torch.float64)
        found[layer] = [train(torch, m, shape), m.eval()(ones)]
    vector = norm(torch.nn.Linear(2, 3), "bias")
    return [found, vector.bias]


@programs.add
def matrices_stay_orthogonal(torch):
    found = []
    for kind in MAPS:
        for layer in ("nn.Linear(3, 3)", "nn.Linear(2, 4)", "nn.Linear(4, 2)"):
            m = made(torch, layer).double()
            torch.nn.utils.parametrizations.orthogonal(m, "weight", kind)
            optimizer = torch.optim.SGD(m.parameters(), lr=0.05)
            for _ in range(3):
                optimizer.zero_grad()
                (m.weight**3).sum().backward()
                optimizer.step()
            w = m.weight if m.weight.shape[0] >= m.weight.shape[1] else m.weight.T
            one = torch.eye(w.shape[1], dtype=w.dtype)
            found.append(torch.allclose(w.T @ w, one, atol=1e-8))
            if layer == "nn.Linear(3, 3)":  # what is not square has a random base
                found.append([m.weight, m.state_dict()])
    return found


@programs.add
def matrices_without_a_base_can_be_assigned_reflections(torch):
    orthogonal, found = torch.nn.utils.parametrizations.orthogonal, []
    for kind in ("cayley", "householder"):
        m = torch.nn.Linear(3, 3).double()
        orthogonal(m, orthogonal_map=kind, use_trivialization=False)
        found.append(m.weight)

        def assign(m=m):
            m.weight = torch.eye(3, dtype=torch.float64)
            return m.weight

        found.append(attempt(assign))
    return found


@programs.add
def what_does_not_fit_is_refused(torch):
    made, m = torch.nn.utils.parametrizations, torch.nn.Linear(2, 2)
    orthogonal = made.orthogonal(torch.nn.Linear(2, 2))

    def assign():
        orthogonal.weight = torch.ones(3, 3)

    return [
        attempt(lambda: made.orthogonal(m, "x")),
        attempt(lambda: made.orthogonal(m, "bias")),
        attempt(lambda: made.orthogonal(m, "weight", "x")),
        attempt(lambda: made.spectral_norm(m, "x")),
        attempt(lambda: made.spectral_norm(m, n_power_iterations=0)),
        attempt(lambda: made.spectral_norm(m, dim=5)),
        attempt(assign),
    ]


test_parametrizations = programs.test()
