/** Tensor summaries as Python would send them. */
import type { TensorData, TensorValues } from "../src/tensor_types";

/** The numbers 0, 1, 2 ... of a tensor with these dimensions, all of them sent. */
export function counting(shape: number[]): TensorValues {
  const numel = shape.reduce((n, size) => n * size, 1);
  const [rows, columns] = shape.length > 1 ? shape.slice(-2) : [1, numel];
  const values = Array.from({ length: numel }, (_, i) => i);
  const moments = { min: 0, max: numel - 1, mean: (numel - 1) / 2, std: 1, norm: 1 };
  return {
    note: "",
    stats: { ...moments, zeros: 1, nan: 0, inf: 0, n: numel, numel },
    histogram: { low: 0, high: numel - 1, counts: [numel - 1, 1] },
    grid: {
      lead: shape.slice(0, -2),
      rows,
      columns,
      steps: [1, 1],
      shown: [rows, columns],
      first: 0,
      values,
    },
    image: "",
  };
}

export function tensor(shape: number[], more: Partial<TensorData> = {}): TensorData {
  const numel = shape.reduce((n, size) => n * size, 1);
  const strides = shape.map((_, dim) =>
    shape.slice(dim + 1).reduce((n, size) => n * size, 1),
  );
  return {
    v: 1,
    rev: 1,
    name: "w",
    shape,
    dtype: "float32",
    device: "cpu",
    layout: "strided",
    version: 0,
    requires_grad: true,
    grad_fn: "",
    memory: {
      bytes: 4 * numel,
      itemsize: 4,
      views: [{ name: "w", shape, strides, offset: 0, itemsize: 4 }],
    },
    value: counting(shape),
    grad: null,
    made: null,
    users: [],
    ...more,
  };
}
