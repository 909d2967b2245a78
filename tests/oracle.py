"""PyTorch as the oracle of the tests: `from tests.oracle import torch`.

A test file that needs PyTorch imports it from here. Without PyTorch the file
is skipped, unless EDUTORCH_REQUIRE names it (`EDUTORCH_REQUIRE=torch,browser`):
then its absence is a failure. Tests that must pass without PyTorch compare
with stored numbers and do not import this file.
"""

from __future__ import annotations

import warnings

import pytest

from tests.require import required

__all__ = ["torch"]

try:
    with warnings.catch_warnings():
        # What PyTorch's own files warn of while they load is not ours.
        warnings.simplefilter("ignore")
        import torch
except ModuleNotFoundError as error:
    if error.name != "torch" or required("torch"):
        raise
    pytest.skip("needs PyTorch (torch)", allow_module_level=True)
else:
    # One thread: sums are added in one order, and two cores are shared.
    torch.set_num_threads(1)
