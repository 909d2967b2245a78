/** The JSON of a tensor, as `edutorch/inspect/tensor_summary.py` writes it. */
import type { Source } from "./types";

/** The part of a storage that one view covers, in elements of its own dtype. */
export interface MemoryOfView {
  name: string;
  shape: number[];
  strides: number[];
  offset: number;
  itemsize: number;
}

/** Slices over the last two dimensions; `values` of as many as fit, from `first` on. */
export interface TensorGrid {
  lead: number[];
  rows: number;
  columns: number;
  /** the strides in rows and columns */
  steps: [number, number];
  shown: [number, number];
  first: number;
  values: (number | string)[];
}

export interface TensorStats {
  min: number | null;
  max: number | null;
  mean: number | null;
  std: number | null;
  norm: number | null;
  zeros: number;
  nan: number;
  inf: number;
  n: number;
  numel: number;
}

/** A tensor's values, or those of its gradient. */
export interface TensorValues {
  note: string;
  stats: TensorStats;
  histogram: { low: number; high: number; counts: number[] } | null;
  grid: TensorGrid;
  image: "" | "gray" | "rgb";
}

/** One tensor; "null" for values that it lacks. */
export interface TensorData {
  v: number;
  rev: number;
  name: string;
  shape: number[];
  dtype: string;
  device: string;
  layout: string;
  version: number;
  requires_grad: boolean;
  grad_fn: string;
  memory: { bytes: number; itemsize: number; views: MemoryOfView[] } | null;
  value: TensorValues | null;
  grad: TensorValues | null;
  made: { op: string; src: Source | null } | null;
  users: { op: string; src: Source | null }[];
}
