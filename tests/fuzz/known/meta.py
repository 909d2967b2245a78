"""Accepted differences on the meta device, each with its reason."""

from __future__ import annotations

from tests.fuzz.known.entry import Known

__all__ = ["KNOWN"]

KNOWN = (
    Known(
        r"device='meta'(.*\n)*y = torch\.native_batch_norm\(",
        "message",
        "the kernel's result lies row by row, that of PyTorch's rule as the input",
        r"^\[",
    ),
    Known(
        r"device='meta'(.*\n)*y = .*(householder_product|orgqr|ormqr)\(",
        "structure",
        "without reflections PyTorch gives no gradients; here they are zeros",
        r"\[None, None[],]",
    ),
    Known(
        r"y = x0\.\w+_\((.*\n)*result = told",
        "refused|message|exception|accepted",
        "on the meta device PyTorch's rules are written in Python: in place they check "
        "less than its kernels do, and in other words",
    ),
    Known(
        r"device='meta'(.*\n)*.*as_strided",
        "refused",
        "memory of the meta device is reserved, and views never look beyond it",
        r"^\[",
    ),
    Known(
        r"fft(.*\n)*.*device='meta'|device='meta'(.*\n)*.*fft",
        "message",
        "PyTorch's rules for the meta device lay out transforms otherwise than its "
        "transforms do",
        r"^\[",
    ),
    Known(
        r"scatter.*device='meta'|device='meta'(.*\n)*.*scatter",
        "refused",
        "PyTorch reads and writes memory that is not there",
    ),
    Known(
        r"device='meta'(.*\n)*y = .*embedding\(",
        "message",
        "PyTorch's rule is written in Python, and calls dtypes and arguments otherwise "
        "than its kernel does",
        r"scalar types: Long, Int; but got torch\.\w+ instead$",
    ),
    Known(
        r"device='meta'(.*\n)*y = .*max_unpool[23]d\(",
        "accepted",
        "PyTorch's rule, not its kernel, asks for a view where the layout of the input "
        "allows only a copy",
        "view size is not compatible",
    ),
    Known(
        r"device='meta'(.*\n)*y = .*index_put\(",
        "exception",
        "neither library knows how many elements a mask chooses",
        "register_meta function for torch.nonzero",
    ),
    Known(
        r"y = (x0|torch\.Tensor)\.\w+\(.*\bout=",
        "accepted|exception",
        "methods are the functions of the same name, and take their `out`",
        r"unexpected keyword argument 'out'|received an invalid combination of .*out=",
    ),
    Known(
        r"device='meta'(.*\n)*y = .*(select|slice|diagonal)_scatter\(",
        "message",
        "copies have no gaps in memory, where PyTorch keeps those of the original",
        r"^\[",
    ),
)
