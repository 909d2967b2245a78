/** The JSON of devices, as `edutorch/inspect/device_lanes.py` writes it. */

/** A bar of a lane: start and duration in µs; texts by index; `source`: the sender. */
export type LaneBar = [
  start: number,
  duration: number,
  name: number,
  module: number,
  phase: number,
  thread: number,
  row: number,
  inside: number,
  source: number,
];

/** One device of `edutorch/inspect/device_lanes.py`; times in µs. */
export interface Lane {
  device: string;
  kind: string;
  busy: number;
  idle: number;
  ops: number;
  waited: { device: string; us: number }[];
  received: { count: number; bytes: number };
  sent: { count: number; bytes: number };
  memory: { now: number; peak: number; limit: number | null };
  rows: number;
  bars: LaneBar[];
}

export type LaneTransfer = [
  start: number,
  end: number,
  source: string,
  target: string,
  nbytes: number,
  how: string,
];

/** What all devices did. */
export interface LanesData {
  v: number;
  rev: number;
  step: number;
  from: number;
  to: number;
  dropped: number;
  clock: string;
  limits: string;
  lanes: Lane[];
  transfers: LaneTransfer[];
  moved: { source: string; target: string; count: number; bytes: number }[];
  phases: { name: string; from: number; to: number; row: number }[];
  steps: [us: number, step: number][];
  full: {
    at: number;
    device: string;
    wanted: number;
    now: number;
    limit: number | null;
  }[];
  texts: string[];
  threads: number;
}
