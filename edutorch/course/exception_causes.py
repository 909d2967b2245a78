"""The usual causes of exceptions in answers."""

from __future__ import annotations

import linecache
import re
import traceback
from typing import Any, Final

from .answer_calls import PACKAGE

__all__ = ["OF_SIZES", "cause_of", "why_dtype", "why_no_tensor"]

NUMBER: Final = "it is a plain number: the attribute is one of tensors, or of nodes"
WHOLE: Final = (
    "sizes and indices are whole numbers: / gives a float even where nothing is "
    "left over, // does not"
)
LONGER: Final = (
    "the last index is the length minus 1; a tuple or a shape may have fewer parts "
    "than the code expects"
)
SAME_PRODUCT: Final = (
    "reshape and view keep all numbers: the sizes must have the same product"
)
NO_BROADCAST: Final = (
    "the shapes do not broadcast: lined up at the right, sizes are equal or 1"
)
# The sizes for which an answer runs tell more than these.
OF_SIZES: Final = (SAME_PRODUCT, NO_BROADCAST)
LIST: Final = (
    "a tensor and a list do not combine: x.tolist() makes a list, torch.tensor(values) "
    "a tensor"
)
NO_TENSOR: Final = (
    "the value is a list, which has no methods of tensors: torch.tensor(values) makes "
    "a tensor"
)
NO_LIST: Final = (
    "the value is a tensor, which has no methods of lists: x.tolist() makes a list"
)
TOO_LARGE: Final = (
    "so many numbers do not fit into memory: is a tensor of that shape needed?"
)

# For an error in whose frame some leaf does require a gradient.
NO_GRAPH: Final = (
    "the value has no graph: a gradient needs create_graph=True for one, a constant "
    "slope has none, and detach, item and no_grad cut it off"
)

# part of the message, and its most frequent cause
CAUSES: Final = (
    (
        "Boolean value of Tensor",
        (
            "a tensor of several numbers is neither true nor false: write "
            "`is None`, or compare element by element"
        ),
    ),
    (
        "'NoneType' object has no attribute",
        "None means that something is missing: test `is not None` first",
    ),
    (
        "has no attribute 'features'",
        "another model has other names: go through parameters() or named_modules()",
    ),
    (
        "'Tensor' object has no attribute 'copy'",
        "clone() copies a tensor; copy() is a method of lists and of NumPy's arrays",
    ),
    (
        "does not require grad",
        (
            "the value to differentiate must be computed from a tensor that "
            "requires a gradient: x.detach().clone().requires_grad_()"
        ),
    ),
    (
        "a leaf Variable that requires grad",
        "change a leaf that requires a gradient in place only inside torch.no_grad()",
    ),
    (
        "backward through the graph a second time",
        "a backward frees the graph: retain_graph=True keeps it for the next",
    ),
    ("'Tensor' and 'list'", LIST),
    ("must be Tensor, not list", NO_TENSOR),
    ("'list' object has no attribute", NO_TENSOR),
    (
        "not supported between instances of 'list' and",
        (
            "a list is not compared element by element: [n > t for n in values], or "
            "torch.tensor(values) > t"
        ),
    ),
    ("'Tensor' object has no attribute 'append'", NO_LIST),
    ("'Tensor' object has no attribute 'index'", NO_LIST),
    ('only concatenate list (not "Tensor") to list', LIST),
    (
        "'Tensor' and 'max'",
        "max with a dim returns values and indices: take .values, or use amax",
    ),
    (
        "'Tensor' and 'min'",
        "min with a dim returns values and indices: take .values, or use amin",
    ),
    (
        "must be Tensor, not tuple",
        "a tuple of one tensor is not a tensor: (x,) = ctx.saved_tensors unpacks it",
    ),
    (
        "expected Tensor as element 0 in argument 0, but got tuple",
        "torch.autograd.grad returns a tuple: (g,) = ... or [0] takes its tensor",
    ),
    (
        "grad can be implicitly created only for scalar outputs",
        (
            "only one number can be differentiated without a g: take it out of its "
            "tensor or tuple, or add up"
        ),
    ),
    (
        "'tuple' object is not callable",
        "it is a value, not a function: ctx.saved_tensors, without ( )",
    ),
    (
        "'torch.Size' object is not callable",
        "shape is a value, not a function: x.shape, without ( )",
    ),
    (
        "'NoneType' and",
        "None is no number: a gradient that was never computed, or a missing return",
    ),
    (
        "and 'NoneType'",
        "None is no number: a gradient that was never computed, or a missing return",
    ),
    (
        "only one element tensors can be converted",
        "math computes with single numbers: for tensors there is x.exp(), x.log()",
    ),
    (
        "max() received an invalid combination of arguments",
        (
            "torch.max takes two tensors, or a tensor and a dim; "
            "a number goes into x.clamp(min=...)"
        ),
    ),
    ("index out of range", LONGER),
    (
        "is out of bounds for dimension",
        "the last index of a dimension is its size minus 1",
    ),
    ("slice indices must be integers", WHOLE),
    ("'float' object cannot be interpreted as an integer", WHOLE),
    ("list indices must be integers or slices, not float", WHOLE),
    ("valid indices (got float)", WHOLE),
    ("must be int, not float", WHOLE),
    ("must be tuple of ints, not float", WHOLE),
    ("must be tuple of ints,but got float", WHOLE),
    ("split() received an invalid combination of arguments - got (float)", WHOLE),
    (
        "'NoneType' object is not subscriptable",
        "None has no parts: it is what a function without return gives",
    ),
    ("'float' object has no attribute", NUMBER),
    ("'int' object has no attribute", NUMBER),
    (
        "is not defined",
        "names have to be defined or imported first: is this one spelled as there?",
    ),
    (
        "cannot access",
        "a name has a value only after a line that sets it has run",
    ),
    (
        "division or modulo by zero",
        "a size, a count or a length may be 0: such a case needs its own line",
    ),
    (
        "division by zero",
        "a size, a count or a length may be 0: such a case needs its own line",
    ),
    (
        "returned an invalid gradient at index",
        (
            "backward returns a gradient for each input of forward, in their order, "
            "each of the shape of its input"
        ),
    ),
    (
        "is invalid for input of size",
        SAME_PRODUCT,
    ),
    (
        "are out of bounds for storage of size",
        (
            "the last element would lie behind the storage: does each stride stand at "
            "the place of its size?"
        ),
    ),
    (
        "must match the size of tensor",
        NO_BROADCAST,
    ),
    (
        "doesn't match the broadcast shape",
        (
            "what is changed in place keeps its shape: the new value has more "
            "dimensions or numbers"
        ),
    ),
    (
        "has been modified by an inplace operation",
        "backward needs the numbers that were overwritten: make a new tensor instead",
    ),
    (
        "view of its base has been modified inplace",
        "what changes is a view of something that was written to: clone() it first",
    ),
    (
        "Expected floating point type for target with class probabilities",
        "cross_entropy takes scores of shape (n, classes), then labels",
    ),
    (
        "(torch.nn.Parameter or None expected)",
        "change a parameter in place (copy_, normal_), or set an nn.Parameter",
    ),
    (
        "mat1 and mat2 shapes cannot be multiplied",
        "the inner sizes differ: is a transpose missing, or the order wrong?",
    ),
    (
        "must be a matrix",
        "mm and addmm take matrices alone; @ takes any number of dimensions",
    ),
    (
        "same dtype",
        (
            "numbers from NumPy are float64, those of a network float32: "
            "torch.tensor(values, dtype=x.dtype)"
        ),
    ),
    (
        "len() of a 0-d tensor",
        "a single number has no length: x[i : i + 1] keeps a dimension, x[i] does not",
    ),
    (
        "same number of dimensions as input",
        "gather takes an index with as many dimensions: labels.unsqueeze(1)",
    ),
    (
        "not enough values to unpack",
        "there are fewer parts than names on the left: look at their number",
    ),
    (
        "stack expects each tensor to be equal size",
        "stack puts equal shapes side by side; torch.cat joins different lengths",
    ),
    (
        "positional argument",
        "the parameters are those of the statement: compare the line with def",
    ),
    (
        "unexpected keyword argument",
        "the parameters have the names of the statement: compare the line with def",
    ),
    (
        "exceptions must derive from BaseException",
        "raise takes an exception, not a text: raise ValueError(...)",
    ),
    (
        "allocate",
        TOO_LARGE,
    ),
    (
        "array is too big",
        TOO_LARGE,
    ),
    (
        "maximum supported dimension",
        TOO_LARGE,
    ),
    (
        "maximum recursion depth",
        "a function that calls itself needs a case in which it stops",
    ),
    (
        "'int' object is not iterable",
        "a number cannot be looped over: range(n) counts from 0 to n - 1",
    ),
)


