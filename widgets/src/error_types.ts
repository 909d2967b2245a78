/** The JSON of an error, as `edutorch/inspect/error_report.py` writes it. */
import type { GraphData } from "./graph_types";
import type { Source } from "./types";

/** A tensor passed to a failed op; `lit` are the mismatched dimensions. */
export interface ErrorOperand {
  name: string;
  role: string;
  shape: number[];
  lit: number[];
  dtype: string;
  device: string;
  /** "dtype", "device" or another mismatched property; "" for none */
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
  /** the violated rule, "" if unknown */
  rule: string;
  /** whether dimensions are aligned at the last one */
  right: boolean;
  src: Source | null;
  operands: ErrorOperand[];
  /** lines that changed in place what backward needs */
  changes: Source[];
  /** where the op ran whose backward failed */
  forward: Source | null;
  graph: GraphData | null;
}
