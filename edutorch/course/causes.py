"""Common causes of exceptions in answers."""

from __future__ import annotations

from typing import Final

__all__ = ["cause_of"]

# words of the exception, and what they most often come of
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
        "maximum recursion depth",
        "a function that calls itself needs a case in which it stops",
    ),
    (
        "'int' object is not iterable",
        "a number cannot be looped over: range(n) counts from 0 to n - 1",
    ),
)


def cause_of(error: BaseException) -> str:
    """What an exception most often comes of; "" where that is not known.

    Example:
        >>> cause_of(RecursionError("maximum recursion depth exceeded"))
        'a function that calls itself needs a case in which it stops'
    """
    said = str(error)
    return next((cause for words, cause in CAUSES if words in said), "")
