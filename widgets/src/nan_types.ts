/** The JSON of NaNTrail, as `edutorch/inspect/nan_report.py` writes it. */
import type { Source } from "./types";

/** The ends of the finite elements, null where there is none, and counts of others. */
export interface NanRange {
  min: number | null;
  max: number | null;
  nan: number;
  posinf: number;
  neginf: number;
  n: number;
}

export interface NanOperand {
  name: string;
  shape: number[];
  dtype: string;
  /** null for integers, and where it was not seen */
  range: NanRange | null;
}

/** An op, the backward of one, or a value that no op made, that is not finite. */
export interface NanBox {
  kind: string;
  name: string;
  var: string;
  attrs: string;
  module: string;
  src: Source | null;
  shape: number[];
  dtype: string;
  result: NanRange;
  operands: NanOperand[];
}

/** The way of a nan: `trail[root]` is blamed, what stands before it was deliberate. */
export interface NanFinding {
  step: number;
  where: string;
  kind: string;
  rule: string;
  reached: string;
  root: number;
  left_out: number;
  trail: NanBox[];
}

export interface NanData {
  v: number;
  rev: number;
  step: number;
  checked: number;
  suspects: number;
  /** what was found before, where nothing has been since; none in older files */
  earlier?: string;
  finding: NanFinding | null;
}
