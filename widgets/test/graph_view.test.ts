import { afterEach, expect, test, vi } from "vitest";
import { graphTable } from "../src/graph_table";
import type { GraphData } from "../src/graph_types";
import widgets from "../src/index";
import { FakeModel } from "./fake_model";
import {
  chain,
  HOSTILE,
  hostile,
  lenet,
  residual,
  rnn,
  scalars,
  unlike,
} from "./graph_samples";

let dispose = () => {};

function show(data: unknown, traits: Record<string, unknown> = {}) {
  const model = new FakeModel({
    view: "graph",
    data,
    selected: "",
    expanded: [],
    frozen: false,
    status: "",
    ...traits,
  });
  const el = document.createElement("div");
  document.body.append(el);
  dispose = widgets.render({ model, el });
  const root = el.querySelector(".edutorch-graph") as HTMLElement;
  const stage = root.querySelector(".edt-stage") as HTMLElement;
  const press = (key: string, more: KeyboardEventInit = {}) => {
    const event = { key, bubbles: true, cancelable: true, ...more };
    stage.dispatchEvent(new KeyboardEvent("keydown", event));
  };
  const click = (selector: string) => {
    const event = new MouseEvent("click", { bubbles: true });
    (root.querySelector(selector) as Element).dispatchEvent(event);
  };
  const focused = () => root.querySelector(".edt-focus")?.getAttribute("data-id");
  return { model, el, root, stage, press, click, focused };
}

/** A frame of the browser: changes are drawn in the next one. */
const frame = () => new Promise((done) => requestAnimationFrame(() => done(null)));

afterEach(() => {
  dispose();
  dispose = () => {};
  document.body.replaceChildren();
});

test("render_draws_a_box_for_each_node_and_a_line_for_each_edge", () => {
  const { root } = show(scalars());
  expect(root.querySelectorAll("g.node")).toHaveLength(5);
  expect(root.querySelectorAll("path.edt-line")).toHaveLength(5);
  expect(root.dataset.rendered).toBe("1");
  expect(root.dataset.rev).toBe("1");
});

test("a_small_graph_takes_no_more_height_than_it_needs", async () => {
  const { root, model, click } = show(scalars());
  const { style } = root.querySelector(".edt-body") as HTMLElement;
  const first = Number.parseFloat(style.height);
  expect(first).toBeGreaterThan(300);
  expect(first).toBeLessThan(400);
  click('g.node[data-id="op2"]');
  expect(style.height).toBe("500px"); // details have more to say
  style.height = "610px"; // as the browser does when its corner is dragged
  model.set("data", lenet());
  await frame();
  expect(style.height).toBe("610px");
});

test("the_map_of_a_long_graph_lies_beside_it", () => {
  const map = (data: GraphData) => {
    const { root } = show(data);
    const element = root.querySelector<HTMLElement>(".edt-plane > .edt-map");
    dispose();
    return element?.hidden;
  };
  expect(map(scalars())).toBe(true); // all of it is in sight
  expect(map(lenet())).toBe(false);
});

test("render_without_data_says_so", () => {
  const { root } = show({});
  expect(root.querySelector(".edt-empty")?.hasAttribute("hidden")).toBe(false);
  expect(root.querySelectorAll("g.node")).toHaveLength(0);
});

test("new_data_are_drawn_once_a_frame_and_counted", async () => {
  const { root, model } = show(lenet());
  for (let i = 2; i < 6; i++) model.set("data", { ...lenet(), rev: i });
  expect(root.dataset.rendered).toBe("1");
  await frame();
  expect(root.dataset.rendered).toBe("2");
  expect(root.dataset.rev).toBe("5");
});

test("new_data_of_equal_form_keep_elements_places_and_selection", async () => {
  const { root, model, click } = show(lenet());
  click('g.node[data-id="op3"]');
  const before = [...root.querySelectorAll("g.node")];
  const places = before.map((g) => (g as SVGElement).style.transform);
  const text = JSON.stringify(lenet()).replaceAll(/"op(\d+)"/g, '"op9$1"');
  model.set("data", JSON.parse(text));
  await frame();
  const after = [...root.querySelectorAll("g.node")];
  expect(after).toEqual(before);
  expect(after.map((g) => (g as SVGElement).style.transform)).toEqual(places);
  expect(root.querySelector(".edt-selected")?.getAttribute("data-id")).toBe("op93");
});

