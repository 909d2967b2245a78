"""PyTorch's place of the contexts that switch recording."""

from .inference import inference_mode
from .modes import enable_grad, no_grad, set_grad_enabled, set_multithreading_enabled

__all__ = [
    "enable_grad", "inference_mode", "no_grad", "set_grad_enabled",
    "set_multithreading_enabled",
]  # fmt: skip
