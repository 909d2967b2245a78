/** Stepper. */
import { afterEach, expect, test } from "vitest";
import widgets from "../src/index";
import { titleOf } from "../src/step_detail";
import { StepMap } from "../src/step_near";
import {
  added,
  backwardWords,
  forwardWords,
  joinWords,
  plain,
} from "../src/step_numbers";
import { rowOf, rowsOf, WAYS } from "../src/step_rows";
import type { StepData } from "../src/step_types";
import { FakeModel } from "./fake_model";
import recorded from "./fixtures/stepper/data.json";
import { HOSTILE } from "./graph_samples";

const DATA = recorded as unknown as StepData;
const at = (name: string, kind = "op") =>
  DATA.moments.findIndex((m) => m.name === name && m.kind === kind);

let dispose = () => {};

function show(data: unknown, traits = {}) {
  const all = { view: "stepper", data, at: 0, frozen: false, status: "", ...traits };
  const model = new FakeModel(all);
  const el = document.createElement("div");
  document.body.append(el);
  dispose = widgets.render({ model, el });
  const root = el.querySelector(".edutorch-stepper") as HTMLElement;
  const list = root.querySelector(".edt-rows") as HTMLElement;
  const detail = root.querySelector(".edt-detail") as HTMLElement;
  const press = (key: string, target: Element = list) =>
    target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  const selected = () => list.querySelector("[aria-selected]")?.textContent;
  return { model, root, list, detail, press, selected };
}

afterEach(() => {
  dispose();
  dispose = () => {};
  document.body.replaceChildren();
});

test("rows_stand_below_the_module_call_they_ran_in", () => {
  const rows = rowsOf(DATA).map(({ kind, at, end, depth }) => [kind, at, end, depth]);
  expect(rows.slice(0, 7)).toEqual([
    ["call", 0, 4, 0],
    ["call", 0, 1, 1],
    ["moment", 0, 1, 2],
    ["call", 1, 2, 1],
    ["moment", 1, 2, 2],
    ["moment", 2, 3, 1],
    ["moment", 3, 4, 1],
  ]);
  expect(rows.filter(([kind]) => kind === "moment").length).toBe(DATA.moments.length);
});

test("a_large_value_is_told_by_its_range_mean_and_std", () => {
  const data = structuredClone(DATA);
  const { v } = data.moments[at("linear")].outs[0];
  const stats = { min: -1.25, max: 2, mean: 0.5, std: 0.125, nan: 0, inf: 0 };
  const cells = Array.from({ length: 100 }, (_, i) => i / 50 - 1);
  data.values[v] = {
    ...data.values[v],
    shape: [10, 10],
    shown: [10, 10],
    cells,
    stats,
  };
  const { detail, press } = show(data, { at: at("linear") });
  press("ArrowRight"); // into the modules
  press("ArrowRight");
  expect(detail.textContent).toContain("-1.25 … 2 · mean 0.5, deviation 0.125");
});

test("ways_lead_into_over_and_out_of_modules", () => {
  const rows = rowsOf(DATA);
  const go = (way: string, from: number) => WAYS[way](rows, from, DATA);
  expect(go("next", 0)).toBe(1);
  expect(go("over", 0)).toBe(rowOf(rows, 4));
  expect(go("over", 1)).toBe(3);
  expect(go("overBack", 3)).toBe(1);
  expect(go("out", 2)).toBe(3);
  expect(go("out", 3)).toBe(rowOf(rows, 4));
  expect(go("back", 0)).toBe(0);
  expect(go("end", 0)).toBe(rows.length - 1);
  expect(go("next", rows.length - 1)).toBe(rows.length - 1);
  const first = rowOf(
    rows,
    DATA.moments.findIndex((m) => m.kind === "bwd"),
  );
  expect(go("backward", 0)).toBe(first);
  expect(go("backward", first)).toBe(first); // there is one pass
});

test("op_leads_to_its_backward_and_back", () => {
  const rows = rowsOf(DATA);
  const op = rowOf(rows, at("mean"));
  const other = WAYS.counterpart(rows, op, DATA);
  expect(DATA.moments[rows[other].at].name).toBe("MeanBackward0");
  expect(WAYS.counterpart(rows, other, DATA)).toBe(op);
});