test("a_growing_graph_moves_no_box", async () => {
  const { root, model } = show(chain(5));
  const place = () =>
    root.querySelector<SVGElement>('[data-id="op3"]')?.style.transform;
  const before = place();
  model.set("data", chain(6));
  await frame();
  expect(place()).toBe(before);
  expect(root.querySelectorAll("g.node")).toHaveLength(6);
});

test("click_on_a_node_shows_its_details_and_sets_the_trait", () => {
  const { root, model, click } = show(lenet());
  click('g.node[data-id="op3"]');
  expect(model.get("selected")).toBe("op3");
  expect(model.saves).toBe(1);
  const detail = root.querySelector('[data-testid="detail"]') as HTMLElement;
  expect(detail.hidden).toBe(false);
  const part = (id: string) =>
    detail.querySelector(`[data-testid="${id}"]`)?.textContent;
  expect(part("source")).toContain("me/train.py:13");
  expect(part("source")).toContain("x = conv2d(x)");
  expect(part("lib")).toContain("ops/conv2d.py:41");
  expect(part("grad")).toContain("0.2");
  expect(detail.textContent).toContain("64×6×24×24");
  expect(detail.textContent).toContain("float32");
});

test("detail_leads_to_the_formula_of_the_gradient", () => {
  const data = lenet();
  const op = data.nodes.find((node) => node.id === "op3");
  if (op?.lib) op.lib = { ...op.lib, func: "Conv2d.forward", backward: 60 };
  const { root, click } = show(data);
  click('g.node[data-id="op3"]');
  const link = root.querySelector('[data-testid="backward"] button');
  expect(link?.getAttribute("data-file")).toBe(op?.lib?.file);
  expect(link?.getAttribute("data-line")).toBe("60");
  expect(link?.parentElement?.textContent).toContain("in Conv2d.backward");
});

test("values_of_an_earlier_step_are_told_with_their_age_and_why", async () => {
  const old = { ...lenet(), recorded_step: 9 };
  const { root, model } = show(old, { selected: "op3" });
  const info = root.querySelector(".edt-age");
  expect(info?.textContent).toBe("graph of step 12, values from step 9");
  expect(info?.getAttribute("title")).toContain("are from step 9");
  const age = () => root.querySelector('[data-testid="age"]')?.textContent;
  expect(age()).toBe(info?.getAttribute("title"));
  const headings = () =>
    [...root.querySelectorAll("h4")].map((h) => h.textContent).slice(-2);
  expect(headings()).toEqual(["Value, step 9", "Gradient, step 9"]);
  const box = () => root.querySelector('g.node[data-id="op3"]');
  expect(box()?.getAttribute("aria-label")).toMatch(/∇ .* \(step 9\)$/);
  const link = root.querySelector('[data-testid="source"] button');
  model.set("data", lenet());
  await frame();
  expect(info?.textContent).toBe("");
  expect(info?.hasAttribute("title")).toBe(false);
  expect(root.querySelector<HTMLElement>('[data-testid="age"]')?.hidden).toBe(true);
  expect(root.querySelector('[data-testid="source"] button')).toBe(link);
  expect(headings()).toEqual(["Value", "Gradient"]);
  expect(box()?.getAttribute("aria-label")).not.toContain("step");
});

test("table_of_a_graph_tells_from_which_step_its_values_are", () => {
  const titles = (data: GraphData) =>
    [...graphTable(data, "").querySelectorAll("thead th")].map((h) => h.textContent);
  expect(titles(lenet()).join()).not.toContain("step");
  expect(titles({ ...lenet(), recorded_step: 9 })).toEqual(
    expect.arrayContaining(["Mean (step 9)", "Gradient norm (step 9)"]),
  );
});

test("details_before_backward_say_not_computed_yet", () => {
  const { root, click } = show(lenet(false));
  click('g.node[data-id="op3"]');
  const grad = root.querySelector('[data-testid="grad"]');
  expect(grad?.textContent).toBe("not computed yet");
  expect(root.querySelector('[data-id="op3"] .edt-foot')?.textContent).toBe(
    "∇ not yet",
  );
});

