import { afterEach, beforeEach, expect, test, vi } from "vitest";
import widgets from "../src/index";
import { FakeModel } from "./fake_model";

let dispose = () => {};

function show(answer: FakeModel["answer"], traits: Record<string, unknown> = {}) {
  const state = { mode: "idle", granularity: "op", at: "" };
  const model = new FakeModel({
    view: "live",
    state,
    frozen: false,
    status: "",
    ...traits,
  });
  model.answer = answer;
  const el = document.createElement("div");
  document.body.append(el);
  dispose = widgets.render({ model, el });
  const root = el.querySelector(".edutorch-live") as HTMLElement;
  const part = <T extends HTMLElement>(id: string) =>
    root.querySelector(`[data-testid="${id}"]`) as T;
  const sent = () => model.sent.map((m) => m.cmd);
  return { model, el, root, part, sent };
}

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  dispose();
  dispose = () => {};
  vi.useRealTimers();
  document.body.replaceChildren();
});

const live = (mode: string, at = "") => ({ ack: 1, live: true, state: { mode, at } });

test("hello_is_repeated_until_the_kernel_hears_on_another_thread", () => {
  let hellos = 0;
  const { root, sent, part } = show(() => ({ ack: 1, live: ++hellos >= 3 }));
  expect(part("mode").textContent).toBe("connecting …");
  expect(root.dataset.live).toBeUndefined();
  vi.advanceTimersByTime(250);
  expect(root.dataset.live).toBe("1");
  vi.advanceTimersByTime(200);
  expect(sent().filter((cmd) => cmd === "hello")).toHaveLength(3);
});

test("without_an_answer_the_buttons_say_inactive_and_can_try_again", () => {
  const { root, sent, part, model } = show(() => ({ ack: 1, live: false }));
  vi.advanceTimersByTime(10_000);
  // 41 in the first 4 s, then once a second
  expect(sent().filter((cmd) => cmd === "hello")).toHaveLength(47);
  expect(part("mode").textContent).toMatch(/^inactive: /);
  expect(part<HTMLButtonElement>("pause").disabled).toBe(true);
  expect(root.dataset.live).toBeUndefined();
  model.answer = () => live("running");
  part("retry").click();
  expect(root.dataset.live).toBe("1");
  expect(part("mode").textContent).toBe("running");
});

test("a_kernel_that_hears_late_is_found_without_a_click", () => {
  const { root, model } = show(() => ({ ack: 1, live: false }));
  vi.advanceTimersByTime(8_000);
  model.answer = () => live("idle");
  vi.advanceTimersByTime(1_000);
  expect(root.dataset.live).toBe("1");
});

test("a_kernel_that_is_silent_is_asked_seldom", () => {
  const { sent, model, root } = show(() => null);
  vi.advanceTimersByTime(4_000);
  const before = sent().length;
  vi.advanceTimersByTime(300_000);
  expect(sent().length - before).toBeLessThanOrEqual(11);
  model.emit("msg:custom", { ack: 1, live: false }); // what lay in its queue
  model.answer = () => live("idle");
  vi.advanceTimersByTime(1_000);
  expect(root.dataset.live).toBe("1");
});

test("buttons_send_commands_and_follow_the_replies", () => {
  const { model, part } = show(() => live("running"));
  model.answer = ({ cmd }) => live(cmd === "resume" ? "running" : "paused", "conv2d");
  part("pause").click();
  expect(part("mode").textContent).toBe("paused");
  expect(part("at").textContent).toBe("conv2d");
  expect(part<HTMLButtonElement>("pause").disabled).toBe(true);
  part<HTMLSelectElement>("granularity").value = "module";
  part("step").click();
  expect(model.sent[model.sent.length - 1]).toEqual({
    cmd: "step",
    granularity: "module",
  });
  part("resume").click();
  expect(part("mode").textContent).toBe("running");
  expect(part<HTMLButtonElement>("step").disabled).toBe(true);
});

test("state_is_asked_for_twice_a_second_while_live", () => {
  const { sent, model, part } = show(() => live("running"));
  model.answer = () => ({
    ack: 1,
    state: { mode: "paused", at: "relu in features.1" },
  });
  vi.advanceTimersByTime(2000);
  expect(sent().filter((cmd) => cmd === "state")).toHaveLength(4);
  expect(part("at").textContent).toBe("relu in features.1");
});

test("a_mode_of_inactive_is_told", () => {
  const { root, part } = show(() => live("inactive"));
  expect(root.dataset.live).toBeUndefined();
  expect(part("mode").textContent).toMatch(/^inactive: /);
});

test("a_frozen_control_asks_nothing", () => {
  const { sent, part } = show(() => live("running"), { frozen: true });
  vi.advanceTimersByTime(5000);
  expect(sent()).toEqual([]);
  expect(part("mode").textContent).toMatch(/^inactive: /);
});

test("strange_messages_are_ignored", () => {
  const { model, root } = show(() => live("running"));
  for (const message of [undefined, {}, { ack: 0, live: false }, { live: false }])
    model.emit("msg:custom", message);
  expect(root.dataset.live).toBe("1");
});

test("disposal_stops_timers_and_listeners", () => {
  const { model, sent } = show(() => ({ ack: 1, live: false }));
  dispose();
  const before = sent().length;
  vi.advanceTimersByTime(5000);
  expect(sent()).toHaveLength(before);
  expect(model.listening).toBe(0);
});

test("a_kernel_that_answers_no_more_is_taken_for_gone_until_it_answers", () => {
  const { model, part, root } = show(() => live("running"));
  model.answer = () => {
    throw new Error("Cannot send");
  };
  vi.advanceTimersByTime(12_000);
  expect(root.dataset.live).toBeUndefined();
  expect(part("mode").textContent).toContain("does not respond");
  expect(part<HTMLButtonElement>("pause").disabled).toBe(true);
  expect(part("retry").hidden).toBe(false);
  model.answer = () => live("idle");
  part("retry").click();
  expect(root.dataset.live).toBe("1");
});

test("after_a_click_the_place_is_asked_for_soon_until_it_is_known", () => {
  const { model, part, sent } = show(() => live("paused", "relu"));
  let asked = 0;
  model.answer = () => live("paused", ++asked > 3 ? "mul" : "");
  part("step").click();
  vi.advanceTimersByTime(350);
  expect(part("at").textContent).toBe("mul");
  const before = sent().length;
  vi.advanceTimersByTime(120);
  expect(sent().length - before).toBeLessThan(2);
});
