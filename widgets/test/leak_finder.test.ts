/** LeakFinder. */
import { afterEach, expect, test } from "vitest";
import widgets from "../src/index";
import { plots } from "../src/leak_chart";
import { holderWords, lookedWords, placeOf, rowWords } from "../src/leak_text";
import type { LeakAnswer, LeakData, LeakRow } from "../src/leak_types";
import { FakeModel } from "./fake_model";
import { HOSTILE } from "./graph_samples";

let dispose = () => {};

const STEPS = [0, 1, 2, 3];

function row(id: number, more: Partial<LeakRow> = {}): LeakRow {
  return {
    id,
    src: { file: "/home/me/train.py", line: id, func: "f", text: `y${id} = f(x)` },
    name: "",
    count: 2,
    bytes: 2048,
    nodes: 5,
    bytes_per_step: 4,
    nodes_per_step: 2.5,
    state: "leak",
    rule: "graph nodes grew in 8 of the last 8 steps",
    bytes_at: [0, 512, 1024, 2048],
    nodes_at: [0, 1, 3, 5],
    ...more,
  };
}

function answer(line: number, more: Partial<LeakAnswer> = {}): LeakAnswer {
  const src = {
    file: "/home/me/train.py",
    line: 9,
    func: "",
    text: "losses.append(l)",
  };
  const code = (text: string) => ({
    code: text,
    what: `what of ${text}`,
    kind: "index",
  });
  return {
    line,
    src,
    name: "",
    what: "MeanBackward0",
    sought: 20,
    found: 20,
    lost_bytes: 0,
    holders: [["losses", 20]],
    paths: [
      {
        root: "losses",
        words: "a variable of the notebook",
        what: "list of 20",
        hops: [code("[18]"), code(".grad_fn")],
      },
    ],
    cause: {
      kind: "kept",
      title: "A container keeps tensors with their graphs",
      why: "losses keeps a tensor for each time this line runs.",
      src,
      how: "change it to",
      change: "losses.append(l.item())",
      also: null,
    },
    objects: 4461,
    seconds: 0.0123,
    cut: false,
    step: 20,
    ...more,
  };
}

function found(lines: LeakRow[], answers: LeakAnswer[] = []): LeakData {
  return {
    v: 1,
    rev: 3,
    title: "the graphs of 2 lines stay alive from step to step",
    step: 4,
    steps: STEPS,
    bytes: [0, 600, 1200, 2400],
    nodes: [0, 1, 3, 5],
    lines,
    left_out: 0,
    answers,
    seconds: 2,
  };
}

function show(data: unknown, frozen = false) {
  const model = new FakeModel({ view: "leaks", data, frozen, status: "" });
  const el = document.createElement("div");
  document.body.append(el);
  dispose = widgets.render({ model, el });
  const root = el.querySelector(".edutorch-leaks") as HTMLElement;
  const list = root.querySelector(".edt-lines") as HTMLElement;
  const chart = root.querySelector(".edt-chart") as HTMLElement;
  const press = (where: HTMLElement, key: string) =>
    where.dispatchEvent(new KeyboardEvent("keydown", { key }));
  const selected = () =>
    [...list.children].findIndex((i) => i.getAttribute("aria-selected") === "true");
  return { model, root, list, chart, press, selected };
}

afterEach(() => {
  dispose();
  dispose = () => {};
  document.body.replaceChildren();
});

test("list_has_each_line_with_its_growth_and_the_path_is_told", () => {
  const { root, list } = show(found([row(3), row(7, { state: "" })], [answer(3)]));
  expect(root.textContent).toContain("✕ The graphs of 2 lines stay alive");
  expect(list.children[0].textContent).toContain("me/train.py:3: y3 = f(x)");
  expect(list.children[0].textContent).toContain("+2.5 nodes per step");
  expect(list.children[1].textContent).not.toContain("per step");
  const hops = [...root.querySelectorAll(".edt-path code")].map((e) => e.textContent);
  expect(hops).toEqual(["losses", "[18]", ".grad_fn"]);
  const change = root.querySelector(".edt-change [data-new]");
  expect(change?.textContent).toBe("change it tolosses.append(l.item())");
});

test("charts_have_a_path_for_all_and_for_each_line", () => {
  const { chart } = show(found([row(3), row(7)]));
  expect(chart.querySelectorAll(".edt-level").length).toBe(2);
  expect(chart.querySelectorAll("path").length).toBe(2 + 2 * 2);
});