test("what_failed_or_was_found_wrong_is_marked_and_told", () => {
  const data = scalars();
  const ops = data.nodes.filter((n) => n.kind === "op");
  ops[0].error = "check 02.1: the value is not right";
  Object.assign(ops[ops.length - 1], { error: "RuntimeError: mat1", dtype: "" });
  const { root, click } = show(data);
  const texts = (id: string) =>
    [...root.querySelectorAll(`[data-id="${id}"] text`)].map((t) => t.textContent);
  expect(texts(ops[0].id)[2]).toBe("✗ wrong");
  expect(texts(ops[ops.length - 1].id).slice(1)).toEqual(["RuntimeError", "✗ failed"]);
  expect(root.querySelectorAll("[data-bad]")).toHaveLength(2);
  click(`[data-id="${ops[0].id}"]`);
  const told = root.querySelector('[data-testid="error"]')?.textContent;
  expect(told).toBe("✗ check 02.1: the value is not right");
});

test("a_gradient_without_values_is_told_as_computed", () => {
  const data = lenet();
  for (const node of data.nodes)
    if (node.grad) node.grad = { ...node.grad, norm: null, n: 0 };
  const { root } = show(data, { selected: "op3" });
  const grad = root.querySelector('[data-testid="grad"]')?.textContent;
  expect(grad).toContain("computed, values not sampled");
  const foot = root.querySelector('[data-id="op3"] .edt-foot')?.textContent;
  expect(foot).toBe("∇ done");
});

test("details_follow_new_data_without_losing_their_elements", async () => {
  const { root, model } = show(lenet(false), { selected: "op3" });
  const link = root.querySelector('[data-testid="source"] button');
  model.set("data", lenet());
  await frame();
  expect(root.querySelector('[data-testid="grad"]')?.textContent).toContain("norm");
  expect(root.querySelector('[data-testid="source"] button')).toBe(link);
});

test("edges_with_a_gradient_are_marked_after_backward", () => {
  const lines = (data: GraphData) => {
    const { root } = show(data);
    const all = [...root.querySelectorAll("path.edt-line")];
    return all.filter((p) => p.getAttribute("data-grad") === "1").length;
  };
  expect(lines(lenet(false))).toBe(0);
  expect(lines(lenet())).toBeGreaterThan(15);
});

test("click_on_a_module_opens_it_and_on_its_header_closes_it", () => {
  const { root, model, click } = show(lenet(), { expanded: [""] });
  expect(root.querySelectorAll("g.node")).toHaveLength(6);
  click('g.node[data-module="features"]');
  expect(model.get("expanded")).toEqual(["", "features"]);
  expect(root.querySelectorAll("g.node")).toHaveLength(11);
  const frames = root.querySelectorAll("g.frame").length;
  expect(root.querySelectorAll(".edt-ground")).toHaveLength(frames); // hides lines
  click('g.frame[data-module="features"] .edt-header');
  expect(model.get("expanded")).toEqual([""]);
  expect(root.querySelectorAll("g.node")).toHaveLength(6);
  expect(root.querySelectorAll(".edt-ground")).toHaveLength(frames - 1);
});

test("facts_tell_how_many_nodes_folded_boxes_stand_for", () => {
  const { root, click } = show(lenet(), { expanded: [""] });
  const info = () => root.querySelector(".edt-info")?.textContent;
  const nodes = lenet().nodes.length;
  expect(info()).toMatch(new RegExp(`${nodes} nodes in 6 boxes$`));
  click('g.node[data-module="features"]');
  expect(info()).toMatch(new RegExp(`${nodes} nodes in 11 boxes$`));
});

test("a_repeat_opens_by_click", () => {
  const { root, click } = show(residual(6), { expanded: ["", "blocks"] });
  expect(root.querySelector('[data-kind="repeat"] .edt-title')?.textContent).toContain(
    "×6",
  );
  click('[data-kind="repeat"]');
  expect(root.querySelectorAll('[data-kind="module"]')).toHaveLength(6);
});

test("expanded_set_by_python_is_drawn", () => {
  const { root, model } = show(lenet());
  model.set("expanded", ["", "features"]);
  expect(root.querySelectorAll("g.frame")).toHaveLength(1);
});

test("arrows_follow_edges_and_enter_selects", () => {
  const { press, focused, model } = show(lenet(), { expanded: ["", "features"] });
  press("ArrowDown");
  expect(focused()).toBe("t0");
  press("ArrowDown");
  expect(focused()).toBe("m:features.0");
  press("ArrowDown");
  expect(focused()).toBe("op4");
  press("ArrowUp");
  press("ArrowDown");
  press("Enter");
  expect(model.get("selected")).toBe("op4");
  press("Escape");
  expect(model.get("selected")).toBe("");
});

