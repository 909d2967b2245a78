"""Accepted differences after wrong calls, each with its reason."""

from __future__ import annotations

from tests.fuzz.known.entry import Known

__all__ = ["KNOWN"]

KNOWN = (
    Known(
        r"torch\.zeros\(3, 4, device='meta'\)",
        "message|exception",
        "PyTorch's rules for the meta device are written in Python: they check other "
        "things first, in other words",
        r"is not on the expected device|with Meta tensors|torch\.(Size|float32)|"
        r"out of meta tensor; no data|with meta tensor argument|to be on the same device|"
        r"Invalid channel dimensions|not enough values to unpack \(expected 4|"
        r"0-dimensional|batch mode|input is on meta|device type 'meta'|multi-target|"
        r"same reduction dim|size of tensor a|Index should have dimension|"
        r"in range of \[-2, 1\], but got -3\)",
    ),
    Known(
        r"x\.\w+_\(torch\.zeros\(3, 4, device='meta'\)",
        "refused",
        "PyTorch takes a tensor without memory for one to read, and changes nothing",
        r"^\[",
    ),
    Known(
        r"(addmm|nn\.Bilinear|F\.embedding|index_select)\("
        r"(.*\n)*.*torch\.zeros\(3, 4, device='meta'\)",
        "accepted|refused",
        "of products and tables with one operand on the meta device, PyTorch refuses "
        "some and returns memory that nobody wrote for others",
        r"is not on the expected device|^torch\.float32\[(3, [234]|12, 4)\]",
    ),
    Known(
        r"x\.\w+\(.*\bout=",
        "accepted|exception",
        "methods are the functions of the same name, and take their `out`",
        r"unexpected keyword argument 'out'|received an invalid combination of .*out=",
    ),
    Known(
        r"s\['state'\]\[0\] = \{k: '(text|none|sum)'",
        "message",
        "PyTorch makes of a text in a loaded state the text of a generator",
        r"_cast\.<locals>\.<genexpr>",
    ),
    Known(
        r"optim\.Rprop\((.*\n)*.*ps\[0\]\.data = ",
        "exception",
        "of a parameter whose shape was changed, PyTorch's masks speak first",
        r"The shape of the mask \[3, 2\] at index 0 does not match",
    ),
    Known(
        r"linalg\.solve\(.*device='meta'",
        "accepted",
        "PyTorch factors the matrix before it sees that the other side has no memory",
        r"the input matrix is singular",
    ),
    Known(
        r"x\.resize_\(.*-\d",
        "message",
        "PyTorch leaves a tensor of negative sizes behind, which its next use refuses",
        r"Trying to create tensor with negative dimension",
    ),
    Known(
        r"torch\.where\(.*, out=None\)",
        "accepted",
        "out is None by default, which Python does not tell from None that is given",
        r"where\(\): argument '\w+' \(position \d\) must be Tensor, not ",
    ),
    Known(
        r"torch\.bernoulli\(.*, None\)",
        "accepted",
        "p is None by default, which Python does not tell from None that is given",
        r"bernoulli\(\) received an invalid combination",
    ),
    Known(
        r"optim\.SGD\((.*(momentum|weight_decay)=|"
        r"(.*\n)*.*\['(momentum|weight_decay)'\] = )True",
        "accepted",
        "PyTorch multiplies by a setting in `add`, which refuses bools",
        r"Boolean alpha only supported for Boolean results",
    ),
)
