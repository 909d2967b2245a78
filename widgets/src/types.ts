/** The JSON shared by several views, exactly as `edutorch.inspect` writes it. */

/** A place in a source file. */
export interface Source {
  file: string;
  line: number;
  func: string;
  text: string;
  /** for an op, the line of its backward in the same file; 0 for none */
  backward?: number;
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
