"""The same expression in edutorch and in PyTorch, after the same seed."""

from __future__ import annotations

import warnings

import numpy as np

import edutorch

__all__ = ["same_draw", "same_refusal"]


def _outcome(module, expression):
    module.manual_seed(7)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return eval(expression, {"torch": module})


def _facts(result):
    return str(result.dtype), tuple(result.shape), result.stride(), result.requires_grad


def _numbers(result):
    if result.is_complex():
        return np.array(result.detach().tolist(), complex)
    return np.array(result.detach().tolist(), float)


def same_draw(oracle, expression):
    """Equal in dtype, shape, strides and numbers; and so is the next draw."""
    ours, theirs = _outcome(edutorch, expression), _outcome(oracle, expression)
    assert _facts(ours) == _facts(theirs)
    short = "float16" in expression
    tolerance = 0.01 if short else 2e-6
    np.testing.assert_allclose(
        _numbers(ours), _numbers(theirs), rtol=tolerance, atol=tolerance
    )
    assert edutorch.rand(1).item() == oracle.rand(1).item()


def same_refusal(oracle, expression):
    """The same type of exception, and the same first line."""
    found = []
    for module in (edutorch, oracle):
        try:
            _outcome(module, expression)
        except Exception as error:
            lines = str(error).splitlines()[0].split(" - got")[0]
            found.append((type(error).__name__, lines))
    assert len(found) == 2, f"not refused: {expression}"
    assert found[0] == found[1]
