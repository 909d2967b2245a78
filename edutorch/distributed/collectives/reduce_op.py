"""`ReduceOp`: how values of several ranks become one."""

from __future__ import annotations

from enum import Enum

__all__ = ["ReduceOp", "reduce_op", "supports_complex"]


class ReduceOp(Enum):
    """The operation of a reduction: sum, average, product, bitwise and, ...

    Example:
        >>> import edutorch as torch
        >>> torch.distributed.ReduceOp.SUM
        <RedOpType.SUM: 0>
        >>> torch.distributed.ReduceOp("max") is torch.distributed.ReduceOp.MAX
        True
    """

    SUM = 0
    AVG = 1
    PRODUCT = 2
    MIN = 3
    MAX = 4
    BAND = 5
    BOR = 6
    BXOR = 7

    @classmethod
    def _missing_(cls, value: object) -> ReduceOp | None:
        return cls.__members__.get(str(value).upper())

    def __str__(self) -> str:
        return f"RedOpType.{self.name}"

    def __repr__(self) -> str:
        return f"<RedOpType.{self.name}: {self.value}>"


reduce_op = ReduceOp  # PyTorch's older name


def supports_complex(reduceOp: ReduceOp) -> bool:
    """Whether an operation combines complex numbers.

    Example:
        >>> import edutorch as torch
        >>> op = torch.distributed.ReduceOp
        >>> torch.distributed.supports_complex(op.SUM)
        True
        >>> torch.distributed.supports_complex(op.MAX)
        False
    """
    return reduceOp in {ReduceOp.SUM, ReduceOp.AVG}
