import { expect, test } from "vitest";
import { CALLS, framesOf, type GraphNode } from "../src/course/graph_frames";
import { renderGraphPlayer } from "../src/course/graph_player";
import { FakeModel } from "./fake_model";

function node(name: string, op: string, inputs = "", x = 0, y = 0): GraphNode {
  return { name, op, inputs: inputs.split(" ").filter(Boolean), x, y };
}

const GRAPHS: Record<string, GraphNode[]> = {
  square: [
    node("a", "leaf"),
    node("b", "leaf", "", 1),
    node("y", "mul", "a b", 1, 1),
    node("z", "add", "y a", 0, 2),
    node("L", "mul", "z z", 0, 3),
  ],
  one: [
    node("a", "leaf"),
    node("y", "sub", "a a", 0, 1),
    node("L", "mul", "y a", 0, 2),
  ],
  detached: [
    node("a", "leaf"),
    node("b", "leaf", "", 1),
    node("z", "sub", "a b", 0, 1),
    node("c", "detach", "z", 1, 2),
    node("L", "mul", "z c", 0, 3),
  ],
};

test("steps_agree_with_python", async () => {
  const cases = Object.entries(GRAPHS).flatMap(([name, nodes]) =>
    CALLS.flatMap((calls) =>
      [
        { a: 3, b: 4 },
        { a: -2, b: 5 },
        { a: 0, b: -1 },
      ].map((leaves) => ({
        name,
        nodes,
        leaves,
        calls,
        frames: framesOf(nodes, leaves, calls),
      })),
    ),
  );
  const text = `${JSON.stringify(cases)}\n`;
  await expect(text).toMatchFileSnapshot("fixtures/graph_player/frames.json");
});

const frame = () => new Promise((done) => requestAnimationFrame(() => done(null)));

function show(data = {}) {
  const el = document.createElement("div");
  document.body.append(el);
  const state = { graphs: GRAPHS, graph: "square", leaves: { a: 3, b: 4 } };
  const model = new FakeModel({ data: { ...state, calls: "once", ...data } });
  const end = renderGraphPlayer(model, el);
  const find = (id: string) => el.querySelector(`[data-testid="${id}"]`) as HTMLElement;
  const told = () => find("words").textContent ?? "";
  const text = (name: string) =>
    el.querySelector(`[data-node="${name}"]`)?.textContent ?? "";
  const press = async (key: string) => {
    find("board").dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    await frame();
  };
  const click = async (id: string) => {
    find(id).click();
    await frame();
  };
  const set = async (id: string, value: string, event: string) => {
    (find(id) as HTMLInputElement).value = value;
    find(id).dispatchEvent(new Event(event));
    await frame();
  };
  return { el, end, find, told, text, press, click, set };
}

test("nothing_is_known_at_first_but_the_leaves", () => {
  const { end, told, text, el } = show();
  expect(told()).toBe("a = 3 and b = 4 are leaves: given, not computed.");
  expect(text("a")).toBe("a3");
  expect(text("y")).toBe("y = a · b?");
  expect(el.querySelectorAll(".egp-used").length).toBe(0);
  end();
});

test("arrow_keys_go_forward_and_backward_and_stop_at_the_ends", async () => {
  const { end, told, text, press } = show();
  await press("ArrowLeft");
  await press("ArrowRight");
  expect(told()).toBe("y = a · b = 3 · 4 = 12");
  await press("End");
  await press("ArrowRight");
  expect(told()).toContain("30 + 120 = 150");
  expect(text("a")).toBe("a3∇ 150");
  expect(text("b")).toBe("b4∇ 90");
  await press("Home");
  expect(text("b")).toBe("b4");
  end();
});

test("buttons_go_from_step_to_step_and_the_log_grows", async () => {
  const { end, told, find, click } = show();
  await click("step");
  await click("step");
  expect(told()).toMatch(/^z = y \+ a/);
  await click("back");
  expect(told()).toMatch(/^y = a · b/);
  expect(find("log").querySelectorAll("li:not(.egp-to-come)").length).toBe(2);
  await click("last");
  expect(find("log").querySelectorAll(".egp-to-come").length).toBe(0);
  await click("first");
  expect(told()).toMatch(/^a = 3/);
  end();
});

test("click_on_a_node_goes_to_its_value_and_then_to_its_gradient", async () => {
  const { end, el, told } = show();
  const click = async () => {
    const box = el.querySelector('[data-node="y"] rect') as Element;
    box.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    await frame();
  };
  await click();
  expect(told()).toMatch(/^y = a · b/);
  await click();
  expect(told()).toMatch(/^y passes on: to a 30 · 4/);
  await click();
  expect(told()).toMatch(/^y = a · b/);
  end();
});

test("leaves_change_the_numbers_of_the_step_that_is_shown", async () => {
  const { end, told, press, set } = show();
  await press("End");
  await set("a", "-2", "input");
  expect(told()).toContain("passes on: to a (-20) · 4 = -80");
  end();
});

test("second_backward_adds_to_the_leaves_alone", async () => {
  const { end, text, press, set } = show();
  await set("calls", CALLS[1], "change");
  await press("End");
  expect(text("a")).toBe("a3∇ 300");
  expect(text("z")).toBe("z = y + a15∇ 30");
  await set("calls", CALLS[2], "change");
  await press("End");
  expect(text("a")).toBe("a3∇ 150");
  end();
});

test("constant_gets_no_gradient_and_a_graph_without_b_says_so", async () => {
  const { end, find, text, press, set } = show();
  await set("graph", "detached", "change");
  await press("End");
  expect(text("c")).toBe("c = z.detach()-1");
  expect(text("a")).toBe("a3∇ -1");
  await set("graph", "one", "change");
  expect((find("b") as HTMLInputElement).disabled).toBe(true);
  end();
});

test("play_goes_on_until_it_is_paused", async () => {
  const { end, find, told, click } = show();
  await click("play");
  expect(find("play").textContent).toBe("Pause");
  expect(told()).toMatch(/^y = a · b/);
  await click("play");
  expect(find("play").textContent).toBe("Play");
  end();
});
