"""Deprecation warnings of linear algebra."""

from __future__ import annotations

import warnings

import pytest

import edutorch as torch
from edutorch.ops.linalg.replaced import REPLACED

CALLS = {
    "cholesky": "torch.cholesky(torch.eye(2))",
    "lu": "torch.lu(torch.eye(2))",
    "lu_solve": "torch.lu_solve(torch.eye(2), *torch.linalg.lu_factor(torch.eye(2)))",
    "qr": "torch.qr(torch.eye(2))",
    "triangular_solve": "torch.triangular_solve(torch.eye(2), torch.eye(2))",
}


def test_every_replaced_function_is_called_here():
    assert set(CALLS) == set(REPLACED)


@pytest.mark.parametrize("name", CALLS)
def test_replaced_functions_warn_at_the_line_of_the_program(name):
    with pytest.warns(UserWarning, match=f"^torch.{name} is deprecated") as caught:
        eval(CALLS[name], {"torch": torch})
    assert caught[0].filename == "<string>"
    assert "\n" in str(caught[0].message)


def test_new_functions_do_not_warn():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        torch.linalg.qr(torch.eye(2))
        torch.linalg.cholesky(torch.eye(2))
        torch.linalg.lu_solve(*torch.linalg.lu_factor(torch.eye(2)), torch.eye(2))
