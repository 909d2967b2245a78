"""Settings of NVIDIA's libraries: stored for programs that set them.

Only `matmul.allow_tf32` has an effect: it lets real GPUs round factors to TF32, and
makes products of simulated ones faster. All others change nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from . import gpus

__all__ = [
    "allow_fp16_bf16_reduction_math_sdp", "cudnn_sdp_enabled", "cuBLASModule",
    "enable_cudnn_sdp", "enable_flash_sdp", "enable_math_sdp",
    "enable_mem_efficient_sdp", "flash_sdp_enabled",
    "fp16_bf16_reduction_math_sdp_allowed", "is_built", "is_flash_attention_available",
    "math_sdp_enabled", "matmul", "mem_efficient_sdp_enabled", "sdp_kernel",
]  # fmt: skip

_attention = {
    "flash": True, "math": True, "mem_efficient": True, "cudnn": True,
    "half_reduction": False,
}  # fmt: skip


class cuBLASModule:  # noqa: N801 (PyTorch's name)
    """The switches of matrix products.

    Raises:
        AttributeError: for an unknown switch.

    Example:
        >>> import edutorch as torch
        >>> torch.backends.cuda.matmul.allow_tf32
        False
    """

    __slots__ = (
        "allow_tf32", "allow_fp16_reduced_precision_reduction",
        "allow_bf16_reduced_precision_reduction", "allow_fp16_accumulation",
        "fp32_precision",
    )  # fmt: skip

    def __init__(self) -> None:
        self.allow_tf32 = self.allow_fp16_accumulation = False
        self.allow_fp16_reduced_precision_reduction = True
        self.allow_bf16_reduced_precision_reduction = True
        self.fp32_precision = "none"

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self.__slots__:
            raise AttributeError("Unknown attribute " + name)
        object.__setattr__(self, name, value)
        if name == "allow_tf32":
            gpus.allow_tf32(bool(value))


matmul = cuBLASModule()


def is_built() -> bool:
    """Whether compiled GPU code is included: always False.

    Example:
        >>> import edutorch as torch
        >>> torch.backends.cuda.is_built()
        False
    """
    return False


def is_flash_attention_available() -> bool:
    """Whether there is a kernel of this kind: there is none.

    Example:
        >>> import edutorch as torch
        >>> torch.backends.cuda.is_flash_attention_available()
        False
    """
    return False


def flash_sdp_enabled() -> bool:
    """Whether flash attention is allowed on GPUs; that changes nothing.

    Example:
        >>> import edutorch as torch
        >>> torch.backends.cuda.flash_sdp_enabled()
        True
    """
    return _attention["flash"]


def enable_flash_sdp(enabled: bool) -> None:
    """Allow flash attention on GPUs, or forbid it.

    Example:
        >>> import edutorch as torch
        >>> torch.backends.cuda.enable_flash_sdp(True)
    """
    _attention["flash"] = bool(enabled)


def math_sdp_enabled() -> bool:
    """Whether attention by products is allowed on GPUs; that changes nothing.

    Example:
        >>> import edutorch as torch
        >>> torch.backends.cuda.math_sdp_enabled()
        True
    """
    return _attention["math"]


def enable_math_sdp(enabled: bool) -> None:
    """Allow attention by products on GPUs, or forbid it.

    Example:
        >>> import edutorch as torch
        >>> torch.backends.cuda.enable_math_sdp(True)
    """
    _attention["math"] = bool(enabled)


def mem_efficient_sdp_enabled() -> bool:
    """Whether attention that saves memory is allowed on GPUs; that changes nothing.

    Example:
        >>> import edutorch as torch
        >>> torch.backends.cuda.mem_efficient_sdp_enabled()
        True
    """
    return _attention["mem_efficient"]


def enable_mem_efficient_sdp(enabled: bool) -> None:
    """Allow attention that saves memory on GPUs, or forbid it.

    Example:
        >>> import edutorch as torch
        >>> torch.backends.cuda.enable_mem_efficient_sdp(True)
    """
    _attention["mem_efficient"] = bool(enabled)


def cudnn_sdp_enabled() -> bool:
    """Whether cuDNN's attention is allowed on GPUs; that changes nothing.

    Example:
        >>> import edutorch as torch
        >>> torch.backends.cuda.cudnn_sdp_enabled()
        True
    """
    return _attention["cudnn"]


def enable_cudnn_sdp(enabled: bool) -> None:
    """Allow cuDNN's attention on GPUs, or forbid it.

    Example:
        >>> import edutorch as torch
        >>> torch.backends.cuda.enable_cudnn_sdp(True)
    """
    _attention["cudnn"] = bool(enabled)


def fp16_bf16_reduction_math_sdp_allowed() -> bool:
    """Whether attention was allowed to sum in 16 bits; it never does.

    Example:
        >>> import edutorch as torch
        >>> torch.backends.cuda.fp16_bf16_reduction_math_sdp_allowed()
        False
    """
    return _attention["half_reduction"]


def allow_fp16_bf16_reduction_math_sdp(enabled: bool) -> None:
    """Allow attention to add in 16 bits.

    Example:
        >>> import edutorch as torch
        >>> torch.backends.cuda.allow_fp16_bf16_reduction_math_sdp(False)
    """
    _attention["half_reduction"] = bool(enabled)


@contextmanager
def sdp_kernel(
    enable_flash: bool = True,
    enable_math: bool = True,
    enable_mem_efficient: bool = True,
    enable_cudnn: bool = True,
) -> Iterator[dict[str, bool]]:
    """Set which kinds of attention may be used in a `with` block.

    Example:
        >>> import edutorch as torch
        >>> with torch.backends.cuda.sdp_kernel(enable_flash=False):
        ...     torch.backends.cuda.flash_sdp_enabled()
        False
    """
    before = dict(_attention)
    _attention.update(
        flash=enable_flash, math=enable_math, mem_efficient=enable_mem_efficient,
        cudnn=enable_cudnn,
    )  # fmt: skip
    try:
        yield {}
    finally:
        _attention.update(before)
