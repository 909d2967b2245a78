"""The numerical work on arrays: NumPy first, arrays in and arrays out.

Nothing here knows about tensors or gradients. A function takes arrays and tuples of
numbers and returns arrays; a gradient is just another function. Begin with
`softmax.py`, then its formula in `plain/` and its loop in `fast/`.

Compiled kernels, and running them:

- `plain/`: each kernel as the formula of its docstring, for `config.plain()`.
- `fast/`: the loops that Numba compiles.
- `gpu/`: CUDA source for real GPUs.
- `compiled.py`: looks a loop up, and returns None where NumPy should compute.
- `warmup.py`: compiles them all. `thread_pool.py`: threads for loops.
- `lazy_modules.py`: optional libraries, loaded on first use.

Convolution and pooling:

- `conv.py`: convolution, and the choice among the ways of it: `conv_im2col.py`,
  `conv_small_images.py`, `conv_1x1.py`, `conv_depthwise.py`, and for 3 x 3 kernels
  `conv_winograd.py` and `conv_winograd_2x2.py`.
- `padded_buffers.py`: what compiled convolutions work on.
- `sliding_windows.py`: geometry of windows. `unfold.py`: windows as columns.
- `max_pool.py`, `avg_pool.py`, `adaptive_pool.py`, `fractional_pool.py`.
- `grid_sample.py`, `resample.py`: images at other places, at other sizes.

Layers and losses:

- `softmax.py`: softmax and cross entropy. `activations.py`, `erf.py`.
- `norm.py`: batch, layer, group and instance norm.
- `rnn_gates.py`: one step of LSTM and GRU. `ctc.py`: the CTC loss.
- `optim.py`: optimizer steps.

Rows, sums, sorting:

- `sums.py`, `sum_of_squares.py`: accurate sums, in PyTorch's order.
- `distances.py`: distances of rows. `scatter.py`: adding at indices.
- `sorting.py`, `introsort.py`, `heapsort.py`: order, with ties in PyTorch's order.

Numbers and memory:

- `casts.py`, `float8.py`: rounding. `box_muller.py`: normal numbers.
- `reparameterization.py`, `reparameterization_fit.py`: how gamma and Dirichlet samples
  move with their parameters.
- `memory_format.py`: contiguous or channels last.
"""

__all__ = ["FAST_PATH"]

# What never runs while `config.plain()`: folders, files, or functions of files that
# serve both. `tests/kernels/test_kernels.py` watches a step of training for them.
FAST_PATH = (
    "kernels/fast/",
    "kernels/conv_1x1.py",
    "kernels/conv_depthwise.py",
    "kernels/conv_im2col.py",
    "kernels/conv_small_images.py",
    "kernels/conv_winograd.py",
    "kernels/conv_winograd_2x2.py",
    "kernels/optim.py",
    "kernels/padded_buffers.py",
    "kernels/rnn_gates.py",
    "kernels/thread_pool.py",
    "kernels/warmup.py",
    "ops/rnn/recurrence.py",
    "kernels/activations.py:_bits",
    "kernels/compiled.py:run_elementwise",
    "kernels/conv.py:_blocks",
    "kernels/erf.py:_blocks",
    "kernels/erf.py:_polynomial",
    "kernels/softmax.py:row_blocks",
    "kernels/sums.py:_add_pieces",
)
