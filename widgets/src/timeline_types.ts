/** The JSON of a timeline, as `edutorch/inspect/timeline.py` writes it. */
import type { Source } from "./types";

/** Bars as columns; -1 where there is none. */
export interface TimelineBars {
  kind: number[];
  name: number[];
  /** nanoseconds since `origin` */
  start: number[];
  /** nanoseconds */
  dur: number[];
  lane: number[];
  parent: number[];
  line: number[];
  link: number[];
  device: number[];
  open: number[];
}

export interface TimelineData {
  v: number;
  rev: number;
  step: number;
  /** of so many steps, the newest are kept */
  most: number;
  dropped_steps: number;
  dropped: number;
  origin: number;
  total: number;
  names: string[];
  lines: (Source | null)[];
  lanes: string[];
  devices: string[];
  pauses: number[][];
  bars: TimelineBars;
}
