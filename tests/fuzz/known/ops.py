"""Accepted differences in single functions, each with its reason.

They concern values in corner cases, and the words of errors.
"""

from __future__ import annotations

from tests.fuzz.known.entry import Known

__all__ = ["KNOWN"]

KNOWN = (
    Known(
        r"(expand|expand_copy|broadcast_to)\(x\(\), |x\(\)\.expand\(",
        "message|exception",
        "PyTorch expands tensors without dimensions to negative sizes, and fails later",
        r"numel: integer multiplication overflow|negative dimensions are not allowed",
    ),
    Known(
        r"conv_transpose[123]d\(",
        "message",
        "oneDNN, which PyTorch uses for some sizes, has its own words",
        r"could not create a primitive descriptor",
    ),
    Known(
        r"index_put_?\((x\(.*\), )?(\(\)|\[\]),",
        "message",
        "PyTorch looks at values before it misses an index, or not at all",
    ),
    Known(
        r"fractional_max_pool[23]d\(x\(.*\), (-\d|\(.*-\d)",
        "refused",
        "a window of negative size has no elements; PyTorch returns -inf for it",
        r"-inf",
    ),
    Known(
        r"special\.ndtr\(",
        "value",
        "PyTorch adds 1 before it multiplies, and loses small probabilities",
        cause="beside one",
    ),
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
        r"grid_sampler_[23]d\(.*\), (-\d+|[3-9]|x\(\)), |"
        r"grid_sampler_[23]d\(.*, (-\d+|[3-9]|x\(\)), \w+\)$",
        "value|accepted|refused|exception",
        "PyTorch does not look at modes that have no name, and gives what comes",
    ),
    Known(
        r"np\.(ones|float32|int64)\(",
        "accepted|exception|message",
        "functions take NumPy's arrays, since formulas of gradients are written with them",
    ),
    Known(
        "",
        "accepted|exception|message",
        "PyTorch fails with an assertion about its own state",
        "INTERNAL ASSERT FAILED",
    ),
    Known(
        r"complex(.*\n)*.*(\*\*|pow)",
        "value",
        "PyTorch's vector code has other nans and infinities for powers of complex zero",
        cause="not finite",
    ),
    Known(
        r"x[12] = .*\.expand\((.*\n)*.*native_group_norm\(",
        "value",
        "PyTorch reads beyond the memory of an expanded weight or bias",
    ),
    Known(
        r"complex(.*\n)*.*renorm\((x0, )?float\('inf'\)",
        "value",
        "PyTorch's gradient of the largest magnitude of complex numbers is nan",
        cause="not finite",
    ),
    Known(
        r"\.expand\((.*\n)*.*linalg\.det\(",
        "value",
        "the determinant of equal rows is 0: cofactors are what rounding has left",
        cause="beside one",
    ),
    Known(
        r"\.expand\((.*\n)*.*((tensorinv|tensorsolve|inv|solve)(_ex)?|logdet)\(",
        "refused",
        "matrices of equal rows are singular, and rounding decides which pivots are 0",
        r"^\[",
    ),
    Known(
        r"\.expand\((.*\n)*y = x0\.(addmv|baddbmm)_\(",
        "value",
        "PyTorch adds more than once to elements that share memory",
        cause="contiguous",
    ),
    Known(
        r"max_pool[123]d\(",
        "accepted",
        "PyTorch's kernel for channels last counts the pixels in 8 bits, and gives up",
        r"numeric_limits<integer_t>::max\(\)",
    ),
    Known(
        r"special\.polygamma\(x0",
        "message",
        "a function that `torch` and `torch.special` have speaks by one name",
    ),
    Known(
        r"float64.*\n(.*\n)*.*airy_ai\(",
        "value",
        "PyTorch's Airy function is wrong by up to 3e-6 between -5 and -2.09",
    ),
    Known(
        r"matrix_exp\((.*\n)*.*b?float16|b?float16(.*\n)*.*matrix_exp\(",
        "value",
        "PyTorch scales by powers that 16 bits do not hold: exponentials of small matrices "
        "come out infinite",
    ),
    Known(
        r"torch\.linalg\.eig(h|vals)?\(",
        "value",
        "eigenvectors are known but for their phases, which depend on the processor; so "
        "does the order of conjugate eigenvalues",
    ),
    Known(
        r"torch\.u?int\d+\n(.*\n)*.*pinverse\(",
        "value",
        "integers make singular matrices, and singular values above 1e-15 are inverted: "
        "in single precision, those are roundings",
    ),
    Known(
        r"index_fill\(x\([\d, ]*\b0\b",
        "message",
        "of empty NumPy arrays PyTorch takes the strides, which are 0, as they are",
        r"setStorage: .*strides \[0, 0\]",
    ),
    Known(
        r"padding=",
        "message",
        "PyTorch prints a set, whose order changes from process to process",
        "should be one of {",
    ),
    Known(
        r"fft\.",
        "accepted",
        "the library that PyTorch calls has no transforms of nothing",
        "MKL FFT error",
    ),
    Known(
        r"logsumexp\(.*, \(\)",
        "accepted",
        "PyTorch takes no dimensions as all of them when it sums, as none when it shapes",
        "doesn't match the broadcast shape",
    ),
    Known(
        r"meshgrid\(",
        "message",
        "PyTorch prints the tensor as C++ does",
        "Expected 0D or 1D tensor in the tensor list but got",
    ),
    Known(
        r"pca_lowrank\(x\((2, )+\d\), q=2, center=True",
        "value",
        "two rows minus their mean have rank 1: the second direction is free",
    ),
    Known(
        r"(svd|pca)_lowrank\(",
        "message|exception",
        "which dtype is expected depends on the library that multiplies such sizes",
        "expected scalar type|\"bmm\" not implemented for 'Bool'",
    ),
    Known(
        r"bool\n(.*\n)*.*(\bqr|svd_lowrank|pca_lowrank)\(|complex.*\n(.*\n)*.*_lowrank\("
        r"|_lowrank\(.*complex",
        "value",
        "matrices of ones have rank 1: all but one direction is free, and so are phases",
    ),
    Known(
        r"uint8\n(.*\n)*.*matrix_exp\(.*complex64",
        "value",
        "the exponential is beyond single precision: which nans and infinities the sum "
        "of its powers leaves depends on their order",
        r"nan|inf",
    ),
    Known(
        r"special\.zeta\(.*uint8",
        "value",
        "PyTorch stops at the first term of the sum that single precision does not hold, "
        "though a later one may be larger, and of the other sign",
        "inf",
    ),
    Known(
        r"F\.pad\(.*circular",
        "refused",
        "PyTorch gives memory that nobody wrote where it crops more than there is",
    ),
    Known(
        r"native_batch_norm\(x\((1, )+1\)",
        "value",
        "one element minus itself is 0, of which PyTorch's product and sum leave a rounding",
    ),
    Known(
        r"native_batch_norm\(",
        "refused",
        "PyTorch reads beyond the end of a weight or of statistics that are too short",
        r"^\[|Size",
    ),
    Known(
        r"native_group_norm\(|max_unpool\dd\(",
        "accepted",
        "PyTorch's kernels ask for memory that is contiguous; these copy what is not",
        r"X\.is_contiguous\(memory_format\)|view size is not compatible",
    ),
    Known(
        r"result = torch\.batch_norm\(x\(1, 1, 1, 1\)",
        "value",
        "a difference of equal numbers is nothing but rounding",
    ),
    Known(
        r"fractional_max_pool\dd\(x\([\d, ]*\), (-\d|0\b|[\[(](.*, )?(-\d|0\b))",
        "refused",
        "PyTorch gives -inf as the maximum of windows without elements",
        "-inf",
    ),
    Known(
        r"torch\.cumm(ax|in)\(x\(0\)",
        "refused",
        "PyTorch does not look at the dimension of a tensor without elements",
    ),
    Known(
        r"torch\.bool\n(.*\n)*.*geqrf\(",
        "value",
        "reflections of columns that are equal reflect what rounding has left",
    ),
    Known(
        r"adaptive_\w+_pool\dd\(.*\.to\(torch\.bool\)\)|torch\.bool\n(.*\n)*.*adaptive_",
        "accepted|message",
        "PyTorch fails with an assertion about truth values, which it takes elsewhere",
        "Expected scalar.isIntegral",
    ),
    Known(
        r"float16(.*\n)*.*(i0|i1|i0e|i1e)(.*\n)*.*create_graph",
        "accepted",
        "PyTorch lacks second derivatives of Bessel functions in 16 bits",
        r"\"i[01]e?_backward\" not implemented for",
    ),
    Known(
        r"create_graph",
        "accepted",
        "PyTorch lacks some second derivatives that are known here",
        r"derivative for '?(aten::)?\w+_backward'? is not implemented",
    ),
    Known(
        r"native_layer_norm\(\w+, \([\d, ]+\), None(.*\n)*.*create_graph",
        "accepted",
        "PyTorch adds the second derivative of a weight that is not there",
        "Expected a proper Tensor but got None",
    ),
    Known(
        r"nll_loss\(",
        "accepted",
        "PyTorch writes gradients of images to contiguous memory only, but lays them out "
        "as the scores lie",
        "grad_input must be contiguous",
    ),
    Known(
        r"float16(.*\n)*.*grid_sample(r_\dd)?\((.*\n)*.*create_graph",
        "accepted",
        "PyTorch's second derivative mixes 16-bit and 32-bit numbers, and fails",
        r"scatter\(\): Expected self\.dtype to be equal to src\.dtype",
    ),
    Known(
        r"x, y = \w\[:, :1\]\.expand\(n, m\),.*\n(.*\n)*z = x\.median\(1\)",
        "value",
        "PyTorch's median of one number many times in one place is another number",
        cause="contiguous",
    ),
    Known(
        r"\.expand\(\([\d, ]+\)\)(.*\n)*y = .*median\(",
        "value",
        "PyTorch's median of one number many times in one place is another number",
        cause="contiguous",
    ),
    Known(
        r"\.expand\((.*\n)*.*linalg\.(tensorinv|tensorsolve|inv|solve)\(",
        "accepted|message",
        "matrices of equal rows are singular, and rounding decides which pivots are 0",
        "singular",
    ),
    Known(
        r"\(\((1, ){64}",
        "exception|message",
        "NumPy's arrays have at most 64 dimensions",
        "only tensors with up to 64 dims are supported",
    ),
    Known(
        r"corrcoef\(",
        "value",
        "a correlation with itself is 1, of whose gradient PyTorch leaves a rounding",
        cause="beside one",
    ),
    Known(
        r"\.expand\((.*\n)*.*linalg\.tensorsolve\(",
        "refused|accepted",
        "of two equal rows, elimination leaves zeros or roundings: one library calls the "
        "matrix singular, the other divides by what is left",
        r"^\[|singular",
    ),
    Known(
        r"y\.stride\(\)(.*\n)*result = told",
        "message",
        "where operands disagree about the order of memory, results are row-major: "
        "looking at their strides would slow all small operations",
        r"^\[",
        cause="memory order",
    ),
)
