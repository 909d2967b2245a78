/** Data of a MemoryTree as the recorder makes them: a small network with Adam. */
import type { MemoryRow, MemoryTreeData } from "../src/memory_types";

const LAYERS = ["layers.0.attn", "layers.0.linear", "layers.1.attn", "layers.1.linear"];
const FILE = "/home/me/work/train.py";

/** Moments: now, peak, the ends of steps 0, 4 and 5, and a mark. */
export function owners(gpu = false, scale = 1): MemoryTreeData {
  const rows: MemoryRow[] = [];
  const add = (name: string, at: number[], bytes: number[], shape: number[] | null) => {
    const [category, module, line] = at;
    const counts = bytes.map((n) => (n === 0 ? 0 : shape ? 1 : 1234));
    const all = bytes.map((n) => Math.round(n * scale));
    const device = gpu ? 1 : 0;
    rows.push({
      ...{ name, shape, dtype: shape ? "float32" : "", device },
      ...{ category, module, line, counts, bytes: all },
    });
  };
  LAYERS.forEach((path, i) => {
    const n = 40_000 * (i + 1);
    const held = [n, n, n, n, n, n];
    add(`${path}.weight`, [0, i, 1], held, [100, 100 * (i + 1)]);
    add(`gradient of ${path}.weight`, [1, i, 2], [n, n, 0, n, n, n], [100, 100]);
    add(`exp_avg of ${path}.weight`, [3, i, 1], held, [100, 100 * (i + 1)]);
    add("relu", [2, i, 0], [0, 3 * n, 0, 0, 0, 2 * n], [32, 300]);
    add("", [2, i, 0], [n / 8, n / 2, n / 9, n / 9, n / 8, n / 4], null);
  });
  add("input", [4, 4, 1], [25_600, 25_600, 25_600, 25_600, 25_600, 25_600], [64, 100]);
  add("losses = add", [2, 4, 3], [900_000, 0, 0, 60_000, 90_000, 0], [15_000]);
  const kind = gpu ? "simulated GPU" : "tensors on the CPU";
  const cpu = { name: "cpu", kind: "tensors on the CPU", limit: null, reserved: null };
  const cuda = { name: "cuda:0", kind, limit: 2 ** 24, reserved: 2 ** 22 };
  const steps = ["end of step 0", "end of step 4", "end of step 5"];
  return {
    ...{ v: 1, rev: 3, step: 5, dropped: 0, shown: gpu ? 1 : 0 },
    devices: gpu ? [cpu, cuda] : [cpu],
    categories: ["parameter", "gradient", "activation", "optimizer", "other"],
    moments: [
      { kind: "now", name: "now" },
      { kind: "peak", name: "peak" },
      ...steps.map((name) => ({ kind: "step", name })),
      { kind: "mark", name: "epoch 1" },
    ],
    modules: [
      ...LAYERS.map((path) => ({ model: "Net", path })),
      { model: "outside modules", path: "" },
    ],
    lines: [
      { file: FILE, line: 12, func: "f", text: "y = model(x)" },
      { file: "", line: 0, func: "", text: "made by no recorded operation" },
      { file: "", line: 0, func: "", text: "made in the backward pass" },
      { file: FILE, line: 15, func: "f", text: "losses = losses + loss" },
    ],
    rows,
  };
}
