/** GradientView and MemoryView. */
import { afterEach, expect, test, vi } from "vitest";
import { groupMarks } from "../src/gradient_alerts";
import { heat, rangeOf } from "../src/gradient_charts";
import widgets from "../src/index";
import { thin } from "../src/memory_chart";
import { FakeModel } from "./fake_model";
import { gradients, memory, memoryStep } from "./gradient_memory_samples";
import { HOSTILE } from "./graph_samples";

let dispose = () => {};

function show(view: string, data: unknown, traits: Record<string, unknown> = {}) {
  const model = new FakeModel({ view, data, frozen: false, status: "", ...traits });
  const el = document.createElement("div");
  document.body.append(el);
  dispose = widgets.render({ model, el });
  const root = el.querySelector(`.edutorch-${view}`) as HTMLElement;
  const press = (key: string) =>
    root
      .querySelector(".edt-chart")
      ?.dispatchEvent(new KeyboardEvent("keydown", { key }));
  const readout = () => root.querySelector('[data-testid="readout"]')?.textContent;
  return { model, el, root, press, readout };
}

const frame = () => new Promise((done) => requestAnimationFrame(() => done(null)));

afterEach(() => {
  dispose();
  dispose = () => {};
  document.body.replaceChildren();
});

test("gradients_are_a_cell_for_each_layer_and_step", () => {
  const { root } = show("gradient", gradients(20));
  expect(root.querySelectorAll(".edt-cell")).toHaveLength(10 * 20);
  expect(root.querySelectorAll(".edt-broken")).toHaveLength(1);
  expect(root.textContent).toContain("net.11.bias");
  expect(root.dataset.rendered).toBe("1");
});

test("gradient_marks_have_a_sign_and_words", () => {
  const { root } = show("gradient", gradients(20));
  const kinds = [...root.querySelectorAll(".edt-marks li")].map((li) => li.textContent);
  expect(kinds).toHaveLength(3);
  expect(kinds[2]).toContain("▼ vanishing · net.0.weight · 2 steps from 13 to 17");
  expect(kinds[2]).toContain("norm 3.1e-09 < 1e-07");
  expect(root.querySelectorAll('text[data-mark="exploding"]')).toHaveLength(1);
});

test("gradient_cells_are_read_by_keyboard", () => {
  const { press, readout } = show("gradient", gradients(20));
  press("End");
  expect(readout()).toContain("step 19 · net.0.weight · norm");
  press("ArrowDown");
  expect(readout()).toContain("net.0.bias");
  press("Home");
  expect(readout()).toContain("step 0");
  press("Escape");
  expect(readout()).toContain("Hover over a cell");
});

test("gradient_lines_are_one_path_for_each_layer", () => {
  const { root } = show("gradient", gradients(20));
  const lines = [...root.querySelectorAll("button")].find(
    (b) => b.textContent === "Lines",
  );
  lines?.click();
  expect(root.querySelectorAll(".edt-series")).toHaveLength(10);
  const styles = [...root.querySelectorAll(".edt-series")].map(
    (p) => `${p.getAttribute("stroke")} ${p.getAttribute("stroke-dasharray")}`,
  );
  expect(new Set(styles).size).toBe(10);
});

test("gradient_axis_says_that_steps_are_missing", () => {
  const data = { ...gradients(3), steps: [0, 1, 7] };
  const pace = "3 of 8 steps were watched";
  const { root } = show("gradient", { ...data, pace });
  expect(root.textContent).toContain("training step (only those that were watched)");
  expect(root.querySelector(".edt-info")?.textContent).toBe("10 parameters · 3 steps");
  expect(root.querySelector(".edt-pace")?.textContent).toBe(pace);
});

test("gradient_range_spans_whole_powers_of_ten", () => {
  const data = { ...gradients(1), norms: [[2e-4, 0, null, 30]] };
  expect(rangeOf(data)).toEqual({ low: -4, high: 2 });
  expect(rangeOf({ ...data, norms: [] })).toEqual({ low: -2, high: 0 });
  expect(heat(1e-9, { low: -4, high: 2 })).toBe("rgb(8,29,88)");
  expect(heat(1e9, { low: -4, high: 2 })).toBe("rgb(255,236,90)");
});

test("groupMarks_tells_a_long_run_once", () => {
  const mark = { layer: "a", kind: "exploding" as const, rule: "r" };
  const groups = groupMarks([3, 4, 9].map((step) => ({ ...mark, step })));
  expect(groups.map((g) => g.when)).toEqual(["3 steps from 3 to 9"]);
});

