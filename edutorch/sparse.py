"""`torch.sparse`: functions of tensors that store only some of their elements.

A sparse tensor holds a sparse array (`backends/sparse`) where a dense one holds
NumPy's; most functions of dense tensors work on it where zeros stay zeros.
"""

from __future__ import annotations

from .ops.sparse.products import addmm, mm, sampled_addmm
from .ops.sparse.reduce import log_softmax, softmax, spdiags, sum

__all__ = [
    "addmm", "check_sparse_tensor_invariants", "log_softmax", "mm", "sampled_addmm",
    "softmax", "spdiags", "sum",
]  # fmt: skip


class check_sparse_tensor_invariants:  # noqa: N801 (PyTorch's name)
    """Whether the parts of sparse tensors are checked: here they always are.

    Positions outside a tensor would be read outside its memory; the switch is kept for
    programs that set it, and says what was set.

    Example:
        >>> import edutorch as torch
        >>> with torch.sparse.check_sparse_tensor_invariants():
        ...     torch.sparse.check_sparse_tensor_invariants.is_enabled()
        True
    """

    _state = False

    def __init__(self, enable: bool = True) -> None:
        self.state = enable

    @staticmethod
    def is_enabled() -> bool:
        """What was set last."""
        return check_sparse_tensor_invariants._state

    @staticmethod
    def enable() -> None:
        """Set the switch."""
        check_sparse_tensor_invariants._state = True

    @staticmethod
    def disable() -> None:
        """Take the switch back; what would be read outside memory is still refused."""
        check_sparse_tensor_invariants._state = False

    def __enter__(self) -> None:
        self.before = check_sparse_tensor_invariants._state
        check_sparse_tensor_invariants._state = self.state

    def __exit__(self, *exception: object) -> None:
        check_sparse_tensor_invariants._state = self.before
