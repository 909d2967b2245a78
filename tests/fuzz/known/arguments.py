"""Accepted differences in equivalent ways to write a call, each with its reason."""

from __future__ import annotations

from tests.fuzz.known.entry import Known

__all__ = ["KNOWN"]

KNOWN = (
    Known(
        r"y = torch\.(lstm|gru)_cell\(",
        "message",
        "all gates are one node, which is faster than PyTorch's composition",
    ),
    Known(
        r"y = torch\.native_group_norm\(",
        "message",
        "the mean and the deviation have nodes of their own",
        r"NativeGroupNormBackward0|^\[\[torch",
    ),
    Known(
        r"y = (torch|F)\.conv(_transpose)?\dd\(",
        "message",
        "some of PyTorch's kernels add the bias in a node of its own, or combine the "
        "parts of complex numbers",
        r"^\[torch",
    ),
    Known(
        r"y = (torch|F)\.conv(_transpose)?\dd\(",
        "message",
        "PyTorch gives the words of oneDNN",
        r"could not create a primitive",
    ),
    Known(
        r"y = F\.pad\(.*-\d.*'replicate'\)",
        "message",
        "what is cropped is cropped first, by a node of its own",
    ),
    Known(
        r"y = F\.grid_sample\(leaf\(x\(\d, \d, 1, 1\)\)",
        "value",
        "in an image of one pixel the gradient of a place is nothing but rounding",
        cause="rounding",
    ),
    Known(
        r"torch\.special\.(shifted_)?chebyshev_polynomial_[tuvw]\(",
        "value",
        "the degree times an angle, whose rounding turns into that of many periods",
        cause="last digits",
    ),
    Known(
        r"int64\n(.*\n)*.*F\.(triplet_margin_loss|pairwise_distance)\(.*complex128",
        "value",
        "one of the distances is one of integers, which is rounded to float32",
        cause="last digits",
    ),
    Known(
        r"(bfloat16|float16)\n(.*\n)*y = (F\.grid_sample|torch\.grid_sampler(_2d)?)\(",
        "value",
        "PyTorch computes places in images in 16 bits, up to a pixel off; here in 32",
        cause="double precision",
    ),
    Known(
        r"float32\n(.*\n)*y = torch\.linalg\.householder_product\(",
        "value",
        "PyTorch's gradients of reflections divide by what random factors make small",
        cause="double precision",
    ),
    Known(
        r"y = (torch\.(native_)?|F\.)(batch|instance|layer)_norm\(",
        "value",
        "a number minus the mean of few, or of equal ones, is nothing but rounding",
        cause="rounding",
    ),
    Known(
        r"float(16|32)\n(.*\n)*y = torch\.corrcoef\(leaf\(x\(3, 2\)\)\)",
        "value",
        "two observations always correlate fully: all of the gradient is rounding",
        cause="rounding",
    ),
    Known(
        r"y = F\.(adaptive_)?max_pool\dd\(.*ceil_mode=True, padding=[^0]",
        "value",
        "to a window that lies in the padding, PyTorch gives the index of an element of "
        "another image, or of none, and adds a gradient there",
        r"-inf",
    ),
    Known(
        r"y = F\.multi_head_attention_forward\(",
        "value",
        "where a weight is nearly 1, what is left of the softmax's gradient is rounding",
        cause="rounding",
    ),
    Known(
        r"complex\d+\n(.*\n)*y = torch\.linalg\.householder_product\(",
        "value",
        "PyTorch's gradients of reflections divide by what random factors make small",
        cause="rounding",
    ),
    Known(
        r"bfloat16\n(.*\n)*(y|result) = torch\.histc\(",
        "value",
        "PyTorch counts in bfloat16, in which 256 and 1 are 256",
        cause="double precision",
    ),
    Known(
        r"y = torch\.block_diag\(.*leaf\(x\(0\)\)",
        "value",
        "PyTorch's gradients of blocks after a vector without elements are a row off",
    ),
    Known(
        r"y = torch\.view_as_complex\((input=)?leaf\(x\(0, 2\)\)",
        "accepted",
        "PyTorch takes the strides 0 that NumPy gives arrays without elements",
        r"must have a last dimension with stride 1",
    ),
    Known(
        r"y = F\.(adaptive_avg_pool[12]d|interpolate)\((input=)?leaf\(x\(\d+, 0,",
        "accepted",
        "PyTorch averages windows without channels, but refuses the gradient",
        r"_backward\(\): Expected grad_output to have non-zero size",
    ),
    Known(
        r"y = (torch|F)\.conv\w*\((input=)?leaf\(x\(0,.*leaf\(x\([\d, ]*\b0\b",
        "exception|accepted",
        "PyTorch looks for the first of no samples",
        r"select\(\): index 0 out of range for tensor of size \[0\] at dimension 0",
    ),
    Known(
        r"y = torch\.(sort|scatter|arange|argsort|var|std|var_mean|std_mean)\(",
        "accepted|message",
        "Python does not tell a function which arguments came by name",
        r"received an invalid combination of arguments|missing 1 required|"
        r"argsort\(\) takes from 2 to 1 positional",
    ),
    Known(
        r"requires_grad_(.*\n)*y = ",
        "accepted|message|exception",  # what comes next may be refused
        "PyTorch refuses derivatives for complex numbers that are known here",
        r"does not support automatic differentiation for outputs with complex dtype",
    ),
    Known(
        r"y = torch\.special\.i\d",
        "accepted",
        "PyTorch has no kernel for this derivative in 16 bits",
        r"\"i\de?_backward\" not implemented",
    ),
    Known(
        r"y = torch\.detach_copy\(",
        "accepted",
        "what is detached has no gradient, and no node that says so",
        r"derivative for aten::detach_copy is not implemented",
    ),
    Known(
        r"y = torch\.linalg\.householder_product\((input=)?leaf\(x\([\d, ]*\)\), (tau=)?"
        r"leaf\(x\([\d, ]*\b0\b",
        "structure",
        "PyTorch forgets where the gradient of a product without factors comes from",
    ),
    Known(
        r"y = torch\.cumm(ax|in)\((input=)?leaf\(x\([\d, ]*\b0\b",
        "requires_grad",
        "PyTorch's zeros for an input without elements say that they require grad",
    ),
    Known(
        r"y = torch\.(unique_consecutive\(.*x\(\)|conv\d?d?\(.*x\(.*\b0\b|addmv\(.*\b0\b)",
        "shape|accepted",
        "PyTorch gives the shape of what it began with where nothing is to be computed",
    ),
    Known(
        r"^g, d = .*(float|complex)",
        "value",
        "where terms cancel, roundings are all that is left of them",
        cause="cancelled",
    ),
    Known(
        r"^g, d = .*float",
        "value",
        "what PyTorch loses by rounding on the way may be more than what is lost here",
        cause="double precision",
    ),
    Known(
        r"y = F\.bilinear\(.*\b0\b",
        "accepted",
        "PyTorch lets -1 stand for a size that nothing determines",
        r"because the unspecified dimension size -1 can be any value",
    ),
    Known(
        r"y = F\.instance_norm\(.*\b0\b|y = F\.channel_shuffle\(.*\b0\b",
        "accepted|message",
        "PyTorch looks at the first sample of an empty batch, or divides 0 channels",
    ),
    Known(
        r"(y|result) = torch\.fft\.\w+\((input=)?(leaf\()?x\([\d, ]*\b0\b",
        "message",
        "of transforms of nothing in 16 bits, which fails first is no matter",
        r"Invalid number of data points",
    ),
    Known(
        r"y = torch\.cholesky_(solve|inverse)\((input=)?leaf\(x\(",
        "value",
        "factors of random numbers are far from those of a matrix, and rounding is large",
        cause="rounding",
    ),
    Known(
        r"y = F\.pixel_(un)?shuffle\(.*\b0\b",
        "accepted|shape",
        "PyTorch copies images without elements as they are, and its gradients do not fit",
    ),
    Known(
        r"y = torch\.take_along_dim\(.*\b0\b",
        "message",
        "PyTorch divides by the size 0",
        r"ZeroDivisionError",
    ),
    Known(
        r"parametrizations\.weight_norm(.*\n)*.*create_graph=True",
        "value",
        "PyTorch's second derivative of normalised weights is wrong: differences tell",
    ),
    Known(
        r"y = torch\.polar\((abs=)?leaf\(x\(",  # `x` makes negative numbers, `u` none
        "value",
        "PyTorch's gradient of a negative radius has the wrong sign: differences tell",
        r"^\[torch\.complex\w+\[[^\]]*\], requires_grad ",
    ),
)