test("many_steps_are_drawn_with_a_bounded_number_of_elements", () => {
  const { root } = show("gradient", gradients(5000));
  expect(root.querySelectorAll("*").length).toBeLessThan(8000);
});

test("memory_is_an_area_for_each_category_with_its_own_pattern", () => {
  const { root } = show("memory", memory(60));
  const areas = [...root.querySelectorAll("path[data-category]")];
  expect(areas.map((a) => a.getAttribute("data-category"))).toEqual(
    memory(1).categories,
  );
  expect(new Set(areas.map((a) => a.getAttribute("fill"))).size).toBe(5);
  const strokes = [...root.querySelectorAll("pattern path")].map((p) =>
    p.getAttribute("d"),
  );
  expect(new Set(strokes).size).toBe(5);
  expect(root.querySelector(".edt-keys")?.textContent).toContain("optimizer 11.8 MB");
});

test("memory_says_which_kind_and_how_much", () => {
  const data = { ...memory(60, true), steps: [memoryStep(9, "latest and peak")] };
  const { root } = show("memory", data, { frozen: true });
  const fact = (name: string) =>
    root.querySelector(`[data-fact="${name}"]`)?.textContent;
  expect(root.querySelector(".edt-info")?.textContent).toBe("simulated GPU · cuda:0");
  expect(fact("limit")).toBe("64.0 MB");
  expect(fact("peak")).toBe("41.9 MB");
  expect(root.querySelector(".edt-frozen")?.textContent).toBe("recorded at step 9");
});

test("memory_is_read_by_keyboard", () => {
  const { press, readout } = show("memory", memory(60));
  press("End");
  expect(readout()).toContain("826 ms · step 2 · total");
  press("ArrowLeft");
  expect(readout()).toContain("812 ms");
});

test("thin_keeps_the_highest_of_neighbours_and_the_last", () => {
  const totals = Array.from({ length: 5000 }, (_, i) => (i === 777 ? 99 : 1));
  const kept = thin(totals);
  expect(kept.length).toBeLessThanOrEqual(601);
  expect(kept).toContain(777);
  expect(kept[kept.length - 1]).toBe(4999);
});

test("series_follow_new_data", async () => {
  for (const [view, make] of [
    ["gradient", gradients],
    ["memory", memory],
  ] as const) {
    const { root, model } = show(view, {});
    expect(root.querySelector(".edt-empty")?.hasAttribute("hidden")).toBe(false);
    model.set("data", { ...make(30), rev: 7 });
    await frame();
    expect([root.dataset.rendered, root.dataset.rev]).toEqual(["2", "7"]);
    expect(root.querySelector(".edt-empty")?.hasAttribute("hidden")).toBe(true);
    dispose();
    expect(model.listening).toBe(0);
  }
});

test("hostile_names_in_series_are_shown_as_text", () => {
  const data = gradients(10);
  data.layers = HOSTILE;
  data.marks = HOSTILE.map((layer) => ({
    step: 3,
    layer,
    kind: "exploding",
    rule: layer,
  }));
  const { root } = show("gradient", data);
  const bytes = memory(10);
  bytes.categories = [...HOSTILE, "x"];
  bytes.kind = HOSTILE[0];
  const other = show("memory", bytes).root;
  for (const page of [root, other]) {
    expect(page.querySelectorAll("img, script, a, iframe")).toHaveLength(0);
    expect(page.textContent).toContain(HOSTILE[0]);
  }
});

test("a_training_step_is_drawn_in_full_with_its_phases", () => {
  const steps = [memoryStep(3, "peak"), memoryStep(9, "latest")];
  const { root: el } = show("memory", { ...memory(60), steps });
  const title = () => el.querySelector("[data-testid=step-title]")?.textContent;
  expect(title()).toBe("Step 3 (peak): at most 41.9 MB, after 3.75 ms in backward");
  const charts = el.querySelectorAll(".edt-chart");
  expect(charts.length).toBe(2);
  expect(charts[1].textContent).toContain("forward");
  const last = el.querySelector<HTMLElement>("[title='Show the latest training step']");
  last?.click();
  expect(title()).toMatch(/^Step 9 \(latest\)/);
  expect(last?.getAttribute("aria-pressed")).toBe("true");
  charts[1].dispatchEvent(new KeyboardEvent("keydown", { key: "Home" }));
  charts[1].dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight" }));
  const read = el.querySelector("[data-testid=readout]")?.textContent;
  expect(read).toContain("0.25 ms · total");
});

