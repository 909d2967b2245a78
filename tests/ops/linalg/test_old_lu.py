"""The deprecated functions of LU: like their successors, after a warning."""

import pytest

import edutorch as torch


def test_lu_gives_the_factors_of_lu_factor():
    a = torch.tensor([[1.0, 2.0], [4.0, 4.0]])
    with pytest.warns(UserWarning, match="torch.lu is deprecated"):
        factors, pivots = torch.lu(a)
    expected, order = torch.linalg.lu_factor(a)
    assert torch.equal(factors, expected) and torch.equal(pivots, order)
    assert a.lu(get_infos=True)[2] == 0  # it warns once per process


def test_lu_refuses_a_pivot_that_is_no_bool():
    with pytest.raises(TypeError, match="pivot"):
        torch.lu(torch.eye(2), 1)


def test_lu_solve_takes_the_right_side_first():
    a, b = torch.tensor([[1.0, 2.0], [4.0, 4.0]]), torch.tensor([[3.0], [8.0]])
    with pytest.warns(UserWarning, match="torch.lu_solve is deprecated"):
        x = torch.lu_solve(b, *torch.linalg.lu_factor(a))
    assert torch.allclose(a @ x, b)
