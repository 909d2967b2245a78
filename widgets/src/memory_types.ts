/** The JSON of MemoryView and MemoryTree, as `memory.py` and `memory_tree.py` write it. */
import type { Source } from "./types";

/** One training step in full; `t` in ms from its start, `ms` its length. */
export interface MemoryStep {
  step: number;
  name: string;
  t: number[];
  bytes: number[][];
  phases: { t: number; name: string }[];
  ms: number;
}

/** Bytes over time: `bytes[i][j]` is category `categories[j]` at `t[i]` ms. */
export interface MemoryData {
  v: number;
  rev: number;
  device: string;
  kind: string;
  categories: string[];
  t: number[];
  bytes: number[][];
  marks: { t: number; name: string }[];
  now: number;
  peak: number;
  limit: number | null;
  reserved: number | null;
  steps: MemoryStep[];
}

/** A tensor, or (`shape` null) a sum of small ones, at each of the moments. */
export interface MemoryRow {
  name: string;
  shape: number[] | null;
  dtype: string;
  /** indices into the lists of `MemoryTreeData` */
  device: number;
  category: number;
  module: number;
  line: number;
  counts: number[];
  bytes: number[];
}

/** Who owns the bytes; the first moment is now, the second the peak of each device. */
export interface MemoryTreeData {
  v: number;
  rev: number;
  step: number;
  /** records that a recording has dropped */
  dropped: number;
  /** the device shown first */
  shown: number;
  devices: {
    name: string;
    kind: string;
    limit: number | null;
    reserved: number | null;
  }[];
  categories: string[];
  moments: { kind: string; name: string }[];
  modules: { model: string; path: string }[];
  lines: Source[];
  rows: MemoryRow[];
}
