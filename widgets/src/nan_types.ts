/** The JSON of NaNTrail, as `edutorch/inspect/nan_report.py` writes it. */
import type { Source } from "./types";

/** The ends of the finite elements (null if there are none), and counts of others. */
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
  /** null for integers, and if it was not recorded */
  range: NanRange | null;
}

/** An op, the backward of an op, or a value that no op made, that is not finite. */
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

/** The path of a nan: `trail[root]` is the origin; entries before it are deliberate. */
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
  /** the previous finding, if there has been none since; missing in older files */
  earlier?: string;
  finding: NanFinding | null;
}
