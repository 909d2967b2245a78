"""Accepted differences in views, each with its reason.

They also concern indices, and writes to memory that elements share.
"""

from __future__ import annotations

from tests.fuzz.known.entry import Known

__all__ = ["KNOWN"]

KNOWN = (
    Known(
        r"\.set_\(",
        "value",
        "PyTorch counts changes of a tensor and its views, edutorch those of memory, "
        "from which `set_` parts them",
        cause="versions",
    ),
    Known(
        r"\.set_\(",
        "message|exception",
        "PyTorch counts changes of a tensor and its views, edutorch those of memory, "
        "from which `set_` parts them, and backward finds other counts",
        "modified by an inplace operation|is at version"
        "|returned an invalid gradient at index",
    ),
    Known(
        r"\btold\b",
        "message",
        "PyTorch names the node that a view had when it was changed, as long as another "
        "node refers to it",
        r"is output \d+ of AsStrided, is at version",
    ),
    Known(
        r"from_numpy(.*\n)*.*view\(torch\.complex64\)|"
        r"view\(torch\.complex64\)(.*\n)*.*from_numpy",
        "accepted",
        "PyTorch fails with an assertion about real gradients of numbers that are read "
        "as complex ones",
        r"Expected isFloatingType\(grad",
    ),
    Known(
        r"(as_strided\(\(3,2\),\(1,1\)\)|unfold)(.*\n)*.*\btold\b",
        "value",
        "where elements lie one over the other PyTorch changes one after the other",
        cause="overlap",
    ),
    Known(
        r"\btold\b",  # the line that sets it may have been left out as it fails before
        "message|exception|accepted|refused",
        "NumPy keeps neither strides nor offsets of empty arrays",
        r"stride\(-?\d\) must be|storage of size 0$|storage offset [1-9]\d*, and itemsize"
        r"|expanded size of the tensor \(0\)",
    ),
    Known(
        r"np\.prod\(\((0|4, 0)",
        "message|exception|accepted",
        "NumPy keeps neither strides nor offsets of empty arrays",
        r"storage_offset\(\) must be divisible",
    ),
    Known(
        r"\btold\b",
        "value",
        "what is written overlaps what is read, and PyTorch goes element by element",
        cause="overlap",
    ),
    Known(
        r"\[.*\.\.\..*\.\.\..*\]",
        "message|exception|accepted|refused|shape",
        "of several `...` PyTorch has each stand for the same number of dimensions",
    ),
    Known(
        r"int64(.*\n)*.*view\(torch\.complex64\)(.*\n)*.*neg_\(\)",
        "value",
        "PyTorch negates the zeros of the last elements only, those that fill no vector",
    ),
    Known(
        r"\.(imag|real)(.*\n)*.*as_strided_\(",
        "value",
        "PyTorch reads the part as it lay before, and adds up its gradients to one",
        r"^\[\[\[torch\.complex",
    ),
    Known(
        r"\.imag(.*\n)*.*as_strided_\(",
        "accepted",
        "PyTorch finds the view in the base as it lies now, read as real numbers, which "
        "it can at even offsets only",
        r"must have a storage_offset divisible by 2",
    ),
    Known(
        r"view\(torch\.complex64\)",
        "accepted",
        "PyTorch writes real numbers to real numbers read as complex ones, and fails at "
        "their complex gradient",
        r"input_is_complex == grad_is_complex",
    ),
    Known(
        r"\.imag(.*\n)*.*squeeze_\(0\)|squeeze_\(0\)(.*\n)*.*\.imag",
        "value",
        "of a negative view PyTorch squeezes one dimension in a copy, which it then "
        "writes to other places of the memory",
        cause="squeezed",
    ),
    Known(
        r"resize_\(\d{2,}\)",
        "value",
        "the memory that a storage grows by may hold anything",
    ),
    Known(
        r"view\(torch\.\w+\).*\b(sin|exp)_\(|\b(sin|exp)_\(.*(view\(torch\.\w+\)|sin_\()",
        "value",
        "read as integers, or in a sine, the last bit is a large difference",
    ),
    Known(
        r"complex(64|128)(.*\n)*.*\bneg_?\(\)",
        "value",
        "PyTorch's processor instructions turn a complex 0 into 0, its loop over what is "
        "left into -0; in products the sign remains",
        cause="zeros",
    ),
    Known(
        r"\b(t|transpose|swapaxes|swapdims|as_strided|squeeze|unsqueeze)_\(",
        "accepted",
        "a node of PyTorch keeps the shape that its operand had before it was transposed "
        "in place, and refuses the gradient in the new one",
        "returned an invalid gradient at index",
        "transposed",
    ),
    Known(
        r"\bb = x;(.*\n)*.*\bb\.(t|transpose|swapaxes|swapdims|squeeze|unsqueeze)_\(",
        "shape",
        "a node of PyTorch keeps the shape that a leaf had before it was transposed in "
        "place: its gradient has this shape, and not that of the leaf",
        cause="transposed",
    ),
    Known(
        r"\.data;.*resize_(as_)?\(",
        "value",
        "`x.data` of a tensor whose memory nobody asked for stays where it was",
    ),
    Known(
        r"y\[.*\] [+*]= ",
        "message|refused",
        "PyTorch copies the part onto itself after `x[i] += y`, and counts another change",
    ),
    Known(
        r"complex64(.*\n)*.*view\(torch\.u?int\d+\)",
        "value",
        "integers read as complex numbers are as small as numbers can be, and their signs "
        "are nan in PyTorch",
    ),
    Known(
        r"np\.prod\(\(4, 0(.*\n)*.*(resize|set)_(.*\n)*told = ",
        "value",
        "NumPy has no places past the end of memory, which this has none of",
    ),
    Known(
        r"np\.prod\(\(4, 0(.*\n)*.*index_(fill|add|copy)_\(",
        "refused",
        "PyTorch does not look at indices where there are no elements",
    ),
    Known(
        r"view\(torch\.u?int\d+\)",
        "accepted",
        "PyTorch records what is written into real numbers read as integers, and fails "
        "in backward, as integers have no gradient, or takes a view of them for a leaf",
        "Autograd not support dtype|a leaf Variable that requires grad is being used",
    ),
    Known(
        r"\.detach_?\(\)|from_numpy",  # a base without history until a view is changed
        "accepted|message",
        "PyTorch takes a view for a leaf until somebody reads the history that it has "
        "from its base",
        "a leaf Variable that requires grad is being used",
    ),
    Known(
        r"complex64(.*\n)*b = .*\bb\.as_strided_\(\([\d,]+\),\([\d,]+\),[1-9]\)"
        r".*(conj|adjoint|real|imag|H)\b",
        "value",
        "PyTorch looks for a conjugate or a part in a gradient without regard to where a "
        "base that was moved in its memory begins",
    ),
)
