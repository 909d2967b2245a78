/** The JSON of gradient norms, as `edutorch/inspect/gradients.py` writes it. */

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