def cause_of(error: BaseException) -> str:
    """The most likely cause of an exception; "" if unknown.

    Example:
        >>> cause_of(RecursionError("maximum recursion depth exceeded"))
        'a function that calls itself needs a case in which it stops'
    """
    said = str(error)
    if "does not require grad" in said and _holds_leaf(error):
        return NO_GRAPH
    builtin = _builtin_of(error) if "Boolean value of Tensor" in said else ""
    if builtin:
        other = "min" if builtin == "max" else "max"
        return (
            f"Python's {builtin} compares single numbers: for tensors there is "
            f"torch.{builtin}imum, and for a tensor and a number clamp({other}=...)"
        )
    return next((cause for words, cause in CAUSES if words in said), "")


def _builtin_of(error: BaseException) -> str:
    """Which of Python's max and min raised the error; "" if neither."""
    own = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if not frame.filename.startswith(PACKAGE)
    ]
    if not own or not own[-1].lineno:
        return ""
    line = linecache.getline(own[-1].filename, own[-1].lineno).encode()
    called = re.match(rb"(max|min)\(", line[own[-1].colno or 0 :])
    return called[1].decode() if called else ""


def _holds_leaf(error: BaseException) -> bool:
    """Whether a variable where it was raised is a leaf that requires a gradient."""
    return any(
        getattr(value, "requires_grad", None) is True and value.is_leaf
        for frame, _ in traceback.walk_tb(error.__traceback__)
        if not frame.f_code.co_filename.startswith(PACKAGE)
        for value in frame.f_locals.values()
    )


def why_no_tensor(got: Any) -> str:
    """What makes a tensor of numbers that are in none."""
    if isinstance(got, (list, tuple)) and got and hasattr(got[0], "detach"):
        return "torch.stack makes one tensor of a list of tensors"
    if type(got).__module__ == "numpy":
        return "NumPy's functions return arrays: torch.from_numpy makes tensors of them"
    return ""


def why_dtype(got: Any, want: Any) -> str:
    """What may have made a tensor of this dtype instead of the right one."""
    if not got.numel():
        return "of an empty list torch.tensor makes float32: give it the dtype"
    if str(got.dtype).endswith("float64"):
        return "float64 comes from double(), or from NumPy's zeros(...): pass dtype"
    if str(got.dtype).endswith("float32"):
        kind = str(want.dtype).removeprefix("torch.")
        return (
            "float(), zeros(...) and tensor([1.0]) make float32, whatever x is: "
            f"pass dtype=torch.{kind}, or that of x"
        )
    return ""
