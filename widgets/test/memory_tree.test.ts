/** MemoryTree. */
import { afterEach, expect, test } from "vitest";
import widgets from "../src/index";
import { type Group, groupRows, WAYS } from "../src/memory_groups";
import { changeText } from "../src/memory_map";
import { squarify, tilesOf } from "../src/treemap";
import { FakeModel } from "./fake_model";
import { HOSTILE } from "./graph_samples";
import { owners } from "./memory_tree_samples";

let dispose = () => {};

function show(data: unknown, more: Record<string, unknown> = {}) {
  const traits = { data, frozen: false, status: "", marked: 0, ...more };
  const model = new FakeModel({ view: "memory_tree", ...traits });
  const el = document.createElement("div");
  document.body.append(el);
  dispose = widgets.render({ model, el });
  const root = el.querySelector(".edutorch-memory_tree") as HTMLElement;
  const map = root.querySelector(".edt-chart") as HTMLElement;
  const press = (key: string) => {
    map.dispatchEvent(new KeyboardEvent("keydown", { key }));
  };
  const text = (selector: string) => root.querySelector(selector)?.textContent ?? "";
  const readout = () => text(".edt-readout");
  const choose = (label: string, value: string) => {
    const boxes = [...root.querySelectorAll("label")];
    const box = boxes.find((l) => l.textContent?.startsWith(label))?.firstElementChild;
    (box as HTMLSelectElement).value = value;
    box?.dispatchEvent(new Event("change", { bubbles: true }));
  };
  const click = (selector: string) =>
    (root.querySelector(selector) as HTMLElement).click();
  const rows = () =>
    [...root.querySelectorAll("tbody tr")].map((row) =>
      [...row.children].map((cell) => cell.textContent),
    );
  return { model, root, map, press, text, readout, choose, click, rows };
}

afterEach(() => {
  dispose();
  document.body.replaceChildren();
});

function plain(group: Group): unknown {
  const { name, short, category, before, after, grown, shrunk, count, children } =
    group;
  const own = { name, short, category, before, after, grown, shrunk, count };
  return { ...own, children: children.map(plain) };
}

test("groups_and_tiles_agree_with_python", async () => {
  const data = owners(true);
  const cases = WAYS.flatMap((by) =>
    [null, 1].map((before) => {
      const group = groupRows(data, 1, by, 0, before);
      const tiles = tilesOf(group, { x: 4, y: 8, w: 560, h: 340 });
      const places = tiles.map(({ box: { x, y, w, h }, depth }) =>
        [x, y, w, h, depth].map((n) => Math.round(n * 1000) / 1000),
      );
      return { by, after: 0, before, group: plain(group), tiles: places };
    }),
  );
  const text = `${JSON.stringify({ data, cases }, null, 1)}\n`;
  await expect(text).toMatchFileSnapshot("fixtures/memory_tree/groups.json");
});

test("tiles_fill_the_rectangle_in_proportion", () => {
  const sizes = [50, 30, 10, 5, 3, 1, 1];
  const boxes = squarify(sizes, { x: 0, y: 0, w: 200, h: 100 });
  boxes.forEach(({ w, h }, i) => {
    expect(w * h).toBeCloseTo(200 * sizes[i]);
  });
});

test("view_says_what_is_held_at_the_peak_by_module", () => {
  const data = owners();
  const { text, rows, readout } = show(data);
  const peak = data.rows.reduce((sum, row) => sum + row.bytes[1], 0);
  expect(text('[data-fact="peak"]')).toBe(`${(peak / 2 ** 20).toFixed(1)} MB`);
  expect(text(".edt-crumbs")).toContain("all: 2.");
  expect(rows()[0][0]).toBe("Net.layers");
  expect(rows().map(([name]) => name)).toEqual([
    "Net.layers",
    "1",
    "linear",
    "attn",
    "0",
    "linear",
    "attn",
    "outside modules",
    "input 64×100 float32",
  ]);
  expect(rows()[7].slice(1)).toEqual(["25.0 KB", "1%", "1"]);
  expect(readout()).toContain("arrow keys");
});

test("enter_goes_into_a_group_and_escape_out_of_it", () => {
  const { press, text, rows, readout } = show(owners());
  press("ArrowRight");
  expect(readout()).toMatch(/^Net\.layers · .* · Enter opens it$/);
  press("Enter");
  expect(text(".edt-crumbs")).toMatch(/^all›Net\.layers: /);
  expect(rows()[0][0]).toBe("1");
  press("ArrowRight");
  press("Enter");
  press("ArrowRight");
  press("Enter");
  press("ArrowRight");
  press("Enter"); // a tensor is read, not entered
  expect(readout()).toContain("relu 32×300 float32");
  expect(readout()).toContain("activation · made at work/train.py:12");
  press("Escape");
  press("Escape");
  expect(text(".edt-crumbs")).toMatch(/^all›Net\.layers: /);
  press("Home");
  expect(text(".edt-crumbs")).toMatch(/^all: /);
});

