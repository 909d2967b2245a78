"""Disagreements that stay, each with its reason.

An entry matches a failure whose program and kind it finds by regular expression.
A reason says why PyTorch's answer is not wanted or cannot be had, never only that
the two differ.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["KNOWN", "Known", "known"]


@dataclass(frozen=True)
class Known:
    """A pattern of programs, a pattern of kinds, and why they may disagree.

    `expected` is a pattern of what PyTorch gives: its result or its refusal.
    """

    program: str
    kinds: str
    reason: str
    expected: str = ""


KNOWN = (
    Known(
        r"(bmm|matmul|einsum|scaled_dot_product_attention)\(",
        "message",
        "which dtype is expected depends on the library that multiplies such sizes",
        "expected scalar type|expected m1 and m2 to have the same dtype",
    ),
    Known(
        r"matrix_exp\(.*(float16|bfloat16)|(float16|bfloat16)(.*\n)*.*matrix_exp",
        "value",
        "PyTorch computes in half precision, whose range powers of matrices leave",
    ),
    Known(
        r"torch.float32\n(.*\n)*.*det\(s\(.*float64",
        "value",
        "the matrix is a product in single precision, of which rounding differs",
    ),
    Known(
        r"(linalg\.(qr|svd)\(torch\.ones|pinverse\(.*bool|bool(.*\n)*.*pinverse)",
        "value",
        "bases of matrices that have not full rank are free, and so are their inverses",
    ),
    Known(
        r"grid_sampler_[23]d\(.*\), (-\d+|[3-9]), |grid_sampler_[23]d\(.*, (-\d+|[3-9]), \w+\)$",
        "value|accepted|refused|exception",
        "PyTorch does not look at modes that have no name, and gives what comes",
    ),
    Known(
        r"nn\.Multi(Label)?Margin(.*\n)*.*create_graph",
        "message",
        "these losses are made of other functions, and so is what they say of gradients",
    ),
    Known(
        r"nn\.CrossMapLRN2d(.*\n)*.*create_graph",
        "accepted",
        "PyTorch's function writes into tensors that are given, and has no second order",
    ),
    Known(
        r"nn\.(Layer|Batch|Instance)Norm.*bfloat16|nn\.LayerNorm.*float16",
        "value",
        "PyTorch adds up gradients of 16-bit weights row by row in 16 bits, in as many "
        "parts as there are threads",
    ),
    Known(
        r"nn\.ConvTranspose.*b?float16",
        "refused",
        "whether a result without elements is refused depends on the library that "
        "PyTorch chooses by dtype and batch",
        r"\b0(, \d+)*\], requires_grad \[\]",
    ),
    Known(
        r"nn\.Conv(.*\n).*size=\(0,(.*\n)*.*create_graph",
        "structure",
        "PyTorch forgets where gradients of an empty batch come from; here they are zeros",
    ),
    Known(
        r"np\.(ones|float32|int64)\(",
        "accepted|exception",
        "functions take NumPy's arrays, since formulas of gradients are written with them",
    ),
    Known(
        r"nn\.Hardsigmoid\(\)",
        "value",
        "PyTorch's gradient in double precision has 1/6 rounded to single precision",
    ),
    Known(
        r"nn\.CELU\(1\.3\)",
        "value",
        "PyTorch's gradient in double precision has 1/alpha rounded to single precision",
    ),
    Known(
        r"nn\.LPPool1d\([\d.]+, \(",
        "accepted|message",
        "PyTorch multiplies by the kernel size, which may be a tuple, as by a number",
    ),
    Known(
        r"nn\.LocalResponseNorm",
        "accepted",
        "PyTorch asks for a view where the layout of the input allows only a copy",
    ),
    Known(
        r"nn\.InstanceNorm\dd.*\n.*size=\(0,",
        "accepted|exception",
        "PyTorch looks at the first sample of an empty batch",
    ),
    Known(
        r"\.set_\(",
        "value|message|exception",
        "PyTorch counts changes of a tensor and its views, edutorch those of memory, "
        "from which `set_` parts them",
    ),
    Known(
        r"(as_strided\(\(3,2\),\(1,1\)\)|unfold)(.*\n)*.*\btold\b",
        "value",
        "where elements lie one over the other PyTorch changes one after the other",
    ),
    Known(
        r"\btold\b",  # the line that sets it may have been left out as it fails before
        "message|exception|accepted|refused",
        "NumPy keeps neither strides nor offsets of empty arrays",
        r"stride\(-?\d\) must be|storage of size 0$|storage offset [1-9]\d*, and itemsize"
        r"|expanded size of the tensor \(0\)",
    ),
    Known(
        "",
        "accepted|exception|message",
        "PyTorch fails with an assertion about its own state",
        "INTERNAL ASSERT FAILED",
    ),
    Known(
        r"(as_strided|diagonal|unfold|\[::2\])(.*\n)*.*(add|sub|copy|addcmul)_\((b|v\d)",
        "value",
        "what is written overlaps what is read, and PyTorch goes element by element",
    ),
    Known(
        r"\[.*\.\.\..*\.\.\..*\]",
        "message|exception|accepted|refused|shape",
        "of several `...` PyTorch has each stand for the same number of dimensions",
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
        r"\.data;.*resize_(as_)?\(",
        "value",
        "`x.data` of a tensor whose memory nobody asked for stays where it was",
    ),
    Known(
        r"complex(.*\n)*.*(\*\*|pow)",
        "value",
        "PyTorch's vector code has other nans and infinities for powers of complex zero",
    ),
    Known(
        r"y\[.*\] [+*]= ",
        "message|refused",
        "PyTorch copies the part onto itself after `x[i] += y`, and counts another change",
    ),
    Known(
        r"d = torch.distributions.(Bernoulli|Binomial|Pareto|Uniform|Cont)(.*\n)*.*kl_div",
        "accepted",
        "PyTorch writes with masks that have not the shape of the broadcast result",
    ),
    Known(
        r"LowRankMultivariateNormal(.*\n)*.*kl_divergence",
        "accepted",
        "PyTorch takes the batch of the factor for that of the diagonal beside it",
        r"expand\(torch\.\w+\{.*the number of sizes provided",
    ),
    Known(
        r"GeneralizedPareto",
        "accepted|message",
        "PyTorch compares with a zero in single precision, and refuses double precision",
    ),
    Known(
        r"entropy\(\)\.sum\(\), ps",
        "value",
        "PyTorch's trigamma has nine digits in double precision",
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
        r"special\.polygamma\(x0",
        "message",
        "a function that `torch` and `torch.special` have speaks by one name",
    ),
    Known(
        r"nn\.BatchNorm.*affine=False(.*\n).*size=\(0,(.*\n)*.*create_graph",
        "accepted",
        "PyTorch forgets where gradients of an empty batch come from; here they are zeros",
    ),
    Known(
        r"nn\.NLLLoss\(reduction='sum'\)\.to\(torch\.b?float16\)",
        "value",
        "PyTorch adds up the losses of images in 16 bits; the sum here is nearer",
    ),
    Known(
        r"nn\.ConvTranspose\dd\(\d+, \d+, (1|\(1(, 1)+\)),",
        "accepted",
        "whether PyTorch has oneDNN make empty results depends on the number of threads",
        "Output size is too small",
    ),
    Known(
        r"nn\.Conv3d\(.*bfloat16\)\n.*channels_last_3d",
        "value",
        "oneDNN's gradients of such kernels are wrong: sums of 1.07 come out as 154",
    ),
    Known(
        r"nn\.ConvTranspose3d\(.*bfloat16\)\n.*channels_last_3d",
        "value",
        "the processor decides whether oneDNN computes in bfloat16, and that the strides",
    ),
    Known(
        r"nn\.Conv3d\(\d+, \d+, (1|\((\d, )?1, 1\)),.*float32\)\n.*channels_last_3d",
        "value",
        "on one thread PyTorch does without oneDNN for kernels of size 1, and strides "
        "are others",
    ),
    Known(
        r"float64\n(.*\n)*.*airy_ai\(",
        "value",
        "PyTorch's Airy function is wrong by up to 3e-6 between -5 and -2.09",
    ),
    Known(
        r"nn\.ConvTranspose",
        "message",
        "oneDNN's words for an empty result name its descriptors, not the sizes",
    ),
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
        r"complex64(.*\n)*.*view\(torch\.u?int\d+\)",
        "value",
        "integers read as complex numbers are as small as numbers can be, and their signs "
        "are nan in PyTorch",
    ),
    Known(
        r"np\.prod\(\(4, 0(.*\n)*.*resize_(.*\n)*told = ",
        "value",
        "NumPy has no places past the end of memory, which this has none of",
    ),
    Known(
        r"matrix_exp\((.*\n)*.*b?float16|b?float16(.*\n)*.*matrix_exp\(",
        "value",
        "PyTorch scales by powers that 16 bits do not hold: exponentials of small matrices "
        "come out infinite",
    ),
    Known(
        r"torch\.linalg\.eigh?\(",
        "value",
        "eigenvectors are known but for their phases, which depend on the processor; so "
        "does the order of conjugate eigenvalues",
    ),
    Known(
        r"scatter.*device='meta'|device='meta'(.*\n)*.*scatter",
        "refused",
        "PyTorch reads and writes memory that is not there",
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
        r"f = lambda x, w.*(huber|mse)_loss(.*\n)*.*vmap(.*\n)*.*vmap",
        "value",
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
        r"requires_grad_\(\)(.*\n)*.*out=o",
        "requires_grad",
        "PyTorch marks `out` as recorded by a node that has no derivative",
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
        "in backward, as integers have no gradient",
        "Autograd not support dtype",
    ),
    Known(
        r"ihfftn?2?\(.*out=o",
        "value|accepted|refused|message",
        "PyTorch's inverse transform of real numbers leaves `out` as it was",
    ),
    Known(
        r"padding=",
        "message",
        "PyTorch prints a set, whose order changes from process to process",
        "should be one of {",
    ),
    Known(
        r"float16(.*\n)*.*\.(SGD|Adagrad)\(.*fused=True",
        "value",
        "PyTorch leaves blocks of 16 elements as they were, or rounds settings first",
    ),
    Known(
        r"gelu\(.*out=",
        "value",
        "PyTorch does not write to an `out` that is not contiguous",
    ),
    Known(
        r"native_batch_norm\(",
        "refused",
        "PyTorch reads beyond the end of a weight or of statistics that are too short",
        r"^\[|Size",
    ),
    Known(
        r"f = lambda x, w.*cdist",
        "accepted",
        "PyTorch has no second derivative of pairwise distances",
    ),
)


def known(program: str, kind: str, expected: str) -> Known | None:
    """The entry that explains a failure, or None."""
    for entry in KNOWN:
        if (
            re.fullmatch(entry.kinds, kind)
            and re.search(entry.program, program)
            and re.search(entry.expected, expected)
        ):
            return entry
    return None
