/** The JSON of a training run, as `edutorch/inspect/run_recorder.py` writes it. */

/** A number, or "nan", "inf", "-inf". */
export type RunValue = number | string;

export interface RunSeries {
  name: string;
  steps: number[];
  values: RunValue[];
  /** one in so many samples is kept */
  stride: number;
  last: RunValue;
}

export interface RunName {
  /** 0 until it is stored */
  id: number;
  name: string;
  settings: string[][];
}

export interface RunAlert {
  step: number;
  metric: string;
  kind: string;
  rule: string;
}

/** A training run and its overlays. */
export interface RunData {
  v: number;
  rev: number;
  run: RunName;
  state: string;
  /** batches done in all passes */
  step: number;
  done: number;
  total: number | null;
  passes: number;
  /** seconds */
  elapsed: number;
  left: number | null;
  rate: RunValue | null;
  unit: string;
  series: RunSeries[];
  others: (RunName & { series: RunSeries[] })[];
  alerts: RunAlert[];
  rules: string[];
  remarks: string[];
}
