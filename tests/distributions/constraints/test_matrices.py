"""Sets of matrices."""

from __future__ import annotations

from tests.programs import Programs

programs = Programs(__file__)


@programs.add
def checked_matrices(torch):
    c = torch.distributions.constraints
    matrices = torch.tensor(
        [
            [[1.0, 0.0], [2.0, 1.0]], [[2.0, 1.0], [1.0, 2.0]],
            [[1.0, 0.0], [0.6, 0.8]], [[1.0, 1.0], [1.0, 1.0]],
        ]
    )  # fmt: skip
    sets = [
        c.lower_triangular, c.lower_cholesky, c.corr_cholesky, c.square, c.symmetric,
        c.positive_semidefinite, c.positive_definite,
    ]  # fmt: skip
    return [
        [repr(k), k.event_dim, [k.check(m) for m in matrices], k.check(matrices[1:2])]
        for k in sets
    ] + [c.symmetric.check(torch.ones(3, 2, 4)), c.square.check(torch.ones(2, 4))]


test_matrices = programs.test()
