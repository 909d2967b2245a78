import { expect, test } from "vitest";
import { fold } from "../src/fold";
import { GraphState } from "../src/graph_state";
import { findLoops } from "../src/loops";
import { chain, rnn } from "./graph_samples";

const times = (n: number, ...iteration: string[]) => Array(n).fill(iteration).flat();

test("a_loop_is_found_between_what_stands_alone", () => {
  const marks = ["zeros", ...times(5, "select", "linear", "add", "tanh"), "sum"];
  expect(findLoops(marks)).toEqual([{ start: 1, period: 4, iterations: 5 }]);
});

test("few_repetitions_are_no_loop", () => {
  expect(findLoops(times(3, "add"))).toEqual([]);
  expect(findLoops(times(2, ...Array.from("abcdefgh")))).toEqual([]);
});

test("the_longest_repetition_wins_over_one_inside_it", () => {
  const marks = times(6, "add", "add", "add", "add", "tanh");
  expect(findLoops(marks)).toEqual([{ start: 0, period: 5, iterations: 6 }]);
});

test("a_long_loop_is_one_box_and_no_node_is_lost", () => {
  const data = rnn(120);
  const { boxes } = fold(data, new Set());
  expect(boxes.map((b) => b.title)).toEqual(["tokens", "loop ×120", "sum"]);
  const known = new Set(boxes.flatMap((b) => b.nodes));
  expect(known.size).toBe(data.nodes.length);
});

test("a_node_in_a_loop_is_found", () => {
  const state = new GraphState();
  const data = rnn(120);
  state.update(data);
  const tanh = data.nodes.filter((n) => n.name === "tanh")[77].id;
  state.unfoldTo(tanh);
  expect(state.boxOf(tanh)?.node).toBe(tanh);
  const titles = state.scene.folded.boxes.map((b) => b.title);
  expect(titles).toContain("iterations 71–80");
  const part = state.scene.folded.boxes.find((b) => b.title === "iterations 71–80");
  state.toggle(part as never); // a frame folds again
  expect(state.boxOf(tanh)?.kind).toBe("repeat");
});

test("a_short_graph_is_drawn_whole", () => {
  expect(fold(chain(60), new Set()).boxes).toHaveLength(60);
});
