/** The JSON of a recorded training step, as `edutorch/inspect/step_trace.py` writes it. */
import type { Cell } from "./value_colours";

/** A value, in full or every k-th row and column, as rows of the last dimension. */
export interface StepValue {
  shape: number[];
  dtype: string;
  /** "dropped", "not sent", "absolute values", or empty */
  note: string;
  steps: number[];
  shown: number[];
  cells: Cell[];
  stats: {
    min: number | null;
    max: number | null;
    mean: number | null;
    std: number | null;
    nan: number;
    inf: number;
  } | null;
}

/** The formula of one element of a result; letters name dimensions as in einsum. */
export interface StepRecipe {
  plug: string;
  spec: string;
  plus: number;
  over: number;
}

/** What a backward node sends to one operand. */
export interface StepEdge {
  /** the receiving moment, or -1 */
  to: number;
  operand: number;
  name: string;
  letter: string;
  formula: string;
  v: number;
  form: string;
  spec: string;
  /** the local derivative, -1 if it is 1 or unknown */
  local: number;
  note: string;
}

/** An op, a backward node, a leaf's gradient, or an update; numbers are indices. */
export interface StepMoment {
  kind: string;
  name: string;
  phase: string;
  call: number;
  src: number[] | null;
  attrs: string;
  error: string;
  /** `from`: the moment that made it, or -1; `leaf`: its index if no moment did */
  ins: { v: number; name: string; from: number; letter: string; leaf?: number }[];
  outs: { v: number; name: string }[];
  read: number[];
  formula: string;
  recipe: StepRecipe | null;
  of: number;
  back: number[];
  users: number[];
  parts: { v: number; from: number; out: number }[];
  edges: StepEdge[];
  after: number;
  order: number;
  /** for a leaf's gradient, the index of the leaf */
  leaf?: number;
}

export interface StepCall {
  path: string;
  cls: string;
  parent: number;
}

/** One training step, op by op. */
export interface StepData {
  v: number;
  rev: number;
  step: number;
  state: string;
  partial: boolean;
  moments: StepMoment[];
  calls: StepCall[];
  files: { name: string; lines: [number, string][] }[];
  values: StepValue[];
  dropped: number;
  limit: number;
  left_out: number;
  trouble: string;
}