test("step_is_gone_through_by_keys_with_its_line_lit", () => {
  const { press, selected, detail, root } = show(DATA);
  expect(selected()).toBe("Net");
  expect(detail.textContent).toContain("4 operations inside");
  press("ArrowRight");
  press("ArrowRight");
  expect(selected()).toBe("1 linear");
  expect(detail.textContent).toContain("y = x wᵀ + b");
  expect(detail.querySelector(".edt-sum")?.textContent).toContain("[0, 0]: 1 · ");
  const lit = root.querySelector(".edt-source [aria-current]");
  expect(lit?.textContent).toContain("self.act(self.fc(x))");
  press("ArrowLeft");
  expect(selected()).toBe("(fc): Linear");
  press("b");
  expect(detail.textContent).toContain("incoming × local = outgoing");
  press("End");
  expect(detail.textContent).toContain("fc.weight before");
  press("Home");
  expect(selected()).toBe("Net");
});

test("input_of_a_module_is_no_parameter", () => {
  const moments = structuredClone(DATA.moments);
  moments[0].ins.reverse(); // weights first, as an embedding has them
  const { detail } = show({ ...DATA, moments });
  expect(detail.textContent).toContain("input2×2");
});

test("element_is_chosen_by_arrow_keys_and_its_factors_are_marked", () => {
  const { detail, press } = show(DATA);
  const table = () => detail.querySelector('[data-pick="out"]') as HTMLElement;
  press("ArrowRight");
  press("ArrowRight");
  table().focus();
  press("ArrowRight", table());
  press("ArrowDown", table());
  expect(detail.querySelector(".edt-sum")?.textContent).toMatch(/^\[1, 1\]: 0.5 · /);
  expect(document.activeElement).toBe(table());
  const lit = [...detail.querySelectorAll("figure")].map((figure) =>
    [...figure.querySelectorAll(".edt-numbers > span")].flatMap((cell, k) =>
      cell.hasAttribute("data-lit") ? [k] : [],
    ),
  );
  expect(lit).toEqual([[2, 3], [2, 3], [1], []]); // x[1], w[1], b[1]
});

test("ways_that_join_are_added_up", () => {
  const leaf = DATA.moments.findIndex((m) => m.kind === "bwd" && m.parts.length > 2);
  const { detail } = show(DATA, { at: leaf });
  expect(detail.textContent).toContain("paths join here");
  expect(detail.querySelector(".edt-sum")?.textContent).toMatch(/ \+ .* = /);
});

test("large_values_are_heat_maps_with_statistics", () => {
  const { detail } = show(DATA, { at: at("relu") });
  expect(detail.querySelectorAll("canvas").length).toBe(2);
  expect(detail.textContent).toContain("1 … 1");
});

test("neighbours_are_links", () => {
  const { detail, selected } = show(DATA, { at: at("mean") });
  const link = detail.querySelector("[data-go]") as HTMLElement;
  link.click();
  expect(selected()).toContain("mul");
});

/** The titles of the boxes at the other ends of some lines. */
function endsOf(lines: Iterable<string>, near: ReturnType<StepMap["around"]>) {
  const { folded, lit } = near;
  const ids = [...lines].flatMap((line) => line.split(">").filter((id) => id !== lit));
  return ids.map((id) => folded.boxes.find((box) => box.id === id)?.title).sort();
}

test("graph_draws_what_an_operation_reads_and_who_reads_it", () => {
  const map = new StepMap(DATA);
  const rows = rowsOf(DATA);
  DATA.moments.forEach((m, k) => {
    if (m.kind !== "op") return;
    const near = map.around(rows[rowOf(rows, k)], 1);
    const given = m.ins.map(({ from, name }) =>
      from < 0 ? name || "a value" : titleOf(DATA.moments[from]),
    );
    expect(endsOf(near.hot, near), m.name).toEqual([...new Set(given)].sort());
    const after = near.folded.edges.filter((e) => e.from === near.lit);
    const users = m.users.map((at) => titleOf(DATA.moments[at])).sort();
    expect(
      endsOf(
        after.map((e) => `${e.from}>${e.to}`),
        near,
      ),
    ).toEqual(users);
  });
});

