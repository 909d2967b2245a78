/** RunMonitor: progress, charts with runs laid over each other, alerts. */
import { afterEach, expect, test, vi } from "vitest";
import widgets from "../src/index";
import { arrange, nearest, xOf } from "../src/run_charts";
import {
  beyondText,
  placeOf,
  progressText,
  runTitle,
  scaleOf,
  sideOf,
  timeText,
} from "../src/run_scale";
import type { RunData, RunSeries, RunValue } from "../src/run_types";
import { FakeModel } from "./fake_model";
import { HOSTILE } from "./graph_samples";

function series(name: string, values: RunValue[], stride = 1): RunSeries {
  const steps = values.map((_, i) => i * stride);
  return { name, steps, values, stride, last: values[values.length - 1] };
}

function run(n = 20): RunData {
  const falling = (by: number) => Array.from({ length: n }, (_, i) => 2 / (1 + by * i));
  return {
    v: 1,
    rev: 3,
    run: { id: 3, name: "lenet", settings: [["lr", "0.1"]] },
    state: "running",
    step: n,
    done: n,
    total: 40,
    passes: 2,
    elapsed: 75,
    left: 12.4,
    rate: 640,
    unit: "samples/s",
    series: [series("loss", falling(1)), series("lr", [0.1, 0.05], 10)],
    others: [
      {
        id: 2,
        name: "lenet",
        settings: [["lr", "0.01"]],
        series: [series("loss", falling(0.2)), series("accuracy", [0.5])],
      },
    ],
    alerts: [
      { step: 4, metric: "loss", kind: "rising", rule: "loss 9 > 10 x its best 0.5" },
    ],
    rules: ["a value is nan or infinite"],
    remarks: ["the run is not saved: disk full"],
  };
}

const FALLING = [2, 1.5, 1.2, 1, 0.9];
/** The values of one metric in several runs. */
const SCALES: RunValue[][][] = [
  [],
  [[2]],
  [[0]],
  [[-3, 5, "nan"]],
  [[0.001, 1]],
  [[1, 100]],
  [[0, 1e6]],
  [[100, 50, 5, 1, 0.001]],
  [FALLING, [2, 5, 40, 1e9, "inf", "nan"]],
  [FALLING, [1e9, 1e9]],
  [FALLING, [2, -8, -1e9]],
  [FALLING, [2, 2, 60]],
  [FALLING, FALLING, FALLING, [2, 1e5], [2, 1e7, "inf"]],
  [Array.from({ length: 40 }, (_, i) => (i === 30 ? 1e12 : 1 + 1 / (1 + i)))],
  [
    [0.001, 0.001],
    [0.001, 0.9],
  ],
  [
    [1000, 1100],
    [90000, 99000],
  ],
  [Array(40).fill(0), [...Array(39).fill(0), 500]],
];

let dispose = () => {};

function show(data: unknown, traits: Record<string, unknown> = {}) {
  const model = new FakeModel({ view: "run", data, status: "", ...traits });
  const el = document.createElement("div");
  document.body.append(el);
  dispose = widgets.render({ model, el });
  const root = el.querySelector(".edutorch-run") as HTMLElement;
  const press = (key: string) =>
    root
      .querySelector(".edt-chart")
      ?.dispatchEvent(new KeyboardEvent("keydown", { key }));
  const readout = () => root.querySelector('[data-testid="readout"]')?.textContent;
  return { model, root, press, readout };
}

const frame = () => new Promise((done) => requestAnimationFrame(() => done(null)));

afterEach(() => {
  dispose();
  dispose = () => {};
  document.body.replaceChildren();
});

test("charts_share_one_axis_that_begins_with_step_0", () => {
  const late = { ...series("accuracy", [0.5, 0.9]), steps: [10, 20] };
  const lines = [series("loss", run().series[0].values), late].map((s) => ({
    name: s.name,
    lines: [{ run: 0, series: s }],
  }));
  const { charts } = arrange(lines, 700);
  expect(charts.map(({ first, last }) => [first, last])).toEqual([
    [0, 20],
    [0, 20],
  ]);
  const { plot } = charts[1];
  expect((xOf(charts[1], 10) - plot.left) / plot.width).toBeCloseTo(10 / 20);
});

