/** TensorCard. */

import { afterEach, expect, test } from "vitest";
import widgets from "../src/index";
import { cellsOfView } from "../src/memory_cells";
import { brief } from "../src/tensor_panel";
import { montage, tiling } from "../src/tensor_tiles";
import { valueColour } from "../src/value_colours";
import { FakeModel } from "./fake_model";
import { HOSTILE } from "./graph_samples";
import { counting, tensor } from "./tensor_samples";

let dispose = () => {};

function show(data: unknown) {
  const model = new FakeModel({
    view: "tensor",
    data,
    at: 0,
    frozen: false,
    status: "",
  });
  const el = document.createElement("div");
  document.body.append(el);
  dispose = widgets.render({ model, el });
  const root = el.querySelector(".edutorch-tensor") as HTMLElement;
  const press = (key: string) =>
    root
      .querySelector(".edt-cells:not(.edt-tiles)")
      ?.dispatchEvent(new KeyboardEvent("keydown", { key }));
  const readout = () => root.querySelector(".edt-readout")?.textContent;
  const texts = (css: string) =>
    [...root.querySelectorAll(css)].map((element) => element.textContent);
  return { model, root, press, readout, texts };
}

const frame = () => new Promise((done) => requestAnimationFrame(() => done(null)));

afterEach(() => {
  dispose();
  dispose = () => {};
  document.body.replaceChildren();
});

test("card_says_what_the_tensor_is", () => {
  const { root, texts } = show(tensor([2, 3]));
  expect(texts(".edt-info")).toEqual(["w: 2×3 float32 on cpu, requires grad, 24 B"]);
  expect(texts(".edt-cells text")).toEqual(["0", "1", "2", "3", "4", "5"]);
  const panels = [...root.querySelectorAll<HTMLElement>(".edt-panel")];
  expect(panels.map((panel) => panel.hidden)).toEqual([false, true]);
});

test("gradient_stands_beside_the_value", () => {
  const { root } = show(tensor([2, 3], { grad: counting([2, 3]) }));
  const panels = [...root.querySelectorAll<HTMLElement>(".edt-panel")];
  expect(panels.map((panel) => panel.hidden)).toEqual([false, false]);
});

test("cells_are_read_by_keyboard_with_their_index", () => {
  const { press, readout } = show(tensor([2, 3]));
  press("ArrowDown");
  expect(readout()).toBe("[1, 0] = 3");
  press("End");
  expect(readout()).toBe("[1, 2] = 5");
  press("Escape");
  expect(readout()).toContain("arrow keys");
});

test("vector_has_one_index_and_a_scalar_none_needed", () => {
  const { press, readout } = show(tensor([4]));
  press("ArrowRight");
  expect(readout()).toBe("[1] = 1");
});

test("slider_moves_through_the_leading_dimension", () => {
  const { root, press, readout, model } = show(tensor([3, 2, 2]));
  const slider = root.querySelector(".edt-slicer input") as HTMLInputElement;
  slider.value = "2";
  slider.dispatchEvent(new Event("input"));
  press("Home");
  expect(readout()).toBe("[2, 0, 0] = 8");
  expect(model.get("at")).toBe(0);
});

test("slice_that_was_not_sent_is_asked_for", async () => {
  const data = tensor([3, 2, 2]);
  if (data.value) data.value.grid.values = [0, 1, 2, 3];
  const { root, readout, model, press } = show(data);
  const slider = root.querySelector(".edt-slicer input") as HTMLInputElement;
  slider.value = "2";
  slider.dispatchEvent(new Event("input"));
  expect(model.get("at")).toBe(2);
  expect(readout()).toContain("Loading this slice");
  const answer = tensor([3, 2, 2]);
  if (answer.value) {
    answer.value.grid.first = 2;
    answer.value.grid.values = [8, 9, 10, 11];
  }
  model.set("data", answer);
  await frame();
  press("Home");
  expect(readout()).toBe("[2, 0, 0] = 8");
});

test("larger_slice_says_what_it_leaves_out", () => {
  const data = tensor([2, 3]);
  if (data.value)
    Object.assign(data.value.grid, { rows: 200, columns: 300, steps: [100, 100] });
  const { press, readout } = show(data);
  expect(readout()).toBe("200×300, showing every 100th row, every 100th column.");
  press("ArrowDown");
  expect(readout()).toBe("[100, 0] = 3");
});

test("nan_and_infinity_are_counted_and_named", () => {
  const data = tensor([1, 2]);
  if (data.value) {
    data.value.grid.values = ["nan", "inf"];
    Object.assign(data.value.stats, { nan: 1, inf: 1, min: null });
  }
  const { press, readout, texts } = show(data);
  press("ArrowRight");
  expect(readout()).toBe("[0, 1] = inf");
  expect(texts(".edt-nonfinite")).toEqual(["1", "1"]);
});

test("every_view_of_the_storage_has_its_lit_cells", () => {
  const data = tensor([2, 3]);
  data.memory?.views.push({
    name: "c",
    shape: [2],
    strides: [3],
    offset: 1,
    itemsize: 4,
  });
  const { root } = show(data);
  const rows = [...root.querySelectorAll(".edt-memory-row")];
  const lit = rows.map((row) => row.querySelectorAll(".edt-seen").length);
  expect(lit).toEqual([6, 2]);
});

