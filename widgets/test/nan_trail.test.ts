/** NaNTrail. */
import { afterEach, expect, test } from "vitest";
import widgets from "../src/index";
import { endWords, head, operandRange, rangeWords } from "../src/nan_text";
import type { NanBox, NanData, NanRange } from "../src/nan_types";
import { FakeModel } from "./fake_model";
import { HOSTILE } from "./graph_samples";

let dispose = () => {};

const RANGES: NanRange[] = [
  { min: -1, max: 3, nan: 0, posinf: 1, neginf: 0, n: 4 },
  { min: null, max: null, nan: 1, posinf: 0, neginf: 0, n: 1 },
  { min: -4.24e20, max: 0.01234, nan: 0, posinf: 0, neginf: 0, n: 12 },
  { min: 0, max: 0, nan: 2, posinf: 1, neginf: 3, n: 100 },
];

function box(name: string, more: Partial<NanBox> = {}): NanBox {
  return {
    kind: "op",
    name,
    var: "",
    attrs: "",
    module: "",
    src: { file: "/home/me/train.py", line: 7, func: "f", text: `y = ${name}(x)` },
    shape: [4],
    dtype: "float32",
    result: RANGES[3],
    operands: [{ name: "x", shape: [4], dtype: "float32", range: RANGES[2] }],
    ...more,
  };
}

function found(...trail: NanBox[]): NanData {
  const finding = {
    step: 3,
    where: "forward",
    kind: "op",
    rule: "log made 1 nan of 4 values out of finite values",
    reached: "loss",
    root: 0,
    left_out: 0,
    trail,
  };
  return { v: 1, rev: 2, step: 3, checked: 40, suspects: 0, finding };
}

function show(data: unknown) {
  const model = new FakeModel({ view: "nan", data, frozen: false, status: "" });
  const el = document.createElement("div");
  document.body.append(el);
  dispose = widgets.render({ model, el });
  const root = el.querySelector(".edutorch-nan") as HTMLElement;
  const trail = root.querySelector(".edt-trail") as HTMLElement;
  const press = (key: string) =>
    trail.dispatchEvent(new KeyboardEvent("keydown", { key }));
  const selected = () =>
    [...trail.children].findIndex(
      (item) => item.getAttribute("aria-selected") === "true",
    );
  return { model, root, trail, press, selected };
}

afterEach(() => {
  dispose();
  dispose = () => {};
  document.body.replaceChildren();
});

test("trail_has_a_box_for_each_op_and_the_first_shows_its_operands", () => {
  const { trail, root } = show(found(box("log"), box("mul"), box("sum")));
  const words = [...trail.children].map((item) => item.textContent);
  expect(words[0]).toContain("First: log✕ 2 nan, 1 inf, 3 -inf of 100 values");
  expect(words[0]).toContain("me/train.py:7: y = log(x)");
  expect(words[0]).toContain("x 4-4.24e+20 to 0.0123");
  expect(words[2]).toContain("Loss: sum");
  expect(words[1]).not.toContain("0.0123");
  expect(root.textContent).toContain("✕ step 3: log made 1 nan");
  expect(root.textContent).toContain("It reached the loss.");
});

test("arrow_keys_go_along_the_trail_and_r_back_to_the_root", () => {
  const { press, selected, trail } = show(found(box("log"), box("mul"), box("sum")));
  expect(selected()).toBe(0);
  press("ArrowDown");
  expect(selected()).toBe(1);
  expect(trail.children[1].textContent).toContain("0.0123");
  expect(trail.getAttribute("aria-activedescendant")).toBe(trail.children[1].id);
  press("End");
  press("ArrowDown");
  expect(selected()).toBe(2);
  press("r");
  expect(selected()).toBe(0);
});

test("bar_says_how_many_steps_are_watched", () => {
  const words = () => document.querySelector('[data-testid="pace"]')?.textContent;
  const { model } = show({ ...found(box("log")), pace: "watching 1 of 4 steps" });
  expect(words()).toBe("watching 1 of 4 steps");
  dispose();
  document.body.replaceChildren();
  show({ ...found(box("log")), pace: { forged: true } });
  expect(words()).toBe("");
  expect(model.get("frozen")).toBe(false);
});

test("box_is_selected_by_a_click", () => {
  const { trail, selected } = show(found(box("log"), box("mul")));
  trail.children[1].dispatchEvent(new MouseEvent("click", { bubbles: true }));
  expect(selected()).toBe(1);
});

test("nothing_wrong_is_said_with_what_may_be_meant", () => {
  const { root, trail, model } = show({});
  expect(trail.hidden).toBe(true);
  expect(root.textContent).toContain("is checked as it is computed");
  dispose();
  const calm = show({ ...found(), finding: null, suspects: 1 });
  expect(calm.root.textContent).toContain("up to step 3. 1 value has infinities");
  dispose();
  const earlier = "step 1: log made 1 nan";
  const after = show({ ...found(), finding: null, earlier });
  expect(after.root.textContent).toContain("up to step 3. Before that, step 1: log");
  dispose();
  expect(model.listening).toBe(0);
});

test("names_stay_text", () => {
  const boxes = HOSTILE.map((name) => box(name, { var: name, module: name }));
  const { root } = show(found(...boxes));
  expect(root.querySelector("img, script, svg[onload]")).toBeNull();
  expect(root.textContent).toContain(HOSTILE[0]);
});

test("view_when_disposed_listens_to_nothing", () => {
  const { model } = show(found(box("log")));
  dispose();
  expect(model.listening).toBe(0);
});

test("words_agree_with_python", async () => {
  const heads = ["op", "backward", "leaf", "gradient", "input", "parameter", "update"]
    .concat("earlier")
    .map((kind) => ({ kind, name: kind === "input" ? "" : "x", var: "y", module: "0" }))
    .map((given) => ({ given, words: head(given) }));
  const ranges = RANGES.map((given) => ({ given, words: rangeWords(given) }));
  const ends = ["", "loss", "gradient", "nothing"].flatMap((reached) =>
    [0, 7].map((left_out) => ({
      given: { reached, left_out },
      words: endWords({ reached, left_out }),
    })),
  );
  const operands = ["bool", "int64", "float32"].map((dtype) => {
    const given = { name: "", shape: [2], dtype, range: null };
    return { given, words: operandRange(given) };
  });
  const text = `${JSON.stringify({ heads, ranges, ends, operands }, null, 1)}\n`;
  await expect(text).toMatchFileSnapshot("fixtures/nan_trail/words.json");
});
