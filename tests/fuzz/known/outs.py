"""Accepted differences in results written to `out=`, each with its reason."""

from __future__ import annotations

from tests.fuzz.known.entry import Known

__all__ = ["KNOWN"]

KNOWN = (
    Known(
        r"torch\.b?float16\)\n(.*\n)*y = torch\.fft\.",
        "value",
        "transforms differ in roundings; where these are half of the last digit of `out`, "
        "they decide about it",
        cause="last digits",
    ),
    Known(
        r"torch\.(std|var)\(.*out=o",
        "accepted",
        "PyTorch writes real variances into complex numbers only where there is one",
        r'"std_cpu" not implemented for .Complex',
    ),
    Known(
        r"ihfftn?2?\(.*out=o",
        "value|accepted|refused|message",
        "PyTorch's inverse transform of real numbers leaves `out` as it was",
    ),
    Known(
        r"\(lambda n, k: ([A-F])\)(.*\n)*y = torch\.norm\(\1, .*, -1, out=o",
        "structure",
        "PyTorch resizes `out` before it reads the operand that it is",
    ),
    Known(
        r"\(lambda n, k: ([A-F])\)(.*\n)*y = (F|torch)\.\w+\((.*[ =])?\1, .*out=o",
        "accepted|exception|message",
        "PyTorch resizes `out` before it reads the operand that it is",
        r"Dimension out of range|TensorAccessor expected|must be a matrix"
        r"|shapes cannot be multiplied|must match the size of tensor|1D tensors expected"
        r"|match the broadcast shape",
    ),
    Known(
        r"\(lambda n, k: ([A-F])\)(.*\n)*y = torch\.(linalg\.)?(aminmax|slogdet)\(\1\b",
        "refused|shape|structure|value",
        "PyTorch resizes `out` before it reads the operand that it is",
        r"^\[",
    ),
    Known(
        r"matmul\(.*out=o",
        "accepted",
        "PyTorch refuses an `out` with gaps for products that add up nothing",
        r"must match the size of tensor",
    ),
    Known(
        r"gelu\(.*out=",
        "value",
        "PyTorch does not write to an `out` that is not contiguous",
    ),
)
