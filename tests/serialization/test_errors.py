"""What the errors of `load` say."""

from __future__ import annotations

from edutorch.serialization.errors import NotAllowedError, weights_only_error


def test_names_that_are_not_allowed_come_with_two_ways_out():
    why = "Unsupported global: GLOBAL a.b was not an allowed global by default."
    told = str(weights_only_error(NotAllowedError(why)))
    assert told.startswith("Weights only load failed. This file can still be loaded, ")
    assert told.endswith(f"WeightsUnpickler error: {why}")


def test_other_refusals_begin_with_the_way_out():
    told = str(weights_only_error(NotAllowedError("Unsupported operand 5")))
    assert told.startswith(
        "Weights only load failed. In PyTorch 2.6, we changed the de"
    )
    assert "WeightsUnpickler error: Unsupported operand 5" in told


def test_error_is_pythons_own_class():
    assert (
        type(weights_only_error(NotAllowedError("why"))).__name__ == "UnpicklingError"
    )