test("a_training_step_marks_its_peak", () => {
  const { root } = show("memory", {
    ...memory(60),
    steps: [memoryStep(3, "latest")],
  });
  expect(root.querySelectorAll("[data-peak]")).toHaveLength(1);
});

test("ends_of_steps_are_strokes_and_other_marks_have_their_name", () => {
  const marks = [
    { t: 70, name: "step 0" },
    { t: 140, name: "step 1" },
    { t: 150, name: "out of memory: +4.00 MiB" },
  ];
  const { root } = show("memory", { ...memory(60), marks });
  const chart = root.querySelector(".edt-chart svg") as SVGElement;
  const written = [...chart.querySelectorAll("text")].map((t) => t.textContent);
  expect(written).toContain("out of memory: +4.00 MiB");
  expect(written).not.toContain("step 0");
  expect(root.querySelector(".edt-keys")?.textContent).toContain(
    "end of a training step",
  );
});

test("charts_are_as_narrow_as_their_place_and_names_leave_room_for_cells", () => {
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(298);
  const data = gradients(20);
  data.layers[0] = "encoder.layers.0.self_attention.in_proj_weight";
  const { root } = show("gradient", data);
  const width = (el: Element | null) => Number(el?.getAttribute("width"));
  expect(width(root.querySelector(".edt-chart svg"))).toBe(278);
  expect(width(root.querySelector(".edt-backdrop"))).toBeGreaterThan(120);
  const name = root.querySelector(".edt-chart .edt-ink")?.firstChild?.textContent;
  expect(name).toMatch(/^….*in_proj_weight$/);
  const memoryRoot = show("memory", memory(60)).root;
  expect(width(memoryRoot.querySelector(".edt-chart svg"))).toBe(278);
  vi.restoreAllMocks();
});

test("many_alerts_are_a_few_until_all_are_asked_for", () => {
  const data = gradients(20);
  data.marks = data.layers.map((layer) => ({
    step: 3,
    layer,
    kind: "vanishing",
    rule: "norm 1e-09 < 1e-07",
  }));
  const { root } = show("gradient", data);
  const entries = () => root.querySelectorAll(".edt-marks li[data-mark]").length;
  const more = () => root.querySelector<HTMLElement>(".edt-marks button");
  expect([entries(), more()?.textContent]).toEqual([4, "Show all 10 alerts"]);
  more()?.click();
  expect([entries(), more()?.getAttribute("aria-expanded")]).toEqual([10, "true"]);
  more()?.click();
  expect(entries()).toBe(4);
});

test("cells_after_a_nan_are_told_from_those_without_a_gradient", () => {
  const data = gradients(20);
  data.marks = [{ step: 8, layer: data.layers[0], kind: "nonfinite", rule: "nan" }];
  for (let i = 8; i < 12; i++) data.norms[i][0] = null;
  data.norms[15][0] = null;
  const { root, press, readout } = show("gradient", data);
  expect(root.querySelectorAll(".edt-broken")).toHaveLength(4);
  press("Home");
  for (let i = 0; i < 9; i++) press("ArrowRight");
  expect(readout()).toBe("step 9 · net.0.weight · nan or inf");
  for (let i = 9; i < 15; i++) press("ArrowRight");
  expect(readout()).toBe("step 15 · net.0.weight · no gradient");
});

test("a_view_that_lost_its_kernel_says_so_until_data_come", async () => {
  const { root, model } = show("memory", memory(20));
  const said = () => root.querySelector(".edt-alert")?.textContent;
  model.emit("comm_live_update");
  expect(said()).toContain("No longer connected");
  model.set("data", { ...memory(30), rev: 2 });
  await frame();
  expect(said()).toBe("");
});

test("what_was_marked_after_the_last_sample_is_in_the_chart", () => {
  const data = memory(60);
  const last = data.t[data.t.length - 1];
  data.marks = [{ t: last + 400, name: "out of memory: +4.00 MiB" }];
  const { root } = show("memory", data);
  const line = root.querySelector(".edt-chart line.edt-level") as SVGElement;
  const width = Number(root.querySelector(".edt-chart svg")?.getAttribute("width"));
  expect(Number(line.getAttribute("x1"))).toBe(width - 16);
});
