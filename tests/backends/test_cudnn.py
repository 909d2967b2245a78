"""The switches of cuDNN."""

from __future__ import annotations

import edutorch.backends.cudnn as cudnn


def test_cudnn_is_absent():
    assert not cudnn.is_available()
    assert cudnn.version() is None


def test_switches_keep_what_is_set():
    cudnn.benchmark = True
    try:
        assert cudnn.benchmark
    finally:
        cudnn.benchmark = False


def test_flags_are_set_back_after_the_block():
    with cudnn.flags(enabled=True, deterministic=True, allow_tf32=False):
        assert (cudnn.deterministic, cudnn.allow_tf32) == (True, False)
    assert (cudnn.deterministic, cudnn.allow_tf32) == (False, True)
