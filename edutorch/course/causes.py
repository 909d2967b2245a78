"""Common causes of exceptions in answers."""

from __future__ import annotations

from typing import Final

__all__ = ["cause_of"]

TOO_LARGE: Final = (
    "so many numbers do not fit into memory: is a tensor of that shape needed?"
)

# words of the exception, and their most frequent cause
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
    (
        "tuple index out of range",
        "a shape may have fewer dimensions than the code expects",
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
    """The most common cause of an exception; "" if it is unknown.

    Example:
        >>> cause_of(RecursionError("maximum recursion depth exceeded"))
        'a function that calls itself needs a case in which it stops'
    """
    said = str(error)
    return next((cause for words, cause in CAUSES if words in said), "")
