/** Data of DeviceLanes as the recorder makes them. */
import type { Lane, LaneBar, LanesData } from "../src/lane_types";

const TEXTS = [
  "",
  "forward",
  "backward",
  "copy",
  "linear",
  "relu",
  "net.0",
  "net.1",
  "to",
  "cuda:0",
  "AddmmBackward0",
  "cpu",
];

/** A bar by words. */
export function bar(
  start: number,
  duration: number,
  name: string,
  phase = "forward",
  more: { module?: string; row?: number; inside?: number; source?: string } = {},
): LaneBar {
  const at = (text: string) => TEXTS.indexOf(text);
  const { module = "", row = 0, inside = 0, source = "" } = more;
  return [start, duration, at(name), at(module), at(phase), 0, row, inside, at(source)];
}

function lane(device: string, bars: LaneBar[], more: Partial<Lane> = {}): Lane {
  const busy = bars.reduce((sum, b) => sum + b[1], 0);
  return {
    device,
    kind: device === "cpu" ? "CPU" : "simulated GPU",
    busy,
    idle: 1000 - busy,
    ops: bars.length,
    waited: [],
    received: { count: 0, bytes: 0 },
    sent: { count: 0, bytes: 0 },
    memory: { now: 2048, peak: 4096, limit: device === "cpu" ? null : 2 ** 20 },
    rows: 1,
    bars,
    ...more,
  };
}

/** A model split over two devices: forward on both, backward the other way. */
export function twoDevices(more: Partial<LanesData> = {}): LanesData {
  const first = [
    bar(0, 40, "to", "copy", { source: "cpu" }),
    bar(50, 150, "linear", "forward", { module: "net.0" }),
    bar(800, 200, "AddmmBackward0", "backward", { module: "net.0" }),
  ];
  const second = [
    bar(210, 40, "to", "copy", { source: "cuda:0" }),
    bar(260, 240, "linear", "forward", { module: "net.1" }),
    bar(500, 290, "AddmmBackward0", "backward", { module: "net.1" }),
  ];
  return {
    v: 1,
    rev: 7,
    step: 0,
    from: 0,
    to: 1000,
    dropped: 0,
    clock: "Times are this computer's.",
    limits: "",
    lanes: [
      lane("cpu", []),
      lane("cuda:0", first, { received: { count: 1, bytes: 4096 } }),
      lane("cuda:1", second, {
        received: { count: 1, bytes: 2048 },
        waited: [{ device: "cuda:0", us: 210 }],
      }),
    ],
    transfers: [
      [0, 30, "cpu", "cuda:0", 4096, "copy"],
      [210, 240, "cuda:0", "cuda:1", 2048, "copy"],
    ],
    moved: [],
    phases: [
      { name: "scatter", from: 0, to: 45, row: 0 },
      { name: "parallel_apply", from: 45, to: 800, row: 0 },
    ],
    steps: [[995, 0]],
    full: [],
    texts: TEXTS,
    threads: 1,
    ...more,
  };
}

/** A run that `cuda:1` had no memory for. */
export function outOfMemory(): LanesData {
  const full = { at: 600, device: "cuda:1", wanted: 2 ** 23 };
  return twoDevices({ full: [{ ...full, now: 2 ** 20, limit: 4 * 2 ** 20 }] });
}

export { TEXTS };