test("image_in_colour_is_read_in_all_channels", () => {
  const data = tensor([2, 3, 8, 8]);
  if (data.value) data.value.image = "rgb";
  const { root, press, readout } = show(data);
  press("ArrowRight");
  expect(readout()).toBe("[0, :, 0, 1] = 1, 65, 129");
  const sliders = [...root.querySelectorAll<HTMLElement>(".edt-slicer label")];
  expect(sliders.map((slider) => slider.hidden)).toEqual([false, true]);
  (root.querySelector(".edt-panel button") as HTMLElement).click();
  press("ArrowRight");
  expect(readout()).toBe("[0, 0, 0, 2] = 2");
});

test("tiles_pick_a_slice_by_keyboard", () => {
  const { root, readout } = show(tensor([6, 3, 3]));
  const tiles = root.querySelector(".edt-tiles") as HTMLElement;
  expect(tiles.hidden).toBe(false);
  tiles.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight" }));
  root
    .querySelectorAll(".edt-cells")[1]
    .dispatchEvent(new KeyboardEvent("keydown", { key: "Home" }));
  expect(readout()).toBe("[1, 0, 0] = 9");
  expect((root.querySelector(".edt-slicer input") as HTMLInputElement).value).toBe("1");
});

test("values_are_drawn_larger_on_the_full_screen", async () => {
  const { root, model } = show(tensor([12, 12, 12]));
  const canvases = [...root.querySelectorAll<HTMLElement>(".edt-panel canvas")];
  const width = () => canvases.slice(0, 2).map((c) => Number.parseFloat(c.style.width));
  const before = width();
  Object.defineProperty(root, "clientWidth", { value: 1440 });
  Object.defineProperty(root, "clientHeight", { value: 1208 });
  Object.defineProperty(document, "fullscreenElement", {
    value: root,
    configurable: true,
  });
  model.set("data", { ...tensor([12, 12, 12]), rev: 9 });
  await new Promise((done) => setTimeout(done, 200));
  Object.defineProperty(document, "fullscreenElement", { value: null });
  width().forEach((now, i) => {
    expect(now).toBeCloseTo(2 * before[i]);
  });
});

test("montage_puts_tiles_in_reading_order_with_lines_between", () => {
  const tiles = [1, 2, 3].map((k) => new Uint8ClampedArray(4 * 2 * 2).fill(k));
  const made = montage(tiles, { across: 2, down: 2, count: 3 }, 2, 2);
  expect([made.width, made.height]).toEqual([5, 5]);
  const row = (y: number) => [0, 1, 2, 3, 4].map((x) => made.pixels[4 * (y * 5 + x)]);
  expect(row(0)).toEqual([1, 1, 0, 2, 2]);
  expect(row(2)).toEqual([0, 0, 0, 0, 0]);
  expect(row(4)).toEqual([3, 3, 0, 0, 0]);
});

test("tiles_stand_in_rows_about_as_wide_as_the_card", () => {
  expect(tiling(16, 3, 3)).toEqual({ across: 5, down: 4, count: 16 });
  expect(tiling(2, 3, 300).across).toBe(1);
  expect(tiling(1e6, 3, 3).count).toBe(256);
});

test("tensor_without_values_says_so", () => {
  const { root } = show(tensor([2, 3], { value: null, memory: null, device: "meta" }));
  expect((root.querySelector(".edt-empty") as HTMLElement).hidden).toBe(false);
});

test("empty_and_broken_data_draw_nothing_and_do_not_fail", () => {
  for (const data of [{}, tensor([0]), tensor([2, 0, 3]), tensor([])]) {
    show(data);
    dispose();
  }
  dispose = () => {};
});

test("names_never_become_html", () => {
  const name = HOSTILE.join("\n");
  const made = { op: name, src: { file: name, line: 1, func: "f", text: name } };
  const { root } = show(tensor([1], { name, made, users: [made] }));
  expect(root.querySelectorAll("script, img")).toHaveLength(0);
  expect(root.textContent).toContain("<");
});

test("nothing_listens_after_disposal", () => {
  const { model } = show(tensor([2, 2, 2]));
  dispose();
  dispose = () => {};
  expect(model.listening).toBe(0);
});

test("colours_and_cells_agree_with_python", async () => {
  const values = [0, 0.3, -0.3, 1, -1, 7, "nan", "inf"];
  const colours = values.map((value) => ({ value, rgb: valueColour(value, 1) }));
  const views = [
    { shape: [2], strides: [3], offset: 1 },
    { shape: [4, 3], strides: [1, 4], offset: 2 },
    { shape: [300, 2], strides: [2, 1], offset: 0 },
    { shape: [], strides: [], offset: 5 },
  ];
  const cells = views.map((view) => ({ view, lit: cellsOfView(view, 600, 100) }));
  const sizes = [
    [16, 3, 3],
    [2, 3, 300],
    [1000, 1, 1],
    [7, 8, 5],
    [45, 13, 27],
  ];
  const tiles = sizes.map(([count, rows, columns]) => {
    const { across, down, count: n } = tiling(count, rows, columns);
    return { size: [count, rows, columns], tiling: [across, down, n] };
  });
  const text = `${JSON.stringify({ colours, cells, tiles }, null, 1)}\n`;
  await expect(text).toMatchFileSnapshot("fixtures/tensor/colours_and_cells.json");
});

test("small_numbers_in_cells_are_not_rounded_to_zero", () => {
  const numbers = [0.165, -0.1034, -0.00429, 0.00981, 0.0123, 1234567, 0, "nan"];
  expect(numbers.map((x) => brief(x))).toEqual([
    "0.165",
    "-0.10",
    "-4e-3",
    "0.01",
    "0.01",
    "1e+6",
    "0",
    "nan",
  ]);
});