test("graph_in_backward_lights_the_operation_and_the_lines_that_carry_gradients", () => {
  const map = new StepMap(DATA);
  const rows = rowsOf(DATA);
  DATA.moments.forEach((m, k) => {
    if (m.kind !== "bwd") return;
    const near = map.around(rows[rowOf(rows, k)], 1);
    const lit = near.folded.boxes.find(({ id }) => id === near.lit);
    expect(lit?.title).toBe(titleOf(DATA.moments[m.of]));
    const going = [...near.hot].filter((line) => line.endsWith(`>${near.lit}`));
    const sent = m.edges.map(({ to }) => {
      const { kind, name, of } = DATA.moments[to];
      return kind === "leaf" ? name : titleOf(DATA.moments[of]);
    });
    expect(endsOf(going, near), m.name).toEqual([...new Set(sent)].sort());
    expect(near.styles.get(near.lit)?.foot).toMatch(/^∇ /);
  });
});

test("graph_says_which_gradients_have_come", () => {
  const map = new StepMap(DATA);
  const rows = rowsOf(DATA);
  const foot = (row: number) => {
    const near = map.around(rows[row], 2);
    const named = (name: string) => near.folded.boxes.find((b) => b.title === name)?.id;
    return (name: string) => near.styles.get(named(name) ?? "")?.foot;
  };
  const linear = rowOf(rows, at("AddmmBackward0", "bwd"));
  expect(foot(rowOf(rows, at("linear")))("fc.bias")).toBe("");
  expect(foot(linear)("fc.bias")).toBe("∇ not yet");
  const bias = rowOf(rows, at("fc.bias", "leaf"));
  const value = DATA.values[DATA.moments[at("fc.bias", "leaf")].outs[0].v];
  const cells = value.cells.map(Number);
  const both = [Math.min(...cells), Math.max(...cells)];
  const said = foot(bias)("fc.bias")?.replace("∇ ", "").split(" … ").map(Number) ?? [];
  both.forEach((x, k) => {
    expect(said[k] / x).toBeCloseTo(1, 2);
  });
});

test("graph_of_a_module_call_is_one_box_between_its_neighbours", () => {
  const map = new StepMap(DATA);
  const near = map.around(rowsOf(DATA)[0], 1); // Net: four operations
  const { folded, lit } = near;
  const titles = folded.boxes.map((box) => box.title);
  expect(folded.boxes.find(({ id }) => id === lit)?.sub).toBe("4 operations");
  expect(titles).toContain("x");
  expect(titles).not.toContain("fc.weight"); // in the module
  expect(titles).not.toContain("tanh");
});

test("graph_of_many_users_counts_those_that_are_not_drawn", () => {
  const [first] = DATA.moments;
  const user = (k: number) => ({
    ...at0,
    ins: [{ v: -1, name: "", from: 0, letter: "", leaf: -1 }],
    name: `user${k}`,
  });
  const at0 = { ...first, back: [], users: [], outs: [{ v: -1, name: "" }] };
  const moments = [
    { ...at0, users: [] },
    ...Array.from({ length: 20 }, (_, k) => user(k)),
  ];
  const data = { ...DATA, moments, calls: [{ path: "", cls: "", parent: -1 }] };
  const row = {
    kind: "moment" as const,
    at: 0,
    end: 1,
    depth: 0,
    call: 0,
    backward: false,
  };
  const { folded, lit } = new StepMap(data).around(row, 1);
  expect(folded.boxes.some(({ title }) => title === "14 more")).toBe(true);
  expect(folded.edges.filter(({ from }) => from === lit).length).toBe(7);
});

test("graph_leads_where_a_box_is_clicked_or_chosen_by_keys", () => {
  const { root, press, selected } = show(DATA, { at: at("mean") });
  const graph = root.querySelector("[data-testid=step-graph]") as HTMLElement;
  const box = (name: string) =>
    [...graph.querySelectorAll("[data-box]")].find(
      (g) => g.querySelector(".edt-title")?.textContent === name,
    ) as Element;
  expect(graph.querySelector(".edt-now .edt-title")?.textContent).toBe("mean");
  expect(graph.getAttribute("aria-label")).toContain("Graph around mean");
  expect(graph.getAttribute("aria-label")).toContain("reads mul");
  box("mul").dispatchEvent(new MouseEvent("click", { bubbles: true }));
  expect(selected()).toBe("9 mul");
  graph.focus();
  press("g", graph); // stepping keys work here, too
  expect(selected()).toContain("MulBackward0");
  expect(graph.dataset.backward).toBe("");
  const focused = () => graph.querySelector(".edt-focus .edt-title")?.textContent;
  press("ArrowUp", graph); // back along a line, if the graph is drawn downwards
  if (focused() !== "z = div") press("ArrowLeft", graph);
  expect(focused()).toBe("z = div");
  press("Enter", graph);
  expect(selected()).toContain("DivBackward0");
  expect(document.activeElement).toBe(graph);
  press("Escape", graph);
  expect(document.activeElement).toBe(root.querySelector(".edt-rows"));
});

