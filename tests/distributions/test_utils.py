"""What distributions share."""

from __future__ import annotations

from tests.programs import Programs, attempt

programs = Programs(__file__)


@programs.add
def probabilities_and_log_odds(torch):
    utils = torch.distributions.utils
    p = torch.tensor([0.0, 0.25, 0.75, 1.0])
    return [
        utils.clamp_probs(p),
        [utils.probs_to_logits(p, binary) for binary in (False, True)],
        [utils.logits_to_probs(p, binary) for binary in (False, True)],
    ]


@programs.add
def parameters_of_one_shape(torch):
    utils = torch.distributions.utils
    return [
        list(utils.broadcast_all(1, 2.5)),
        list(utils.broadcast_all(torch.zeros(2, 1, dtype=torch.float64), 1)),
        list(utils.broadcast_all(torch.zeros(2, 1), torch.ones(3))),
        attempt(lambda: utils.broadcast_all("a")),
    ]


@programs.add
def lower_triangles(torch):
    utils = torch.distributions.utils
    x, y = torch.arange(9.0).reshape(3, 3), torch.arange(12.0).reshape(2, 6)
    return [
        [utils.tril_matrix_to_vec(x, diag) for diag in (-3, -1, 0, 2)],
        [utils.vec_to_tril_matrix(y, diag) for diag in (0, -1)],
        attempt(lambda: utils.tril_matrix_to_vec(x, 3)),
        attempt(lambda: utils.vec_to_tril_matrix(torch.ones(4))),
        utils.euler_constant,
    ]


test_utils = programs.test()
