/** The JSON that Python sends, exactly as `edutorch.inspect` writes it. */

/** A place in a source file. */
export interface Source {
  file: string;
  line: number;
  func: string;
  text: string;
}

/** Summary of a tensor's values (`norm` only for gradients). */
export interface Stats {
  norm?: number | null;
  min: number | null;
  max: number | null;
  mean: number | null;
  std: number | null;
  nonfinite: number;
  n: number;
}

export type NodeKind = "op" | "param" | "input" | "const";

export interface GraphNode {
  id: string;
  kind: NodeKind;
  name: string;
  cls: string;
  module: string;
  shape: number[];
  dtype: string;
  device: string;
  attrs: string;
  src: Source | null;
  lib: Source | null;
  stats: Stats | null;
  grad: Stats | null;
  fwd_us: number | null;
  bwd_us: number | null;
  bytes: number;
  /** why it failed, or what somebody found wrong with it */
  error?: string;
}

export interface ModuleInfo {
  path: string;
  cls: string;
  parent: string;
}

/** What a step computed: nodes in the order they ran, edges source to consumer. */
export interface GraphData {
  v: number;
  rev: number;
  step: number;
  phase: "forward" | "backward" | "idle";
  recorded_step: number;
  dropped: number;
  /** backward passes of the same step before this graph, as gradients add up */
  passes: number;
  nodes: GraphNode[];
  edges: [string, string][];
  modules: ModuleInfo[];
}

export interface GradientMark {
  step: number;
  layer: string;
  kind: "vanishing" | "exploding" | "nonfinite";
  rule: string;
}

/** Gradient norms: `norms[i][j]` is layer `layers[j]` at step `steps[i]`. */
export interface GradientData {
  v: number;
  rev: number;
  layers: string[];
  steps: number[];
  norms: (number | null)[][];
  marks: GradientMark[];
  stride: number;
}

/** One training step in full; `t` in ms from its beginning, `ms` its length. */
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
