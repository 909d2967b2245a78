"""Loops that Numba compiles, in files of the same name as the NumPy functions.

A NumPy function looks up its kernel through `kernels.compiled`, and computes by itself
where there is none. Without Numba these are Python functions, slow but steppable.

- `compiling.py`: how loops are compiled. `bounds.py`: what must hold of the arrays.
- `exp.py`: functions of one number that become vector instructions.
- `activations.py`, `box_muller.py`, `conv_depthwise.py`, `conv_im2col.py`,
  `conv_winograd.py`, `conv_winograd_2x2.py`, `distances.py`, `grid_sample.py`,
  `introsort.py`, `max_pool.py`, `norm.py`, `optim.py`, `padded_buffers.py`,
  `scatter.py`, `softmax.py`, `sum_of_squares.py`: the loops of the file of that name.
- `winograd_rows.py`: what both files of Winograd's convolutions share.
"""