test("graph_of_an_older_recording_is_drawn", () => {
  const moments = DATA.moments.map(({ leaf, ...m }) => ({
    ...m,
    ins: m.ins.map(({ leaf: _, ...operand }) => operand),
  }));
  const rows = rowsOf(DATA);
  const map = new StepMap({ ...DATA, moments });
  const near = map.around(rows[rowOf(rows, at("linear"))], 1);
  const titles = near.folded.boxes.map((box) => box.title);
  const known = ["fc.bias", "fc.weight", "linear", "tanh", "x"];
  expect(titles).toEqual(expect.arrayContaining(known));
});

test("paused_training_is_followed", () => {
  const part = (n: number) => ({
    ...DATA,
    state: "paused",
    moments: DATA.moments.slice(0, n).map((m) => ({
      ...m,
      back: [],
      users: m.users.filter((u) => u < n),
    })),
  });
  const { model, selected, root } = show(part(1));
  expect(selected()).toBe("1 linear");
  model.set("data", part(2));
  return new Promise<void>((resolve) => {
    setTimeout(() => {
      expect(selected()).toBe("2 tanh");
      expect(root.textContent).toContain("paused");
      resolve();
    }, 250);
  });
});

test("what_was_dropped_is_said", () => {
  const { root } = show({
    ...DATA,
    dropped: 3,
    left_out: 7,
    partial: true,
    limit: 2048,
  });
  const words = root.querySelector(".edt-legend")?.textContent;
  expect(words).toContain(`Values of 3 of ${DATA.moments.length} operations`);
  expect(words).toContain("limit 2.0 KB");
  expect(words).toContain("7 later operations");
  expect(words).toContain("at the pause");
});

test("node_without_its_operation_and_stopped_recording_are_told", () => {
  const node = at("ExpBackward0", "bwd");
  const moments = DATA.moments.map((m) => (m.kind === "bwd" ? { ...m, of: -1 } : m));
  const { root, detail } = show({ ...DATA, moments, trouble: "no room" }, { at: node });
  expect(detail.textContent).toContain("its operation was not recorded");
  expect(root.textContent).toContain("Recording stopped: no room");
});

test("nothing_recorded_is_said", () => {
  const { root, press } = show({});
  press("ArrowRight");
  expect(root.textContent).toContain("The next training step is recorded");
});

test("names_stay_text", () => {
  const [first] = DATA.moments;
  const moments = HOSTILE.map((name) => ({
    ...first,
    name,
    error: name,
    formula: name,
    ins: first.ins.map((given) => ({ ...given, name })),
    outs: first.outs.map((out) => ({ ...out, name })),
    users: [],
    back: [],
  }));
  const { root, press } = show({ ...DATA, moments });
  for (const _ of HOSTILE) press("ArrowRight");
  expect(root.querySelector("img, script, svg[onload]")).toBeNull();
  expect(root.textContent).toContain(HOSTILE[0]);
});

test("view_when_disposed_listens_to_nothing", () => {
  const { model } = show(DATA);
  dispose();
  expect(model.listening).toBe(0);
});

test("words_agree_with_python", async () => {
  const firstOf = (v: number) => (DATA.values[v]?.shape ?? []).map(() => 0);
  const lastOf = (v: number) => (DATA.values[v]?.shape ?? []).map((n) => n - 1);
  const words = DATA.moments.map((m) => {
    if (m.kind === "optim") return [];
    const { v } = m.outs[0];
    return [firstOf, lastOf].flatMap((index) => [
      m.kind === "op" ? forwardWords(DATA, m, index(v)) : joinWords(DATA, m, index(v)),
      ...m.edges.map((edge) => backwardWords(DATA, m, edge, index(edge.v))),
    ]);
  });
  const numbers = [
    0,
    1,
    -1.5,
    0.1 + 0.2,
    1e-4,
    123456,
    99999.9,
    2 / 3,
    1e-10,
    1.0625,
    -1.0625,
  ].map(plain);
  const sums = [["-1 · 2", "-3 · 4"], [], [..."123456789"]].map(added);
  const text = `${JSON.stringify({ words, numbers, sums }, null, 1)}\n`;
  await expect(text).toMatchFileSnapshot("fixtures/stepper/words.json");
});