test("charts_are_as_high_as_the_screen_allows", () => {
  const asked: number[] = [];
  const chart = (full: number, rows: number) => {
    asked.push(rows);
    return 3 * full;
  };
  const [wide, narrow] = [plots(900, chart), plots(400, chart)];
  expect(asked).toEqual([1, 2]);
  expect(wide.plots[0].height).toBe(3 * plots(900).plots[0].height);
  expect(narrow.plots[1].top).toBeGreaterThan(wide.plots[0].height);
  expect(narrow.height).toBeGreaterThan(2 * narrow.plots[0].height);
});

test("arrow_keys_read_the_chart", () => {
  const { root, chart, press } = show(found([row(3)]));
  const readout = () => root.querySelector(".edt-readout")?.textContent;
  press(chart, "ArrowLeft");
  expect(readout()).toBe("step 3 · bytes 2.3 KB · me/train.py:3 2.0 KB");
  press(chart, "ArrowDown");
  press(chart, "ArrowLeft");
  expect(readout()).toBe("step 2 · graph nodes 3 · me/train.py:3 3");
  press(chart, "Escape");
  expect(readout()).toContain("Hover over a chart");
});

test("line_is_chosen_by_keys_and_enter_asks_about_it", () => {
  const { model, root, list, press, selected } = show(found([row(3), row(7)]));
  press(list, "ArrowDown");
  expect(selected()).toBe(1);
  press(list, "Enter");
  expect(model.get("ask")).toEqual([7, 1]);
  expect(root.textContent).toContain("The search starts when the running cell ends");
  press(list, "Enter");
  expect(model.get("ask")).toEqual([7, 2]);
  press(list, "Home");
  expect(selected()).toBe(0);
});

test("answer_that_arrives_ends_the_waiting", async () => {
  const { model, root, list, press } = show(found([row(3)]));
  press(list, "Enter");
  model.set("data", found([row(3)], [answer(3)]));
  await new Promise((done) => setTimeout(done, 250));
  expect(root.textContent).not.toContain("as soon as the running cell");
  expect(root.querySelectorAll("article").length).toBe(1);
});

test("answer_on_the_chosen_line_comes_first", () => {
  const answers = [answer(3), answer(7, { name: "seven" })];
  const { root, list, press } = show(found([row(3), row(7)], answers));
  press(list, "ArrowDown");
  expect(root.querySelector("article")?.textContent).toContain("seven");
});

test("without_a_kernel_what_was_found_is_shown_and_nothing_asked", () => {
  const { model, root, list, press } = show(found([row(3)], [answer(3)]), true);
  press(list, "Enter");
  expect(model.get("ask")).toBeUndefined();
  expect(root.textContent).toContain("found when this was recorded");
  const why = root.querySelector('[title^="Find the references"]') as HTMLElement;
  expect(why.hidden).toBe(true);
});

test("nothing_recorded_is_said", () => {
  const { root, chart, list } = show({});
  expect(root.textContent).toContain("Nothing recorded yet");
  expect(chart.hidden && list.hidden).toBe(true);
});

test("names_stay_text", () => {
  const lines = HOSTILE.map((name, i) => row(i, { src: null, name }));
  const { root } = show(found(lines, [answer(0, { name: HOSTILE[0] })]));
  expect(root.querySelector("img, script, svg[onload]")).toBeNull();
  expect(root.textContent).toContain(HOSTILE[0]);
});

test("view_when_disposed_listens_to_nothing", () => {
  const { model } = show(found([row(3)]));
  dispose();
  expect(model.listening).toBe(0);
});

test("words_agree_with_python", async () => {
  const rows = [
    row(3),
    row(6, { nodes_per_step: 1, bytes_per_step: 0 }),
    row(4, { state: "grows", nodes: 0, nodes_per_step: 0, count: 1, bytes: 12345678 }),
    row(5, { state: "", count: 0, nodes: 1 }),
    row(6, { src: null, name: "gradients", state: "", nodes: 12345 }),
  ].map((given) => ({ given, words: rowWords(given), place: placeOf(given) }));
  const answers = [
    answer(3),
    answer(4, { cut: true, holders: [], seconds: 2.005, objects: 1234567 }),
    answer(5, { sought: 1, holders: [["x", 1]] }),
  ].map((given) => ({
    given,
    looked: lookedWords(given),
    held: holderWords(given),
  }));
  const text = `${JSON.stringify({ rows, answers }, null, 1)}\n`;
  await expect(text).toMatchFileSnapshot("fixtures/leaks/words.json");
});
