"""Disagreements that stay, each with its reason: of function transforms: jacobians, forward mode, vmap, and what they nest."""

from __future__ import annotations

from tests.fuzz.known.entry import Known

__all__ = ["KNOWN"]

KNOWN = (
    Known(
        r"(det\(\)|linalg|(batch|layer|group)_norm)(.*\n)*.*(jvp|jacfwd|hess|forward-mode)"
        r"[\s\S]*(grad|jac|hess|[jvh][jvh]p|linearize|vmap)",
        "value",
        "PyTorch's derivatives of forward derivatives miss terms: differences tell",
    ),
    Known(
        r"(det\(\)|linalg|(batch|layer|group)_norm)(.*\n)*.*(grad|jac|hess|[jvh][jvh]p|vmap)"
        r"[\s\S]*(jvp|jacfwd|hess|forward-mode)",
        "value",
        "PyTorch's derivatives of forward derivatives miss terms: differences tell",
    ),
    Known(
        r"layer_norm(.*\n)*.*(jacrev|hessian)",
        "value",
        "PyTorch's second derivatives of batches miss what the weight and the input, both "
        "changing, do together: differences tell",
    ),
    Known(
        r"f = lambda x, w.*cdist(.*\n)*.*(jacrev|hessian|vmap|vectorize)",
        "value",
        "PyTorch's batched backward of pairwise distances takes the first row for all: "
        "differences tell",
    ),
    Known(
        r"f = lambda x, w.*logcumsumexp(.*\n)*.*"
        r"(jac|hess|vmap|vectorize|linearize|[jvh][jvh]p|dual|create_graph)",
        "value",
        "PyTorch's second, forward and batched derivatives leave the range of numbers: "
        "differences tell",
    ),
    Known(
        r"f = lambda x, w.*\bdet\(\)(.*\n)*.*((grad|jac|[jvh][jvh]p).*){3}",
        "value",
        "PyTorch's third derivatives of determinants are wrong, or nan: differences tell",
    ),
    Known(
        r"f = lambda x, w.*(huber|mse)_loss(.*\n)*.*vmap",
        "accepted",
        "PyTorch's batching of the target alone compares shapes of other tensors",
        "must match the size of tensor b",
    ),
    Known(
        r"f = lambda x, w.*(rfft|complex)\(.*\.abs\(\)",
        "value",
        "PyTorch's third derivatives of the modulus of 0 are nan by reverse mode, 0 by "
        "forward mode; here they are 0",
        r"\bnan\b",
    ),
    Known(
        r"f = lambda x, w.*(huber|mse)_loss(.*\n)*.*vmap(.*\n)*.*vmap",
        "value|shape",
        "where one vmap batches the input and another the target, PyTorch's losses are "
        "sums over both: one sample after the other tells",
    ),
    Known(
        r"f = lambda x, w.*cumprod(.*\n)*.*(jac|hess|vmap|vectorize|[jvh][jvh]p|dual)",
        "value",
        "PyTorch's forward and batched derivatives divide by zeros among the factors",
        r"\bnan\b",
    ),
    Known(
        r"f = lambda x, w.*clone\(\)\.copy_(.*\n)*.*functionalize",
        "accepted",
        "PyTorch has no derivative of the copy that functionalize makes",
        "derivative for aten::copy is not implemented",
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
    ),
    Known(
        r"f = lambda x, w.*clone\(\)\.\w+_\((.*\n)*.*vmap",
        "accepted|message",
        "inputs of a derivative differ from sample to sample, and can be written to",
    ),
    Known(
        r"f = lambda x, w.*norm\(\)(.*\n)*.*vmap",
        "accepted",
        "PyTorch's own formula writes in place what it has saved",
    ),
    Known(
        r"f = lambda x, w(.*\n)*.*functionalize(.*\n)*.*functionalize",
        "accepted",
        "PyTorch fails with an internal assertion where functionalize nests",
    ),
    Known(
        r"f = lambda x, w.*group_norm(.*\n)*.*vmap",
        "accepted",
        "PyTorch asks for a memory layout that samples of a batch have not",
    ),
    Known(
        r"f = lambda x, w.*cdist",
        "accepted",
        "PyTorch has no second derivative of pairwise distances",
    ),
)
