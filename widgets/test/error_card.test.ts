/** ErrorCard. */
import { afterEach, expect, test } from "vitest";
import type { ErrorData } from "../src/error_types";
import widgets from "../src/index";
import { FakeModel } from "./fake_model";
import { HOSTILE } from "./graph_samples";

let dispose = () => {};

const product: ErrorData = {
  v: 1,
  rev: 1,
  type: "RuntimeError",
  message: "mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)",
  op: "matmul",
  attrs: "Mm()",
  module: "fc.0",
  hint: "transpose one of them",
  rule: "inner sizes must be equal: 3 and 4",
  right: false,
  src: { file: "train.py", line: 7, func: "f", text: "y = x @ w" },
  operands: [
    operand({ name: "x", shape: [2, 3], lit: [1] }),
    operand({ name: "w", role: "other", shape: [4, 5], lit: [0] }),
  ],
  changes: [],
  forward: null,
  graph: null,
};

function operand(own: object) {
  const rest = { dtype: "float32", device: "cpu", wrong: "" };
  return { name: "", role: "input", shape: [1], lit: [], ...rest, ...own };
}

function graph() {
  const rest = { var: "", cls: "", module: "", dtype: "float32", device: "cpu" };
  const more = { attrs: "", src: null, lib: null, stats: null, grad: null, bytes: 0 };
  const times = { fwd_us: null, bwd_us: null };
  const node = (id: string, kind: "op" | "param", name: string) => ({
    id,
    kind,
    name,
    shape: [2],
    ...rest,
    ...more,
    ...times,
  });
  const head = { v: 1, rev: 1, step: 0, phase: "forward" as const, recorded_step: 0 };
  return {
    ...head,
    dropped: 0,
    passes: 0,
    nodes: [node("t0", "param", "weight"), node("op0", "op", "matmul")],
    edges: [["t0", "op0"]] as [string, string][],
    modules: [],
  };
}

function show(data: unknown) {
  const model = new FakeModel({ view: "error", data, frozen: true, status: "" });
  const el = document.createElement("div");
  document.body.append(el);
  dispose = widgets.render({ model, el });
  const root = el.querySelector(".edutorch-error") as HTMLElement;
  const texts = (css: string) =>
    [...root.querySelectorAll(css)].map((e) => e.textContent);
  const toggle = root.querySelector('[data-testid="graph"]') as HTMLButtonElement;
  return { model, root, texts, toggle };
}

afterEach(() => {
  dispose();
  dispose = () => {};
  document.body.replaceChildren();
});

test("card_lights_the_sizes_that_disagree_and_no_others", () => {
  const { texts } = show(product);
  expect(texts(".edt-size")).toEqual(["2", "3", "4", "5"]);
  expect(texts(".edt-size[data-wrong]")).toEqual(["3", "4"]);
  expect(texts(".edt-rule")).toEqual(["inner sizes must be equal: 3 and 4"]);
  expect(texts(".edt-info")).toEqual(["RuntimeError in matmul, module fc.0"]);
});

test("operands_have_the_names_of_the_source_else_their_role", () => {
  const operands = [operand({ name: "x" }), operand({}), operand({ role: "" })];
  const { texts } = show({ ...product, operands });
  expect(texts("th")).toEqual(["x", "input", "operand 2"]);
});

test("shapes_of_a_broadcast_are_aligned_at_their_ends", () => {
  const operands = [operand({ shape: [2, 3, 4] }), operand({ shape: [5], lit: [0] })];
  const { root } = show({ ...product, right: true, operands });
  const cells = [...root.querySelectorAll("tr:nth-child(2) td")];
  expect(cells.slice(0, 3).map((cell) => cell.textContent)).toEqual(["", "", "5"]);
});

test("dtype_or_device_that_differs_is_lit", () => {
  const operands = [operand({}), operand({ dtype: "float64", wrong: "dtype" })];
  const { texts } = show({ ...product, operands });
  expect(texts(".edt-kind[data-wrong]")).toEqual(["float64"]);
});

test("every_row_says_aloud_what_is_wrong", () => {
  const { root } = show(product);
  const row = root.querySelector("tr");
  expect(row?.getAttribute("aria-label")).toBe(
    "x: shape 2×3, float32 on cpu; dimension 1 of size 3 does not match",
  );
});

test("lines_that_changed_a_saved_tensor_are_named", () => {
  const changes = [{ file: "train.py", line: 4, func: "f", text: "z.add_(1)" }];
  const forward = { file: "train.py", line: 2, func: "f", text: "z = y.exp()" };
  const { texts } = show({ ...product, changes, forward });
  expect(texts("dd").slice(0, 2)).toEqual([
    "train.py:4 z.add_(1)",
    "train.py:2 z = y.exp()",
  ]);
});

test("graph_opens_and_closes_with_a_click_or_key", () => {
  const { root, toggle } = show({ ...product, graph: graph() });
  expect(root.querySelector(".edutorch-graph")).toBeNull();
  toggle.click();
  expect(root.querySelector(".edutorch-graph")).not.toBeNull();
  expect(toggle.getAttribute("aria-expanded")).toBe("true");
  root.dispatchEvent(new KeyboardEvent("keydown", { key: "g" }));
  expect(toggle.getAttribute("aria-expanded")).toBe("false");
});

/** Show an element on the full screen, which jsdom does not know; null ends that. */
function enter(element: Element | null) {
  Object.defineProperty(document, "fullscreenElement", {
    value: element,
    configurable: true,
  });
  document.dispatchEvent(new Event("fullscreenchange"));
}

test("graph_opens_on_the_full_screen_and_stays_open_after_it", () => {
  const { root, toggle } = show({ ...product, graph: graph() });
  enter(document.body); // of another element
  expect(root.querySelector(".edutorch-graph")).toBeNull();
  enter(root);
  expect(root.querySelector(".edutorch-graph")).not.toBeNull();
  enter(null);
  expect(toggle.getAttribute("aria-expanded")).toBe("true");
});

test("card_without_a_graph_offers_none", () => {
  const { root, toggle } = show(product);
  expect(toggle.hidden).toBe(true);
  root.dispatchEvent(new KeyboardEvent("keydown", { key: "g" }));
  enter(root);
  enter(null);
  expect(root.querySelector(".edutorch-graph")).toBeNull();
});

test("empty_and_broken_data_do_not_fail", () => {
  for (const data of [{}, { operands: [operand({ shape: [] })] }]) {
    show(data);
    dispose();
  }
  dispose = () => {};
});

test("names_never_become_html", () => {
  const name = HOSTILE.join("\n");
  const src = { file: name, line: 1, func: name, text: name };
  const words = { type: name, op: name, attrs: name, hint: name, rule: name };
  const operands = [operand({ name, dtype: name })];
  const { root } = show({ ...product, ...words, src, changes: [src], operands });
  expect(root.querySelectorAll("script, img")).toHaveLength(0);
  expect(root.textContent).toContain("<");
});

test("nothing_listens_after_disposal", () => {
  const { model, toggle } = show({ ...product, graph: graph() });
  toggle.click();
  dispose();
  dispose = () => {};
  expect(model.listening).toBe(0);
});
