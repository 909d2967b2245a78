/** Gradient and memory series as Python would send them. */
import type { GradientData } from "../src/gradient_types";
import type { MemoryData, MemoryStep } from "../src/memory_types";

export function gradients(steps: number): GradientData {
  const layers = [0, 3, 7, 9, 11].flatMap((i) => [`net.${i}.weight`, `net.${i}.bias`]);
  const data: GradientData = {
    v: 1,
    rev: 1,
    layers,
    steps: [],
    norms: [],
    marks: [],
    stride: 1,
  };
  for (let i = 0; i < steps; i++) {
    data.steps.push(i);
    const norms: (number | null)[] = layers.map((_, j) => {
      const wave = Math.sin(i / 9 + j) * 0.4 + Math.cos(i * 1.7 + j * 2.3) * 0.15;
      return 10 ** (-3.2 + j * 0.28 + wave - i / steps);
    });
    if (i > steps * 0.6) norms[0] = (norms[0] ?? 0) * 1e-5;
    if (i === Math.floor(steps / 2)) norms[3] = null;
    data.norms.push(norms);
  }
  for (let i = Math.ceil(steps * 0.6) + 1; i < steps; i += 4)
    data.marks.push({
      step: i,
      layer: layers[0],
      kind: "vanishing",
      rule: "norm 3.1e-09 < 1e-07",
    });
  const half = Math.floor(steps / 2);
  data.marks.push({
    step: half,
    layer: layers[3],
    kind: "nonfinite",
    rule: "12 values are nan",
  });
  data.marks.push({
    step: half - 1,
    layer: layers[9],
    kind: "exploding",
    rule: "norm 2.1e+04 > 1e+04",
  });
  return data;
}

export function memory(samples: number, gpu = false): MemoryData {
  const data: MemoryData = {
    v: 1,
    rev: 1,
    device: gpu ? "cuda:0" : "cpu",
    kind: gpu ? "simulated GPU" : "tensors on the CPU",
    categories: ["parameter", "gradient", "activation", "optimizer", "other"],
    t: [],
    bytes: [],
    marks: [],
    now: 0,
    peak: 0,
    limit: gpu ? 64 * 2 ** 20 : null,
    reserved: gpu ? 48 * 2 ** 20 : null,
    steps: [],
  };
  for (let i = 0; i < samples; i++) {
    const phase = i % 20;
    const [p, started] = [6.2e6, i > 20 ? 1 : 0];
    const activation = 2.4e6 * (10 - Math.abs(phase - 10));
    const gradient = (p * Math.max(0, phase - 10)) / 10;
    const row = [p, gradient, activation, 2 * p * started, 9e5 + 2e5 * (i % 3)];
    data.t.push(i * 14);
    data.bytes.push(row.map(Math.round));
    if (phase === 0) data.marks.push({ t: i * 14, name: `step ${i / 20}` });
    data.now = row.reduce((a, b) => a + Math.round(b), 0);
    data.peak = Math.max(data.peak, data.now);
  }
  return data;
}

/** One training step: activations grow, then gradients take their place. */
export function memoryStep(step: number, name: string): MemoryStep {
  const t = Array.from({ length: 30 }, (_, i) => i * 0.25);
  const rows = t.map((_, i) => {
    const gradient = i < 15 ? 0 : (i - 14) * 4e5;
    return [6.2e6, gradient, 1.6e6 * (15 - Math.abs(i - 15)), 12.4e6, 9e5];
  });
  const phases = [
    { t: 0.5, name: "forward" },
    { t: 3.75, name: "backward" },
    { t: 7, name: "update" },
  ];
  return { step, name, t, bytes: rows, phases, ms: 7.5 };
}