test("drawn_to_the_right_the_right_arrow_follows_edges_and_the_others_go_aside", () => {
  const { press, focused, root, model } = show(lenet(), {
    expanded: ["", "features"],
    direction: "right",
  });
  expect(root.querySelector('[data-direction="right"]')).not.toBeNull();
  press("Home");
  press("ArrowRight");
  expect(focused()).toBe("m:features.0");
  press("ArrowRight");
  expect(focused()).toBe("op4");
  press("ArrowLeft");
  expect(focused()).toBe("m:features.0");
  press("l");
  expect(model.get("direction")).toBe("down");
  press("ArrowDown");
  expect(focused()).toBe("op4");
});

test("a_button_and_python_turn_the_drawing", () => {
  const { root, model } = show(lenet());
  const pressed = () =>
    [...root.querySelectorAll('[aria-label="Direction"] [aria-pressed="true"]')].map(
      (b) => b.textContent,
    );
  const line = () => root.querySelector(".edt-line")?.getAttribute("d");
  model.set("direction", "down");
  expect(pressed()).toEqual(["↓"]);
  const before = line();
  const right = root.querySelector('[aria-label^="Left to right"]') as HTMLElement;
  right.click();
  expect(pressed()).toEqual(["→"]);
  expect(model.get("direction")).toBe("right");
  expect(line()).not.toBe(before);
});

test("enter_opens_a_module_and_shift_enter_closes_it", () => {
  const { press, focused, model } = show(lenet(), { expanded: [""] });
  press("Home");
  press("ArrowDown");
  press("Enter");
  expect(model.get("expanded")).toEqual(["", "features"]);
  expect(focused()).toBe("m:features.0");
  press("Enter", { shiftKey: true });
  expect(model.get("expanded")).toEqual([""]);
});

test("the_graph_is_one_tab_stop_that_names_the_box_in_hand", () => {
  const { stage, press, root } = show(scalars());
  expect(stage.getAttribute("role")).toBe("application");
  expect(root.querySelectorAll(".edt-stage [tabindex]")).toHaveLength(0);
  press("End");
  const active = stage.getAttribute("aria-activedescendant") as string;
  expect(root.ownerDocument.getElementById(active)?.getAttribute("data-id")).toBe(
    "op4",
  );
  expect(stage.getAttribute("aria-label")).toContain("mul");
});

test("keys_used_here_do_not_reach_the_notebook", () => {
  const { press, stage } = show(scalars());
  const outside = vi.fn();
  document.body.addEventListener("keydown", outside);
  press("ArrowDown");
  expect(outside).not.toHaveBeenCalled();
  press("b");
  expect(outside).toHaveBeenCalledOnce();
  document.body.removeEventListener("keydown", outside);
  stage.focus();
  expect(stage.hasAttribute("data-lm-suppress-shortcuts")).toBe(true);
});

test("slash_searches_and_enter_opens_what_hides_the_node", () => {
  const { root, press, model } = show(lenet(), { expanded: [""] });
  press("/");
  const search = root.querySelector("input") as HTMLInputElement;
  expect(document.activeElement).toBe(search);
  search.value = "max_pool";
  search.dispatchEvent(new Event("input", { bubbles: true }));
  expect(root.querySelector(".edt-bar")?.textContent).toContain("2 found");
  expect(root.querySelectorAll(".edt-found")).toHaveLength(1);
  search.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
  expect(model.get("selected")).toBe("op5");
  expect(root.querySelector('g.node[data-id="op5"]')).not.toBeNull();
});

test("the_count_of_what_was_found_says_which_is_in_hand", () => {
  const { root } = show(lenet());
  const search = root.querySelector(".edt-search") as HTMLInputElement;
  const count = () => root.querySelector(".edt-find .edt-info")?.textContent;
  const enter = { key: "Enter", bubbles: true };
  search.value = "conv2d";
  search.dispatchEvent(new Event("input"));
  expect(count()).toMatch(/^\d+ found$/);
  search.dispatchEvent(new KeyboardEvent("keydown", enter));
  expect(count()).toMatch(/^1 of \d+$/);
  search.value = "";
  search.dispatchEvent(new Event("input"));
  expect(count()).toBe("");
});

