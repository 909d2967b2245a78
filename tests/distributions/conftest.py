"""Tests of distributions: PyTorch's check their parameters, too."""

import pytest

from tests.answers import oracle


@pytest.fixture(autouse=True)
def parameters_are_checked():
    """PyTorch's compiler, once another test has loaded it, has switched this off."""
    if oracle() is not None:
        oracle().distributions.Distribution.set_default_validate_args(True)
