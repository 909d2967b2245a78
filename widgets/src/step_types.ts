/** The JSON of a recorded training step, as `edutorch/inspect/step_trace.py` writes it. */
import type { Cell } from "./value_colours";

/** A value, whole or every k-th row and column of it, in rows of the last dimension. */
export interface StepValue {
  shape: number[];
  dtype: string;
  /** "dropped", "not sent", "absolute values", or nothing */
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

/** How an element of a result is computed; letters name dimensions as in einsum. */
export interface StepRecipe {
  plug: string;
  spec: string;
  plus: number;
  over: number;
}

/** What a node of backward sends to one operand. */
export interface StepEdge {
  /** the moment that receives it, or -1 */
  to: number;
  operand: number;
  name: string;
  letter: string;
  formula: string;
  v: number;
  form: string;
  spec: string;
  /** the local derivative, -1 where it is 1 or not known */
  local: number;
  note: string;
}

/** An op, a node of backward, a leaf's gradient, or an update; numbers are indices. */
export interface StepMoment {
  kind: string;
  name: string;
  phase: string;
  call: number;
  src: number[] | null;
  attrs: string;
  error: string;
  /** `from`: the moment that made it, or -1; `leaf`: which of those that none made */
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
  /** of a leaf's gradient: which leaf */
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
