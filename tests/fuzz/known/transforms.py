"""Accepted differences in function transforms, each with its reason.

These are Jacobians, forward mode, `vmap`, and transforms inside each other.
"""

from __future__ import annotations

from tests.fuzz.known.entry import Known

__all__ = ["KNOWN"]

KNOWN = (
    Known(
        r"fn = torch\.func",
        "value|shape",
        "PyTorch's forward derivatives and rules for batches, and third derivatives of "
        "some functions, miss terms, take one sample for all, or leave the range of "
        "numbers where they nest: first derivatives of primitive functions, one after "
        "the other, tell",
        cause="reverse",
    ),
    Known(
        r"f = lambda x, w.*(huber|mse)_loss(.*\n)*.*vmap",
        "accepted",
        "PyTorch's batching of the target alone compares shapes of other tensors",
        "must match the size of tensor b",
        cause="reverse",
    ),
    Known(
        r"f = lambda x, w.*(rfft|complex)\(.*\.abs\(\)",
        "value",
        "PyTorch's third derivatives of the modulus of 0 are nan by reverse mode, 0 by "
        "forward mode; here they are 0",
        r"\bnan\b",
    ),
    Known(
        r"f = lambda x, w.*clone\(\)\.copy_(.*\n)*.*functionalize",
        "accepted",
        "PyTorch has no derivative of the copy that functionalize makes",
        "derivative for aten::copy is not implemented",
        cause="reverse",
    ),
    Known(
        r"dropout\(y, \.5\)",
        "value",
        "where operands disagree about the order of memory, results are row-major, and "
        "random numbers are drawn in memory order",
        cause="drawn in rows",
    ),
    Known(
        r"\.data = y\.data(.*\n)*.*y\.\w+_\(",
        "value",
        "a view whose memory was replaced PyTorch finds in its base where its new memory "
        "says, which is another place",
    ),
    Known(
        r"type\('S'(.*\n)*.*allow_mutation_on_saved_tensors\(\).*vmap\(",
        "message",
        "where saved tensors may be changed, PyTorch's vmap preserves subclasses, which it "
        "does nowhere else",
        "'S'",
    ),
    Known(
        r"f = lambda x, w.*F\.normalize\((.*\n)*.*create_graph=True",
        "value",
        "PyTorch's second derivatives of the norm of 0 are nan, also where the norm is "
        "below eps and the result does not depend on it",
        r"\bnan\b",
    ),
    Known(
        r"f = lambda x, w.*rfft\((.*\n)*.*functionalize",
        "accepted",
        "PyTorch has no derivative of the slice that functionalize writes",
        "slice_scatter does not support automatic differentiation",
    ),
    Known(
        r"f = lambda x, w.*clone\(\)\.\w+_\((.*\n)*.*functionalize(.*\n)*.*vmap",
        "refused",
        "what is run as it was written cannot write a batch into one tensor",
    ),
    Known(
        r"unpack_dual\(fn\.grad",
        "structure",
        "a gradient that does not depend on the dual number has no tangent, and zeros "
        "in PyTorch where its formula has one",
    ),
    Known(
        r"outer_jacobian_strategy='forward-mode'",
        "requires_grad",
        "PyTorch's Hessian by columns keeps a graph that nobody asked for",
    ),
    Known(
        r"f = lambda x, w(.*\n)*.*(jvp|jacfwd|hessian|linearize|make_dual|forward-mode)",
        "accepted",
        "PyTorch's forward mode does not nest, and knows fewer operations",
        cause="reverse",
    ),
    Known(
        r"f = lambda x, w.*clone\(\)\.\w+_\((.*\n)*.*vmap",
        "accepted|message",
        "inputs of a derivative differ from sample to sample, and can be written to",
        cause="reverse",
    ),
    Known(
        r"f = lambda x, w.*norm\(\)(.*\n)*.*vmap",
        "accepted",
        "PyTorch's own formula writes in place what it has saved",
        cause="reverse",
    ),
    Known(
        r"f = lambda x, w(.*\n)*.*functionalize(.*\n)*.*functionalize",
        "accepted",
        "PyTorch fails with an internal assertion where functionalize nests",
        cause="reverse",
    ),
    Known(
        r"f = lambda x, w.*group_norm(.*\n)*.*vmap",
        "accepted",
        "PyTorch asks for a memory layout that samples of a batch have not",
        cause="reverse",
    ),
    Known(
        r"f = lambda x, w.*cdist",
        "accepted",
        "PyTorch has no second derivative of pairwise distances",
        cause="reverse",
    ),
)
