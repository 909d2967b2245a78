"""Inference mode, in which nothing is recorded, and the way out of it."""

from __future__ import annotations

from typing import Any

from .modes import ContextDecorator, count_special_mode, modes, switch_recording

__all__ = ["inference_mode", "is_inference_mode_enabled"]

_inferred = False  # whether inference mode was ever on
FLAGS = ("inference", "grad_in_inference", "grad_in_dual")  # what it changes


class inference_mode(ContextDecorator):  # noqa: N801 (PyTorch's name)
    """Like `no_grad`, but autograd can never use the results. Also a decorator.

    Example:
        >>> import edutorch as torch
        >>> with torch.inference_mode():
        ...     torch.ones(1).is_inference()
        True
    """

    def __new__(cls, mode: Any = True) -> Any:
        made = super().__new__(cls)
        if isinstance(mode, bool):
            return made
        made.mode = True
        return made(mode)

    def __init__(self, mode: bool = True) -> None:
        self.mode = mode

    def __enter__(self) -> None:
        global _inferred
        if not _inferred:
            _inferred = True
            count_special_mode(1)
        self.before = modes.grad, {name: getattr(modes, name) for name in FLAGS}
        self._switch()

    def _switch(self) -> None:
        switch_recording(not self.mode)
        modes.inference, on = self.mode, not self.mode
        modes.grad_in_inference = modes.grad_in_dual = on

    def __exit__(self, *exception: object) -> None:
        recorded, flags = self.before
        for name, flag in flags.items():
            setattr(modes, name, flag)
        switch_recording(recorded)

    def _clone(self) -> ContextDecorator:
        return inference_mode(self.mode)


class outside_inference(inference_mode):  # noqa: N801 (like its base class)
    """Leave inference mode, without switching recording on, as transforms do.

    Example:
        >>> import edutorch as torch
        >>> with torch.inference_mode(), outside_inference():
        ...     torch.ones(1).is_inference(), torch.is_grad_enabled()
        (False, False)
    """

    def __init__(self) -> None:
        super().__init__(False)

    def _switch(self) -> None:
        if modes.inference:
            modes.inference = False
            switch_recording(modes.dual or modes.grad_in_inference)

    def _clone(self) -> ContextDecorator:
        return outside_inference()


def is_inference_mode_enabled() -> bool:
    """Whether this thread is in inference mode.

    Example:
        >>> import edutorch as torch
        >>> torch.is_inference_mode_enabled()
        False
    """
    return modes.inference