test("charts_on_the_full_screen_share_its_height", () => {
  const lines = ["a", "b", "c"].map((name) => ({
    name,
    lines: [{ run: 0, series: series(name, [1, 2]) }],
  }));
  const { charts, height } = arrange(lines, 700, (rows) => 600 / rows);
  expect(charts.map(({ plot }) => plot.height)).toEqual([300, 300, 300]);
  expect(height).toBeGreaterThan(600);
});

test("run_scales_and_texts_agree_with_python", async () => {
  const scales = SCALES.map((lines) => {
    const scale = scaleOf(lines);
    const values = [scale.low + (scale.high - scale.low) / 3, 1e9, -1e9];
    const places = values.map((v) => ({
      value: v,
      place: placeOf(scale, v),
      side: sideOf(scale, v),
    }));
    return { lines, ...scale, places, beyond: beyondText("loss", lines) };
  });
  const times = [
    null,
    0,
    4e-5,
    0.009,
    0.25,
    0.94,
    0.95,
    9.94,
    9.96,
    59.4,
    59.6,
    60,
    3599.7,
    3725,
  ].map((seconds) => ({
    seconds,
    text: timeText(seconds),
  }));
  const open = { ...run(), total: null, left: null, rate: null, passes: 1 };
  const runs = [run(), open, { ...run(), rate: "inf" }].map((data) => ({
    data,
    title: runTitle(data.run),
    progress: progressText(data),
  }));
  const text = `${JSON.stringify({ scales, times, runs }, null, 1)}\n`;
  await expect(text).toMatchFileSnapshot("fixtures/run/scales.json");
});

test("each_metric_is_a_chart_with_a_line_for_each_run", () => {
  const { root } = show(run());
  const lines = [...root.querySelectorAll("path.edt-series")];
  expect(lines.map((p) => p.getAttribute("data-run"))).toEqual(["1", "0", "0", "1"]);
  expect(root.querySelector(".edt-info")?.textContent).toBe(
    "Run 3, lenet, lr=0.1 · 20 steps",
  );
  for (const text of ["loss", "lr", "accuracy", "1 of 10 kept"])
    expect(root.querySelector(".edt-chart")?.textContent).toContain(text);
});

test("progress_is_told_to_everybody", () => {
  const { root } = show(run());
  const bar = root.querySelector('[role="progressbar"]') as HTMLElement;
  expect(bar.getAttribute("aria-valuenow")).toBe("20");
  expect(bar.getAttribute("aria-valuetext")).toBe(
    "running: pass 2, 20 of 40, 1:15 min, 12 s left, 640 samples/s",
  );
  expect((bar.firstElementChild as HTMLElement).style.width).toBe("50%");
  const fact = (name: string) =>
    root.querySelector(`[data-fact="${name}"]`)?.textContent;
  expect([fact("time left"), fact("pass")]).toEqual(["12 s", "2"]);
});

test("progress_of_unknown_length_has_no_bar", () => {
  const { root } = show({ ...run(), total: null, left: null });
  expect(root.querySelector<HTMLElement>('[role="progressbar"]')?.hidden).toBe(true);
  expect(root.querySelector('[data-fact="batches"]')?.textContent).toBe("20");
});

test("metrics_are_read_by_keyboard", () => {
  const { press, readout } = show(run());
  press("End");
  expect(readout()).toBe(
    "step 19 · loss · Run 3, lenet, lr=0.1: 0.1 · Run 2, lenet, lr=0.01: 0.417",
  );
  press("ArrowLeft");
  expect(readout()).toContain("step 18 · loss");
  press("ArrowDown");
  expect(readout()).toBe("step 18 · lr · Run 3, lenet, lr=0.1: 0.05 (step 10)");
  press("Home");
  expect(readout()).toContain("step 0 · lr");
  press("Escape");
  expect(readout()).toContain("Hover over a line");
});