test("a_node_that_was_found_is_shown_so_large_that_it_can_be_read", () => {
  const { root, press } = show(lenet());
  const world = root.querySelector(".edt-svg > g") as Element;
  for (let i = 0; i < 9; i++) press("-");
  const search = root.querySelector(".edt-search") as HTMLInputElement;
  search.value = "conv2d";
  search.dispatchEvent(new Event("input"));
  search.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter" }));
  expect(world.getAttribute("transform")).toContain("scale(0.9)");
});

test("unfold_opens_what_is_in_sight_and_fold_closes_the_innermost", () => {
  const { root, model } = show(rnn(40), { expanded: [""] });
  const tool = (name: string) =>
    [...root.querySelectorAll<HTMLElement>(".edt-tools button")].find(
      (b) => b.textContent === name,
    ) as HTMLElement;
  const loops = () => root.querySelectorAll('.node[data-kind="repeat"]').length;
  const frames = () => root.querySelectorAll(".frame").length;
  expect([loops(), frames()]).toEqual([1, 0]);
  expect(tool("Fold").getAttribute("aria-disabled")).toBe("true");
  tool("Unfold").click();
  expect([loops(), frames()]).toEqual([10, 1]); // 40 rounds in parts of 4
  tool("Unfold").click();
  expect(loops()).toBe(0);
  expect(frames()).toBeGreaterThan(10);
  tool("Fold").click();
  const opened = model.get("expanded") as string[];
  expect(opened.filter((id) => id.startsWith("l:"))).not.toHaveLength(0);
  tool("Fold").click();
  tool("Fold").click();
  expect([loops(), frames()]).toEqual([1, 0]);
});

test("a_box_is_marked_as_in_hand_by_keys_only", () => {
  const { stage, click, press, focused } = show(lenet());
  stage.dispatchEvent(new MouseEvent("pointerdown", { bubbles: true }));
  click('g.node[data-id="op3"]');
  expect(focused()).toBeUndefined();
  press("ArrowDown");
  expect(focused()).toBeDefined();
});

test("without_a_gradient_after_backward_details_and_table_say_none", () => {
  const data = lenet();
  const input = data.nodes.find((n) => n.kind === "input" && !n.grad);
  const { root, click } = show(data, { selected: input?.id });
  expect(root.querySelector('[data-testid="grad"]')?.textContent).toBe("none");
  click('[data-testid="table"]');
  const row = root.querySelector('tr[aria-current="true"]');
  expect(row?.getAttribute("data-row")).toBe(input?.id);
  expect(row?.textContent).toContain("none");
});

test("the_table_lists_every_node_as_text", () => {
  const { root, click, model } = show(lenet());
  click('[data-testid="table"]');
  const rows = root.querySelectorAll("tbody tr");
  expect(rows).toHaveLength(25);
  expect(rows[3].textContent).toContain("conv2d");
  expect(rows[3].textContent).toContain("me/train.py:13");
  click('[data-select="op3"]');
  expect(model.get("selected")).toBe("op3");
});

test("the_table_tells_of_nan_in_place_of_the_other_values_norm", () => {
  const data = lenet();
  const op = data.nodes.find((n) => n.id === "op3");
  if (op?.grad) op.grad = { ...op.grad, norm: 0, nonfinite: 7 };
  const { root, click } = show(data);
  click('[data-testid="table"]');
  expect(root.querySelector('[data-row="op3"]')?.textContent).toContain("⚠ nan/inf");
});

test("hostile_names_are_shown_as_text", () => {
  const { root, click } = show(hostile(), { selected: "op3" });
  click('[data-testid="table"]');
  for (const tag of ["img", "script", "iframe", "a", "svg svg"])
    expect(root.querySelectorAll(tag)).toHaveLength(0);
  const detail = root.querySelector('[data-testid="detail"]');
  for (const part of [detail, root.querySelector("table")])
    expect(part?.textContent).toContain(HOSTILE[0]);
  expect(root.querySelector("title")?.textContent).toContain("<img src=x onerror=");
  for (const element of root.querySelectorAll("*"))
    for (const { name } of element.attributes) {
      expect(name.startsWith("on")).toBe(false);
      expect(["href", "src", "xlink:href"]).not.toContain(name);
    }
  expect((window as { hacked?: number }).hacked).toBeUndefined();
});

