/** The JSON of an error, as `edutorch/inspect/error_report.py` writes it. */
import type { GraphData } from "./graph_types";
import type { Source } from "./types";

/** A tensor given to an op that failed; `lit` are dimensions that do not fit. */
export interface ErrorOperand {
  name: string;
  role: string;
  shape: number[];
  lit: number[];
  dtype: string;
  device: string;
  /** "dtype", "device" or another trait that does not fit, "" for none */
  wrong: string;
}

/** Why an op failed. */
export interface ErrorData {
  v: number;
  rev: number;
  type: string;
  message: string;
  op: string;
  attrs: string;
  module: string;
  hint: string;
  /** what must hold, "" where that is not known */
  rule: string;
  /** whether dimensions are compared from the last on */
  right: boolean;
  src: Source | null;
  operands: ErrorOperand[];
  /** lines that changed in place what backward needs */
  changes: Source[];
  /** where the op ran whose backward failed */
  forward: Source | null;
  graph: GraphData | null;
}
