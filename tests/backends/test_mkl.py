"""A library that is not loaded by name."""

from __future__ import annotations

import pytest

from edutorch.backends import mkl


def test_library_is_absent_and_says_so():
    assert not mkl.is_available()
    with mkl.verbose(mkl.VERBOSE_OFF):
        pass
    with pytest.raises(RuntimeError, match="Failed to set MKL into verbose mode"):
        mkl.verbose(mkl.VERBOSE_ON).__enter__()
