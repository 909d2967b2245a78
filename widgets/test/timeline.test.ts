/** Timeline. */
import { afterEach, expect, test } from "vitest";
import widgets from "../src/index";
import { Bars } from "../src/timeline_bars";
import { rowTops } from "../src/timeline_canvas";
import { barText, gapText, notes, stepText } from "../src/timeline_text";
import { type Mode, totals } from "../src/timeline_totals";
import { FakeModel } from "./fake_model";
import { HOSTILE } from "./graph_samples";
import { many, nested, timeline, training } from "./timeline_samples";

const MODES: Mode[] = ["op", "module", "line"];
let dispose = () => {};

function show(data: unknown) {
  const model = new FakeModel({ view: "timeline", data, frozen: false, status: "" });
  const el = document.createElement("div");
  document.body.append(el);
  dispose = widgets.render({ model, el });
  const root = el.querySelector(".edutorch-timeline") as HTMLElement;
  const stage = root.querySelector(".edt-bars") as HTMLElement;
  const press = (key: string, shiftKey = false) =>
    stage.dispatchEvent(new KeyboardEvent("keydown", { key, shiftKey, bubbles: true }));
  const read = () => root.querySelector(".edt-readout")?.textContent ?? "";
  const shown = () => stage.getAttribute("aria-label") ?? "";
  const rows = () =>
    [...root.querySelectorAll("tbody tr")].map((row) =>
      [...row.children].map((cell) => cell.textContent),
    );
  return { model, root, stage, press, read, shown, rows };
}

/** The next frame, in which things are painted. */
const frame = () => new Promise((done) => setTimeout(done, 40));

afterEach(() => {
  dispose();
  dispose = () => {};
  document.body.replaceChildren();
});

test("sums_agree_with_python", async () => {
  const cases = [training(), nested()].map((data) => ({
    data,
    sums: MODES.flatMap((mode) =>
      [
        [0, data.total],
        [data.total * 0.1, data.total * 0.55],
      ].map(([low, high]) => {
        const rows = totals(data, mode, low, high);
        return [mode, low, high, rows.map((r) => [r.name, r.count, r.own, r.total])];
      }),
    ),
  }));
  const text = `${JSON.stringify(cases, null, 1)}\n`;
  await expect(text).toMatchFileSnapshot("fixtures/timeline/totals.json");
});

test("own_times_add_up_in_every_window", () => {
  const data = training();
  for (const mode of MODES)
    for (const [low, high] of [
      [0, 160_000],
      [20_000, 70_000],
      [99_000, 101_000],
    ]) {
      const rows = totals(data, mode, low, high);
      expect(rows.reduce((sum, r) => sum + r.own, 0)).toBe(high - low);
    }
});

test("view_opens_at_the_last_whole_step", async () => {
  const { shown, rows } = show(training());
  await frame();
  expect(shown()).toContain("13 bars, step 0, 100 µs shown");
  expect(rows()[0]).toEqual(["outside operations", "49 µs", "49%", "49 µs", ""]);
  expect(rows()[1].slice(0, 3)).toEqual(["SGD.step", "15 µs", "15%"]);
});

test("arrows_go_along_bars_and_into_them", () => {
  const { press, read } = show(training());
  press("ArrowRight");
  expect(read()).toContain("step 0 · training step · 100 µs");
  press("ArrowDown");
  expect(read()).toContain("Sequential · module · 30 µs · 30% of step 0");
  press("ArrowRight");
  expect(read()).toContain("mean · operation · 2 µs");
  expect(read()).toContain("me/train.py:14");
  press("ArrowLeft");
  press("ArrowDown");
  press("ArrowDown");
  expect(read()).toContain("linear · operation · 15 µs");
  expect(read()).toContain("in 0: Linear");
  expect(read()).toContain("2 calls, 24 µs in total");
  expect(read()).toContain("backward: AddmmBackward0, 12 µs");
  press("l");
  expect(read()).toContain("AddmmBackward0 · backward of an operation");
  expect(read()).toContain("for linear, 15 µs");
  press("l");
  expect(read()).toContain("linear · operation");
  press("ArrowUp");
  expect(read()).toContain("0: Linear · module");
  expect(read()).toContain("5 µs self time");
  press("Escape");
  expect(read()).toContain("Arrow keys");
});

test("enter_zooms_down_to_one_op_and_0_shows_all", async () => {
  const { press, shown, rows } = show(training());
  for (const key of ["ArrowRight", "ArrowDown", "ArrowDown", "ArrowDown", "Enter"])
    press(key);
  await frame();
  expect(shown()).toContain("part of step 0, 16.5 µs shown");
  expect(rows()[0].slice(0, 3)).toEqual(["linear", "15 µs", "91%"]);
  press("0");
  await frame();
  expect(shown()).toContain("all, 160 µs shown");
  press("+");
  await frame();
  expect(shown()).toContain("selection of 107 µs");
  press("s");
  await frame();
  expect(shown()).toContain("step 0, 100 µs shown");
});

