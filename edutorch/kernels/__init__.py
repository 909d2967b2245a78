"""Numerical code for arrays, in NumPy and compiled.

Kernels are independent of tensors and autograd. A function takes arrays and tuples of
numbers and returns arrays; a gradient is just another function. Begin with
`softmax.py`, then read its formula in `plain/` and its loop in `fast/`.

Implementations, and how they are selected:

- `plain/`: the formula of each kernel's docstring, used if `config.plain()`.
- `fast/`: loops compiled by Numba.
- `gpu/`: CUDA source for real GPUs.
- `compiled.py`: looks up a compiled loop; None means that NumPy should compute.
- `warmup.py`: compiles all loops, in several processes. `thread_pool.py`: runs them in
  threads, if they take long enough.
- `lazy_modules.py`: optional libraries, loaded on first use.
- `onednn.py`, `onednn_primitives.py`: the functions of oneDNN, an optional library.

Convolution and pooling:

- `conv.py`: convolution, by the first of these algorithms that is worthwhile for the
  given sizes: `conv_1x1.py`; for 3 x 3 kernels `conv_winograd.py` and
  `conv_winograd_2x2.py`; `conv_depthwise.py`, `conv_onednn.py`, `conv_im2col.py`,
  `conv_small_images.py`.
  `conv_weight_gradient.py`: sums of products.
- `padded_buffers.py`: padded arrays for compiled convolutions.
- `sliding_windows.py`: geometry of windows. `unfold.py`: im2col and col2im.
- `max_pool.py`, `avg_pool.py`, `adaptive_pool.py`, `fractional_pool.py`: pooling and
  its gradients; the NumPy formulas are in these files, too.
- `grid_sample.py`, `resample.py`: sampling at given positions; resizing.

Layers and losses:

- `softmax.py`: softmax and cross entropy. `activations.py`, `erf.py`.
- `attention.py`: scaled dot-product attention.
- `products.py`: large matrix products, on as many threads as there are free cores.
  `gemm.py`: x wᵀ + b in one call of BLAS, for large results.
- `norm.py`: batch, layer, group and instance norm.
- `rnn_gates.py`: gate equations of LSTM and GRU. `ctc.py`: the CTC loss.
- `optim.py`: optimizer steps.

Rows, sums, sorting:

- `sums.py`, `sum_of_squares.py`: accurate sums, in PyTorch's order.
- `distances.py`: distances between rows. `scatter.py`: adding at indices.
- `sorting.py`, `introsort.py`, `heapsort.py`: sorting, with PyTorch's order of ties.

Numbers and memory:

- `complex_powers.py`: powers of complex numbers. `casts.py`: casts between
  dtypes, with PyTorch's rounding to 16 bits; `float8.py`: rounding to 8-bit floats.
- `box_muller.py`: normal random numbers. `multiply_add.py`: a product plus a
  number, rounded once.
- `reparameterization.py`, `reparameterization_fit.py`: derivatives of gamma and
  Dirichlet samples with respect to their parameters.
- `memory_format.py`: contiguous or channels last.
"""

__all__ = ["FAST_PATH"]

# What never runs while `config.plain()`: folders, files, or functions of files that
# serve both. `tests/kernels/test_kernels.py` watches a step of training for them.
FAST_PATH = (
    "kernels/fast/",
    "kernels/attention.py:attention",
    "kernels/attention.py:attention_backward",
    "kernels/conv_1x1.py",
    "kernels/conv_depthwise.py",
    "kernels/conv_im2col.py",
    "kernels/conv_onednn.py:_blocks",
    "kernels/conv_onednn.py:_convolutions",
    "kernels/conv_small_images.py",
    "kernels/conv_winograd.py",
    "kernels/conv_winograd_2x2.py",
    "kernels/onednn_primitives.py",
    "kernels/optim.py",
    "kernels/padded_buffers.py",
    "kernels/rnn_gates.py",
    "kernels/thread_pool.py",
    "kernels/warmup.py",
    "ops/rnn/recurrence.py",
    "kernels/activations.py:_bits",
    "kernels/compiled.py:run_elementwise",
    "kernels/gemm.py:_gemm_accepts",
    "kernels/conv.py:_blocks",
    "kernels/erf.py:_blocks",
    "kernels/erf.py:_polynomial",
    "kernels/softmax.py:row_blocks",
    "kernels/sums.py:_add_pieces",
)