test("alerts_state_their_rule_and_remarks_are_shown", () => {
  const { root } = show(run());
  expect(root.querySelector('li[data-mark="rising"]')?.textContent).toBe(
    "▲ rising · loss · step 4 · loss 9 > 10 x its best 0.5",
  );
  expect(root.textContent).toContain("the run is not saved: disk full");
  expect(root.querySelector("details")?.textContent).toContain("nan or infinite");
});

test("runs_are_hidden_and_shown_by_their_button", () => {
  const { root } = show(run());
  const count = () => root.querySelectorAll('path.edt-series[data-run="1"]').length;
  const other = () =>
    root.querySelector<HTMLElement>('button[data-run="1"]') as HTMLElement;
  expect(count()).toBe(2);
  other().click();
  expect([count(), other().getAttribute("aria-pressed")]).toEqual([0, "false"]);
  other().click();
  expect([count(), other().getAttribute("aria-pressed")]).toEqual([2, "true"]);
});

test("values_that_are_no_numbers_are_crosses_and_break_the_line", () => {
  const data = { ...run(), series: [series("loss", [1, "nan", 2, 1])], others: [] };
  const { root } = show(data);
  const path = root.querySelector("path.edt-series")?.getAttribute("d") ?? "";
  expect(path.match(/M/g)).toHaveLength(2);
  expect(path).toMatch(/^M[\d.,]+h-2h4M/); // a number alone is a dot
  expect(root.querySelectorAll("text.edt-mark")).toHaveLength(1);
});

test("run_that_diverges_leaves_the_others_their_height", () => {
  const data = run();
  data.series = [series("loss", [2, 20, 1e4, 1e9, 1e9, "inf"])];
  const { root } = show(data);
  const heights = (run: number) => {
    const line = root.querySelector(`path.edt-series[data-run="${run}"]`);
    return [...(line?.getAttribute("d") ?? "").matchAll(/[ML][\d.]+,([\d.]+)/g)].map(
      ([, y]) => Number(y),
    );
  };
  const other = heights(1);
  expect(Math.max(...other) - Math.min(...other)).toBeGreaterThan(60);
  expect(heights(0).slice(2)).toEqual([30, 30, 30]);
  const arrows = [...root.querySelectorAll("path.edt-beyond")];
  expect(arrows).toHaveLength(4);
  expect(new Set(arrows.map((a) => a.getAttribute("fill"))).size).toBe(1);
  const told = root.querySelector('[aria-label="Values beyond the axes"]');
  expect(told?.textContent).toBe("4 values of loss are above the axis (2)");
  root.querySelector<HTMLElement>('button[data-run="0"]')?.click();
  expect((told as HTMLElement).hidden).toBe(true);
});

test("run_follows_new_data_and_leaves_no_listener", async () => {
  const { root, model, press, readout } = show({});
  expect(root.querySelector<HTMLElement>(".edt-empty")?.hidden).toBe(false);
  press("ArrowLeft");
  model.set("data", run());
  await frame();
  expect(root.querySelector<HTMLElement>(".edt-empty")?.hidden).toBe(true);
  press("End");
  expect(readout()).toContain("step 19");
  dispose();
  expect(model.listening).toBe(0);
});

test("hostile_names_of_runs_are_shown_as_text", () => {
  const data = run();
  data.run.name = HOSTILE[0];
  data.series = HOSTILE.map((name) => series(name, [1, 2]));
  data.remarks = HOSTILE;
  const { root } = show(data);
  expect(root.querySelectorAll("img, script, a, iframe")).toHaveLength(0);
  expect(root.textContent).toContain(HOSTILE[0]);
});

test("charts_of_a_narrow_run_fit_their_place", () => {
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(398);
  const { root } = show(run());
  const picture = root.querySelector(".edt-chart svg");
  expect(Number(picture?.getAttribute("width"))).toBe(378);
  vi.restoreAllMocks();
});

test("nearest_sample_of_a_step_is_found", () => {
  const s = series("x", [1, 2, 3], 10);
  expect([-1, 0, 4, 5, 6, 15, 20, 99].map((step) => nearest(s, step))).toEqual([
    0, 0, 0, 0, 1, 1, 2, 2,
  ]);
});