test("new_data_leave_a_chosen_window_and_the_selected_bar", async () => {
  const { press, shown, read, model } = show(training());
  for (const key of ["ArrowRight", "ArrowDown", "Enter"]) press(key);
  await frame();
  const before = shown();
  const later = training();
  later.origin -= 40_000; // an older beginning
  later.bars.start = later.bars.start.map((ns) => ns + 40_000);
  later.total += 40_000;
  model.set("data", later);
  await new Promise((done) => setTimeout(done, 200));
  await frame();
  expect(shown()).toBe(before);
  expect(read()).toContain("Sequential · module");
  press("ArrowDown");
  expect(read()).toContain("0: Linear");
});

test("search_finds_bars_and_goes_from_one_to_the_next", () => {
  const { root, read } = show(training());
  const search = root.querySelector("input") as HTMLInputElement;
  search.value = "LINEAR";
  search.dispatchEvent(new Event("input"));
  expect(root.querySelector(".edt-find")?.textContent).toContain("3 found");
  const next = () =>
    search.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" }));
  const seen = [1, 2, 3, 4].map(() => {
    next();
    return read().split(" · ")[0];
  });
  expect(seen).toEqual(["0: Linear", "linear", "linear", "0: Linear"]);
  expect(root.querySelector(".edt-find")?.textContent).toContain("1 of 3");
});

test("table_by_module_and_line_counts_backward_with_its_op", () => {
  const { root, press, rows } = show(training());
  press("0");
  const choose = (mode: string) =>
    (root.querySelector(`[data-mode="${mode}"]`) as HTMLElement).click();
  choose("module");
  const linear = rows().find((row) => row[0] === "0: Linear");
  expect(linear?.slice(1)).toEqual(["35 µs", "22%", "35 µs", "1"]);
  choose("line");
  const line = rows().find((row) => row[0] === "me/train.py:12");
  expect(line?.slice(1)).toEqual(["36 µs", "23%", "36 µs", "2"]);
  const pressed = root
    .querySelector('[data-mode="line"]')
    ?.getAttribute("aria-pressed");
  expect(pressed).toBe("true");
});

test("row_of_the_table_finds_its_bars", () => {
  const { root, read } = show(training());
  const names = [...root.querySelectorAll<HTMLElement>("[data-find]")];
  names.find((name) => name.textContent === "SGD.step")?.click();
  expect(read()).toContain("SGD.step · optimizer · 15 µs");
});

test("place_between_bars_is_a_gap_outside_operations", () => {
  const bars = new Bars(training());
  const gap = bars.at(1, 42_000, 0);
  expect(gap).toMatchObject({ parent: 0, before: 4, after: 5 });
  if (gap === null || typeof gap === "number") throw new Error("no gap");
  expect(gapText(bars, gap)).toBe(
    "outside operations · 5 µs · between mean and backward · in step 0",
  );
  expect(bars.at(1, 37_900, 200)).toBe(4); // near a thin bar
  expect(bars.at(3, 12_000, 0)).toBe(3);
  expect(bars.at(9, 12_000, 0)).toBeNull();
});

test("threads_and_devices_have_lanes", () => {
  const bars = new Bars(nested());
  const lanes = bars.lanes.map(({ title, row, rows, bars: b }) => [
    title,
    row,
    rows,
    b,
  ]);
  expect(lanes).toEqual([
    ["main thread", 0, 5, [0, 1, 2, 3, 4, 5, 6, 7]],
    ["worker", 5, 1, [8]],
    ["cpu", 6, 1, [8]],
    ["cuda:0", 7, 1, [4, 6, 7]],
  ]);
  expect(rowTops(bars).tops).toHaveLength(8);
  expect(barText(bars, 6)).toContain("on cuda:0");
  expect(stepText(bars)).toBe("1 step");
  expect(stepText(new Bars(training()))).toBe("1 step and 1 unfinished");
  expect(notes(nested())).toBe("3 older steps dropped; pauses of 4 s omitted");
});

test("ten_thousand_bars_are_read_and_summed", () => {
  const { rows, press, read } = show(many(10_000));
  expect(rows()).toHaveLength(41);
  press("ArrowRight");
  press("ArrowDown");
  press("ArrowRight");
  expect(read()).toContain("op2 · operation");
});

test("nothing_recorded_says_so", () => {
  const { root } = show({});
  expect(root.querySelector(".edt-empty")?.textContent).toContain("Nothing recorded");
  expect(root.querySelector<HTMLElement>(".edt-bars")?.hidden).toBe(true);
});

test("hostile_names_stay_text", () => {
  const data = timeline([
    [0, "step 0", 0, 100, -1],
    [2, HOSTILE[0], 10, 50, 0],
  ]);
  const { root, press, read } = show(data);
  press("ArrowRight");
  press("ArrowDown");
  expect(read()).toContain(HOSTILE[0]);
  expect(root.querySelector("script, img")).toBeNull();
});

test("disposed_view_listens_to_nothing", () => {
  const { model } = show(training());
  dispose();
  dispose = () => {};
  expect(model.listening).toBe(0);
});