test("more_than_300_boxes_are_drawn_on_a_canvas", async () => {
  const stub = vi
    .spyOn(HTMLCanvasElement.prototype, "getContext")
    .mockReturnValue(null);
  const { root, model } = show(unlike(chain(301)));
  expect(root.querySelector(".edt-stage > canvas.edt-canvas")).not.toBeNull();
  model.set("data", unlike(chain(300)));
  await frame();
  expect(root.querySelector("canvas.edt-canvas")).toBeNull();
  expect(root.querySelectorAll("g.node")).toHaveLength(300);
  stub.mockRestore();
});

test("a_frozen_view_says_at_which_step_it_was_recorded", () => {
  const status = "replaced by a newer view";
  const { root } = show(lenet(), { frozen: true, status });
  expect(root.querySelector(".edt-frozen")?.textContent).toBe("recorded at step 12");
  expect(root.querySelector('[role="status"]')?.textContent).toBe(status);
});

test("zoom_and_fit_change_the_view_only", () => {
  const { root, press } = show(lenet());
  const world = root.querySelector(".edt-svg > g") as Element;
  const before = world.getAttribute("transform");
  press("+");
  expect(world.getAttribute("transform")).not.toBe(before);
  press("0");
  expect(world.getAttribute("transform")).toContain("scale(0.");
  expect(root.dataset.rendered).toBe("1");
});

test("disposal_removes_elements_and_listeners", () => {
  const { el, model } = show(lenet());
  expect(model.listening).toBeGreaterThan(3);
  dispose();
  expect(model.listening).toBe(0);
  expect(el.childElementCount).toBe(0);
});

test("an_unknown_view_is_refused", () => {
  const model = new FakeModel({ view: "other" });
  const el = document.createElement("div");
  expect(() => widgets.render({ model, el })).toThrow("no view named other");
});

test("a_single_number_is_shown_in_its_box_and_not_as_a_spread", () => {
  const data = scalars();
  const [op] = data.nodes.filter((n) => n.kind === "op");
  op.stats = { min: 6, max: 6, mean: 6, std: 0, nonfinite: 0, n: 1 };
  op.var = "y";
  op.grad = null;
  const { root, model } = show(data);
  const box = root.querySelector(`[data-id="${op.id}"]`) as Element;
  expect(box.textContent).toContain("y = mul");
  expect(box.querySelector(".edt-sub")?.textContent).toBe("6");
  model.set("selected", op.id);
  const detail = root.querySelector("[data-testid=detail]") as Element;
  expect(detail.textContent).toContain("y = mul");
  expect(detail.textContent).not.toContain("mean, deviation");
});

test("gradients_of_nan_have_no_norm_and_means_are_called_finite", () => {
  const data = scalars();
  const [op] = data.nodes.filter((n) => n.kind === "op");
  const stats = { min: 1, max: 2, mean: 1, std: 1, nonfinite: 3, n: 5 };
  [op.stats, op.grad] = [stats, { norm: null, ...stats }];
  const { root, model } = show(data);
  model.set("selected", op.id);
  const grad = root.querySelector("[data-testid=grad]") as Element;
  expect(grad.querySelector("dd")?.textContent).toBe("⚠ nan/inf");
  expect(grad.textContent).toContain("mean, deviation (finite)");
});

test("where_training_is_stopped_the_box_is_lit_and_what_is_to_come_not_yet", () => {
  const data = scalars();
  const ops = data.nodes.filter((n) => n.kind === "op");
  for (const op of ops) op.grad = null;
  const grad = { norm: 1, min: 1, max: 1, mean: 1, std: 0, nonfinite: 0, n: 1 };
  ops[ops.length - 1].grad = grad;
  const now = ops[ops.length - 1].id;
  const { root } = show({ ...data, pending: true, now });
  const lit = [...root.querySelectorAll(".edt-now")];
  expect(lit.map((box) => box.getAttribute("data-id"))).toEqual([now]);
  const foot = () => root.querySelector(`[data-id="${ops[0].id}"] .edt-foot`);
  expect(foot()?.textContent).toBe("∇ not yet");
  dispose();
  const after = show({ ...data, pending: false, now: "" }).root;
  expect(after.querySelectorAll(".edt-now")).toHaveLength(0);
  const none = after.querySelector(`[data-id="${ops[0].id}"] .edt-foot`);
  expect(none?.textContent).toBe("∇ none");
});
