"""Switches of NVIDIA's libraries are kept."""

from __future__ import annotations

import pytest

import edutorch as torch
from edutorch.backends import cuda


def test_switches_are_kept():
    assert cuda.matmul.allow_tf32 is False and not cuda.is_built()
    cuda.matmul.allow_tf32 = True
    assert torch.backends.cuda.matmul.allow_tf32 is True
    cuda.matmul.allow_tf32 = False
    with pytest.raises(AttributeError, match="Unknown attribute alow_tf32"):
        cuda.matmul.alow_tf32 = True
    assert not cuda.is_flash_attention_available()


@pytest.mark.parametrize("kind", ["flash", "math", "mem_efficient", "cudnn"])
def test_kinds_of_attention_are_allowed_one_by_one_and_in_blocks(kind):
    is_enabled = getattr(cuda, f"{kind}_sdp_enabled")
    assert is_enabled() is True
    getattr(cuda, f"enable_{kind}_sdp")(False)
    assert is_enabled() is False
    with cuda.sdp_kernel():
        assert is_enabled() is True
    assert is_enabled() is False
    getattr(cuda, f"enable_{kind}_sdp")(True)


def test_sums_in_half_precision_may_be_asked_for():
    assert not cuda.fp16_bf16_reduction_math_sdp_allowed()
    cuda.allow_fp16_bf16_reduction_math_sdp(True)
    assert cuda.fp16_bf16_reduction_math_sdp_allowed()
    cuda.allow_fp16_bf16_reduction_math_sdp(False)
