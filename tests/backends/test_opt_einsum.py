"""Products of `einsum` are never put into another order."""

from __future__ import annotations

import pytest

from edutorch.backends import opt_einsum


def test_library_is_absent_and_cannot_be_switched_on():
    assert not opt_einsum.is_available() and opt_einsum.get_opt_einsum() is None
    assert opt_einsum.set_flags() == (False, None)
    with pytest.raises(ValueError, match="opt_einsum is not available"):
        opt_einsum.set_flags(_enabled=True)
    with pytest.raises(ValueError, match="unset `strategy`"):
        opt_einsum.set_flags(_strategy="greedy")
    with opt_einsum.flags(enabled=False):
        assert opt_einsum.enabled is False
