"""The switches of `mkldnn` are stored."""

from __future__ import annotations

import pytest

from edutorch.backends import mkldnn


def test_switches_are_set_for_a_block():
    assert mkldnn.enabled and not mkldnn.is_available()
    with mkldnn.flags(enabled=False, deterministic=True):
        assert (mkldnn.enabled, mkldnn.deterministic) == (False, True)
        assert mkldnn.allow_tf32 is True
    assert (mkldnn.enabled, mkldnn.deterministic) == (True, False)
    assert mkldnn.allow_tf32 is None


def test_library_is_absent_and_says_so():
    with mkldnn.verbose(mkldnn.VERBOSE_OFF):
        pass
    with pytest.raises(RuntimeError, match="Failed to set MKLDNN into verbose mode"):
        mkldnn.verbose(mkldnn.VERBOSE_ON_CREATION).__enter__()
