"""Loops compiled by Numba, in files named like those of the NumPy functions.

A NumPy function looks up its loop with `kernels.compiled`, and computes by itself if
there is none. Without Numba the loops are Python functions, slow but steppable.

- `compiling.py`: compiles loops. `bounds.py`: requirements on their arrays.
- `exp.py`: exponentials that LLVM vectorises.
- `activations.py`, `box_muller.py`, `casts.py`, `conv_depthwise.py`,
  `conv_im2col.py`, `conv_winograd.py`, `conv_winograd_2x2.py`, `distances.py`,
  `grid_sample.py`, `introsort.py`, `max_pool.py`, `multiply_add.py`, `norm.py`,
  `optim.py`, `padded_buffers.py`, `scatter.py`, `softmax.py`, `sum_of_squares.py`: the
  loops of the file of that name.
- `winograd_rows.py`: shared by both Winograd convolutions.
"""
