"""Accepted differences in modules and their gradients, each with its reason."""

from __future__ import annotations

from tests.fuzz.known.entry import Known

__all__ = ["KNOWN"]

KNOWN = (
    Known(
        r"^m = nn\..*Norm",
        "value",
        "a number minus the mean of few, or of equal ones, is nothing but rounding",
        cause="rounding",
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
        "accepted|exception",
        "PyTorch asks for a view where the layout of the input allows only a copy",
    ),
    Known(
        r"nn\.InstanceNorm\dd.*\n.*size=\(0,",
        "accepted|exception",
        "PyTorch looks at the first sample of an empty batch",
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
        r"nn\.ConvTranspose",
        "message",
        "oneDNN's words for an empty result name its descriptors, not the sizes",
    ),
    Known(
        r"U\.remove_spectral_norm\(m\); m\.load_state_dict",
        "accepted",
        "PyTorch's hook, which asks for the removed entries, stays where it was",
        "in loading state_dict",
    ),
    Known(
        r"swa_multi_avg_fn\(\), use_buffers=True",
        "accepted",
        "PyTorch cannot average whole numbers, such as batch norm's count of batches",
        "Integer division with addcdiv",
    ),
)