test("names_in_the_table_and_the_path_are_buttons", () => {
  const { click, text } = show(owners());
  click(`[data-group='["Net.layers"]']`);
  click(`[data-group='["1"]']`);
  expect(text(".edt-crumbs b")).toMatch(/^1: /);
  click('[data-depth="1"]');
  expect(text(".edt-crumbs b")).toMatch(/^Net.layers: /);
});

test("grouping_is_switched_by_buttons", () => {
  const { click, rows, root } = show(owners());
  click('[data-way="category"]');
  expect(rows()[0][0]).toBe("activation");
  expect(root.querySelectorAll('[aria-pressed="true"]').length).toBe(1);
  click('[data-way="line"]');
  expect(rows().map(([name]) => name)).toContain("made in the backward pass");
  click('[data-way="tensor"]');
  expect(rows()[0][0]).toBe("relu 32×300 float32 · work/train.py:12");
});

test("difference_of_two_moments_is_signed", () => {
  const { choose, rows, text, readout, press, root } = show(owners());
  choose("Show", "now");
  choose("compared with", "first");
  const [first] = rows();
  expect(first[0]).toBe("outside modules");
  expect(first.slice(1)).toEqual(["25.0 KB", "904 KB", "▲ +879 KB"]);
  expect(text("thead")).toBe("NameBeforeAfterChange");
  expect(text(".edt-keys")).toContain("▼ less than before");
  press("ArrowLeft");
  expect(readout()).toContain("▲ +879 KB · 25.0 KB → 904 KB");
  choose("Show", "first");
  choose("compared with", "now");
  expect(rows()[0][3]).toBe("▼ −879 KB");
  expect(root.querySelector('[data-tint="less"]')).not.toBeNull();
  choose("compared with", "first");
  expect(text("thead")).toBe("NameBytesShareTensors");
});

test("change_of_nothing_has_no_sign", () => {
  const group = groupRows(owners(), 0, "module", 0, 0);
  expect(changeText(group)).toBe("± 0 B");
});

test("device_is_chosen_where_there_are_several", () => {
  const { choose, root, text } = show(owners(true));
  expect(text(".edt-info")).toBe("simulated GPU");
  expect(text('[data-fact="reserved, unused"]')).toMatch(/MB$/);
  choose("Device", "cpu");
  expect(text(".edt-info")).toBe("tensors on the CPU");
  expect(root.querySelectorAll(".edt-tile").length).toBe(0);
});

test("mark_asks_python_and_tells_when_it_is_kept", async () => {
  const { model, root, readout } = show(owners());
  const marker = [...root.querySelectorAll("button")].find(
    (b) => b.textContent === "Mark",
  );
  marker?.click();
  expect(model.get("marked")).toBe(1);
  expect(model.saves).toBe(1);
  expect(readout()).toContain("when the kernel is free");
  const data = owners();
  data.moments[5].name = "mark 1";
  model.set("data", data);
  await new Promise((resolve) => setTimeout(resolve, 250));
  expect(readout()).toBe("Saved as “mark 1”.");
});

test("chosen_moments_stay_as_training_goes_on", async () => {
  const { model, choose, text } = show(owners());
  choose("Show", "last");
  const data = owners();
  data.moments[4].name = "end of step 6";
  model.set("data", data);
  await new Promise((resolve) => setTimeout(resolve, 250));
  expect(text('label option[value="last"]')).toBe("end of step 6");
});

test("nothing_recorded_yet_is_said", () => {
  const { root, text } = show({});
  expect(text(".edt-empty")).toContain("No memory recorded yet");
  expect(root.querySelector(".edt-owners")?.hasAttribute("hidden")).toBe(true);
});

test("recorded_view_has_no_button_to_mark", () => {
  const { root } = show(owners(), { frozen: true });
  const buttons = [...root.querySelectorAll("button")].filter((b) => !b.hidden);
  expect(buttons.map((b) => b.textContent)).not.toContain("Mark");
});

test("hostile_names_stay_text", () => {
  const data = owners();
  data.rows.forEach((row, i) => {
    row.name = HOSTILE[i % HOSTILE.length];
  });
  data.modules.forEach((module, i) => {
    module.path = module.model = HOSTILE[i % HOSTILE.length];
  });
  const { root, click } = show(data);
  click('[data-way="tensor"]');
  expect(root.querySelector("img, script")).toBeNull();
});

test("thousands_of_rows_are_drawn_as_few_tiles", () => {
  const data = owners();
  const [row] = data.rows;
  data.rows = Array.from({ length: 3000 }, (_, i) => ({ ...row, name: `t${i}` }));
  const { root, click, rows } = show(data);
  click('[data-way="tensor"]');
  expect(root.querySelectorAll(".edt-tile").length).toBeLessThanOrEqual(40);
  expect(rows().length).toBe(101);
  expect(rows()[100][0]).toBe("and 2900 smaller ones");
});

test("view_when_disposed_listens_no_more", () => {
  const { model } = show(owners());
  dispose();
  dispose = () => {};
  expect(model.listening).toBe(0);
});
