"""Checks of the exercises.

The file of a chapter lists its exercises and their hints; the checks are there or,
where they are long, in the files whose names begin with the chapter:

- `ch01.py`: tensors and NumPy, with `ch01_shape_rules.py` (strides, broadcasting),
  `ch01_same_buffers.py` and `ch01_window_views.py`.
  `ch02.py`: autograd on scalars, with `ch02_graphs.py` (graphs to try answers on),
  `ch02_order.py`, `ch02_backward.py`, `ch02_descent.py` and `ch02_targets.py`.
  `ch03.py`: gradients of tensors, with `ch03_numeric.py` (central differences, gradient
  checks), `ch03_shapes.py` (sums to a shape, the backward of matmul) and
  `ch03_functions.py` (a Function, the Hessian).
  `ch04.py`: debugging, with `ch04_steps.py` (which op made the NaN), `ch04_cuts.py`
  (where the graph is cut), `ch04_gradients.py` (a hook, a root with a gradient at 0)
  and `ch04_training.py` (three bugs in one program).
  `ch05.py`: modules and initialisation, with `ch05_layers.py` (Linear, Dropout),
  `ch05_trees.py` (names, counts), `ch05_networks.py` (Kaiming) and `ch05_hooks.py`.
  `ch06.py`: losses, with `ch06_softmax.py` (softmax, cross-entropy), `ch06_losses.py`
  (two classes, smoothed targets) and `ch06_reductions.py` (masked, weighted).
  `ch07.py`: optimizers, with `ch07_optimizer_rules.py` (the rules and their mistakes),
  `ch07_optimizer_drills.py` (test cases for them), `ch07_schedules.py`,
  `ch07_gradient_clipping.py` and `ch07_early_stopping.py`.
  `ch08.py`: data sets and loaders, with `ch08_data_parts.py`,
  `ch08_stratified_split.py`, `ch08_padded_batch.py`, `ch08_length_batches.py` and
  `ch08_worker_numbers.py`.
  `ch09.py`: convolutional networks, with `ch09_output_sizes.py`,
  `ch09_convolutions.py`, `ch09_max_pooling.py` and `ch09_batch_norms.py`: the right
  values and the mistakes.
  `ch10.py`: seeing inside, with `ch10_gradients.py` (gradient by layer),
  `ch10_blocks.py` (residual block), `ch10_maps.py` (saliency, occlusion),
  `ch10_transfer.py` (freezing) and `ch10_groups.py` (parameter groups).
  `ch11.py`: recurrent networks, with `ch11_cells.py` (a cell, its gradient),
  `ch11_lstm.py`, `ch11_lengths.py` (packing, masks) and `ch11_sampling.py`.
  `ch17.py`: GPU and memory, with `ch17_bytes.py` (a step's peak, best fit),
  `ch17_program.py` (what a program allocates), `ch17_leak.py` (graphs that are alive),
  `ch17_recompute.py`, `ch17_transfers.py`, `ch17_blocks.py` (a kernel) and
  `ch17_accumulation.py` (a batch in pieces).
  `ch18.py`: several devices, with `ch18_replicas.py` (parts, gradients, statistics),
  `ch18_ring.py` (the ring, buckets), `ch18_ranks.py` (rows per rank, butterfly) and
  `ch18_signal.py` (a Function of SciPy's).
- `parts.py`: grades each part of a returned value separately. `optimizer_steps.py`:
  runs an answer on parameters, within a time limit.
- `modules.py`: shared by checks of a learner's modules and Functions.
"""

from __future__ import annotations

__all__: list[str] = []
