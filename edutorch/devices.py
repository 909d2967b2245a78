"""Devices: where the memory of a tensor is.

`cpu` uses NumPy. `cuda:N` uses CuPy on a real GPU, or is a simulated GPU
(`edutorch.cuda.simulate`), which computes with NumPy and has the memory of a GPU.

Each thread has its own current GPU and default device, as in PyTorch.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Final

from .text_arguments import as_text

__all__ = ["device", "to_device", "CPU"]

_TYPES: Final = (
    "cpu", "cuda", "ipu", "xpu", "mkldnn", "opengl", "opencl", "ideep", "hip", "ve",
    "fpga", "maia", "xla", "lazy", "vulkan", "mps", "meta", "hpu", "mtia",
    "privateuseone",
)  # fmt: skip


class device:  # noqa: N801 (PyTorch's name)
    """A device such as `device("cuda:1")`; equal devices are equal objects.

    Args:
        type: "cpu", "cuda", "cuda:1" ..., or a number, which means a GPU.
        index: the number of the GPU.

    Raises:
        RuntimeError: for names that no device has.

    Example:
        >>> import edutorch as torch
        >>> torch.device("cuda", 1)
        device(type='cuda', index=1)
        >>> with torch.device("cpu"):  # new tensors are made there
        ...     torch.zeros(1).device
        device(type='cpu')
    """

    __slots__ = ("type", "index", "_text")

    type: str
    index: int | None
    _text: str

    def __new__(cls, type: Any = "cpu", index: int | None = None) -> device:
        if isinstance(type, device):
            return type
        if isinstance(type, int) and not isinstance(type, bool):
            if type < 0:
                raise RuntimeError("Device index must not be negative")
            if not has_gpus():
                raise RuntimeError(
                    "Cannot access accelerator device when none is available."
                )
            type, index = "cuda", type
        type = as_text(type)
        if not isinstance(type, str):
            raise argument_error() or TypeError(
                "device() received an invalid combination of arguments - got "
                f"({type.__class__.__name__}), but expected one of:"
            )
        if ":" in type:
            if index is not None:
                raise RuntimeError(
                    "type (string) must not include an index because index was "
                    f"passed explicitly: {type}"
                )
            type, _, digits = type.partition(":")
            if not digits.isdigit() or (len(digits) > 1 and digits[0] == "0"):
                raise RuntimeError(f"Invalid device string: '{type}:{digits}'")
            index = int(digits)
        return _known.get((type, index)) or _make(cls, type, index)

    def __enter__(self) -> device:
        """Make new tensors on this device until the block ends."""
        _mine.outer = (*_mine.outer, get_default_device())
        set_default_device(self)
        return self

    def __exit__(self, *_: object) -> None:
        *rest, before = _mine.outer
        _mine.outer = tuple(rest)
        set_default_device(before)

    def __repr__(self) -> str:
        number = "" if self.index is None else f", index={self.index}"
        return f"device(type='{self.type}'{number})"

    def __str__(self) -> str:
        return self._text

    def __reduce__(self) -> Any:
        return device, (self._text,)


# What PyTorch's parser says of the program's call; set by `ops/argument_errors.py`.
argument_error: Callable[[], Any] = bool

# Whether a number can name a GPU; set by `backends/gpus.py`.
has_gpus: Callable[[], bool] = bool

_known: dict[tuple[str, int | None], device] = {}


def _make(cls: type[device], kind: str, index: int | None) -> device:
    if kind not in _TYPES:
        raise RuntimeError(
            f"Expected one of {', '.join(_TYPES)} device type at start of device "
            f"string: {kind}"
        )
    made = object.__new__(cls)
    made.type = kind
    made.index = index
    made._text = kind if index is None else f"{kind}:{index}"
    _known[kind, index] = made
    return made


CPU: Final = device("cpu")


class _PerThread(threading.local):
    cuda = 0  # the number of the current GPU
    default = CPU  # where new tensors are made
    outer: tuple[device, ...] = ()  # the defaults to return to, of nested blocks


_mine = _PerThread()
_moved = False  # whether any thread ever had another default than the CPU


def current_cuda() -> int:
    """The number of the GPU that "cuda" without a number means in this thread."""
    return _mine.cuda


def set_current_cuda(index: int) -> None:
    """Make `index` the GPU that "cuda" without a number means in this thread."""
    _mine.cuda = index


def get_default_device() -> device:
    """The device that new tensors of this thread are made on.

    Example:
        >>> import edutorch as torch
        >>> torch.get_default_device()
        device(type='cpu')
    """
    return _mine.default


def set_default_device(where: Any) -> None:
    """Make new tensors of this thread on this device; `None` means the CPU.

    Example:
        >>> import edutorch as torch
        >>> torch.set_default_device("cpu")
        >>> torch.zeros(1).device
        device(type='cpu')
    """
    global _moved
    found = CPU if where is None else to_device(where)
    _moved = _moved or found is not CPU
    _mine.default = found


def to_device(value: Any) -> device:
    """The device a user names: `None` is the default, "cuda" the current GPU."""
    if value is None:
        return _mine.default if _moved else CPU
    found = device(value)
    if found.type == "cpu":
        return CPU
    if found.type == "cuda" and found.index is None:
        return device("cuda", _mine.cuda)
    return found
