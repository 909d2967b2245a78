/** Timelines made up by hand. */
import { EMPTY } from "../src/timeline_bars";
import type { TimelineData } from "../src/timeline_types";

type Row = [
  kind: number,
  name: string,
  start: number,
  dur: number,
  parent: number,
  more?: {
    line?: number;
    link?: number;
    lane?: number;
    device?: number;
    open?: number;
  },
];

const PLACE = { func: "step", text: "y = model(x)" };

export function timeline(rows: Row[], more: Partial<TimelineData> = {}): TimelineData {
  const names = [...new Set(rows.map((row) => row[1]))];
  const pick = (key: "line" | "link" | "device") => rows.map((r) => r[5]?.[key] ?? -1);
  return {
    ...EMPTY,
    rev: 7,
    step: 1,
    most: 20,
    total: Math.max(...rows.map((row) => row[2] + row[3])),
    names,
    lines: [
      { file: "/home/me/train.py", line: 12, ...PLACE },
      { file: "/home/me/train.py", line: 14, ...PLACE },
      { file: "/home/me/train.py", line: 12, ...PLACE, func: "again" },
      null,
    ],
    lanes: ["main thread"],
    devices: ["cpu"],
    bars: {
      kind: rows.map((row) => row[0]),
      name: rows.map((row) => names.indexOf(row[1])),
      start: rows.map((row) => row[2]),
      dur: rows.map((row) => row[3]),
      lane: rows.map((row) => row[5]?.lane ?? 0),
      parent: rows.map((row) => row[4]),
      line: pick("line"),
      link: pick("link"),
      device: pick("device"),
      open: rows.map((row) => row[5]?.open ?? 0),
    },
    ...more,
  };
}

/** Two steps: a module with an op, a loss, backward, an update; a step that goes on. */
export function training(): TimelineData {
  return timeline([
    [0, "step 0", 0, 100_000, -1],
    [1, "Sequential", 5_000, 30_000, 0],
    [1, "0: Linear", 8_000, 20_000, 1],
    [2, "linear", 10_000, 15_000, 2, { line: 0, device: 0 }],
    [2, "mean", 38_000, 2_000, 0, { line: 1, device: 0 }],
    [5, "backward", 45_000, 30_000, 0],
    [3, "MeanBackward0", 46_000, 4_000, 5, { link: 4 }],
    [3, "AddmmBackward0", 52_000, 12_000, 5, { link: 3 }],
    [3, "AccumulateGrad of 0.weight", 66_000, 3_000, 5, { link: 2 }],
    [6, "SGD.step", 80_000, 15_000, 0],
    [0, "step 1", 100_000, 60_000, -1, { open: 1 }],
    [1, "Sequential", 110_000, 50_000, 10, { open: 1 }],
    [2, "linear", 120_000, 9_000, 11, { line: 2, device: 0 }],
  ]);
}

/** Ops inside of a backward, a module that calls itself, two threads and devices. */
export function nested(): TimelineData {
  return timeline(
    [
      [0, "step 0", 0, 1000, -1],
      [4, "loss", 10, 300, 0],
      [1, "Twice", 20, 200, 1],
      [1, "Twice", 30, 100, 2],
      [2, "exp", 40, 60, 3, { line: 0, device: 1 }],
      [5, "backward", 400, 500, 0],
      [3, "ExpBackward0", 410, 300, 5, { link: 4 }],
      [2, "mul", 500, 100, 6, { line: 3, device: 1 }],
      [2, "log", 50, 500, -1, { line: 1, lane: 1, device: 0 }],
    ],
    {
      lanes: ["main thread", "worker"],
      devices: ["cpu", "cuda:0"],
      pauses: [[350, 4e9]],
      dropped_steps: 3,
    },
  );
}

/** Very many ops in one step. */
export function many(n: number): TimelineData {
  const rows: Row[] = [[0, "step 0", 0, n * 100, -1]];
  for (let i = 1; i < n; i++) rows.push([2, `op${i % 40}`, i * 100, 80, 0]);
  return timeline(rows);
}
