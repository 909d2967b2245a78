import { expect, test } from "vitest";
import { autoExpanded, fold, openTo } from "../src/fold";
import {
  Builder,
  chain,
  HOSTILE,
  hostile,
  lenet,
  residual,
  rnn,
  scalars,
  tied,
} from "./graph_samples";

const none = new Set<string>();
const ids = (data: ReturnType<typeof lenet>, open: Set<string>) =>
  fold(data, open).boxes.map((b) => b.id);

test("fold_of_a_small_graph_draws_every_op_and_each_leaf_once", () => {
  const { boxes, edges } = fold(scalars(), none);
  expect(boxes.map((b) => b.title)).toEqual(["a", "b", "mul", "add", "mul"]);
  expect(edges.map((e) => [e.from, e.to])).toContainEqual(["op3", "op4"]);
});

test("fold_when_modules_are_closed_draws_one_box_for_each", () => {
  const { boxes } = fold(lenet(), none);
  const kinds = boxes.map((b) => `${b.kind} ${b.title}`);
  expect(kinds).toEqual([
    "input images",
    "module (features): Sequential",
    "op flatten",
    "module (classifier): Sequential",
    "input labels",
    "op cross_entropy",
  ]);
  expect(boxes[1].nodes).toHaveLength(10);
  expect(boxes[1].sub).toBe("64×16×4×4");
});

test("fold_when_a_module_is_open_frames_its_content", () => {
  const { boxes } = fold(lenet(), new Set(["features", "features.0"]));
  const inner = boxes.filter((b) => b.parent === "m:features.0").map((b) => b.title);
  expect(inner).toEqual(["weight", "bias", "conv2d"]);
  const frame = boxes.find((b) => b.id === "m:features.0");
  expect([frame?.kind, frame?.parent]).toEqual(["frame", "m:features"]);
});

test("fold_of_a_module_with_one_op_and_no_parameters_draws_the_op", () => {
  const open = new Set(["features"]);
  const inner = fold(lenet(), open).boxes.filter((b) => b.parent === "m:features");
  expect(inner.map((b) => b.title)).toEqual([
    "(0): Conv2d",
    "relu",
    "max_pool2d",
    "(3): Conv2d",
    "relu",
    "max_pool2d",
  ]);
});

test("fold_of_a_list_of_modules_around_one_call_draws_that_call", () => {
  const b = new Builder();
  for (const i of [0, 1]) {
    b.module(`heads.${i}`, "Linear");
    const w = b.leaf("param", `heads.${i}.weight`, [4, 4], `heads.${i}`);
    b.op("relu", [b.op("linear", [w], [2, 4], `heads.${i}`)], [2, 4]);
  }
  const titles = (open: Set<string>) =>
    fold(b.data, open)
      .boxes.filter((x) => x.kind === "module" || x.kind === "frame")
      .map((x) => `${x.kind} ${x.title}`);
  const folded = ["module (heads.0): Linear", "module (heads.1): Linear"];
  expect(titles(none)).toEqual(folded);
  expect(titles(new Set(["heads"]))).toEqual(folded);
  const open = new Set(["heads.1"]);
  expect(titles(open)).toEqual(["module (heads.0): Linear", "frame (heads.1): Linear"]);
  expect(fold(b.data, open).boxes.at(-2)?.parent).toBe("m:heads.1");
});

test("fold_of_alike_neighbours_makes_one_repeat_that_can_be_opened", () => {
  const open = new Set(["blocks"]);
  const folded = fold(residual(5), open).boxes.filter((b) => b.parent === "m:blocks");
  expect(folded.map((b) => b.title)).toEqual(["(0–4): Block ×5"]);
  open.add("r:blocks.0");
  const opened = fold(residual(5), open).boxes.filter((b) => b.parent === "m:blocks");
  expect(opened).toHaveLength(5);
});

test("fold_of_a_module_called_again_later_draws_it_twice_without_a_cycle", () => {
  const { boxes, edges } = fold(tied(), none);
  const bodies = boxes.filter((b) => b.path === "body" && b.kind === "module");
  expect(bodies.map((b) => b.id)).toEqual(["m:body", "m:body#2"]);
  const order = new Map(boxes.map((b, i) => [b.id, i]));
  for (const { from, to } of edges)
    expect(order.get(from)).toBeLessThan(order.get(to) as number);
});

test("fold_draws_shared_weights_once_for_each_call", () => {
  const { boxes } = fold(rnn(4), new Set(["cell"]));
  expect(boxes.filter((b) => b.title === "weight_hh")).toHaveLength(4);
  expect(new Set(boxes.map((b) => b.id)).size).toBe(boxes.length);
});

test("fold_names_a_tied_weight_in_full_where_it_does_not_belong", () => {
  const { boxes } = fold(tied(), new Set(["embed", "head"]));
  const copies = boxes.filter((b) => b.node === "t1").map((b) => [b.parent, b.title]);
  expect(copies).toEqual([
    ["m:embed", "weight"],
    ["m:head", "embed.weight"],
  ]);
});

test("fold_counts_every_node_once_or_more", () => {
  for (const data of [lenet(), residual(4), rnn(3), tied(), hostile()]) {
    const seen = new Set(fold(data, none).boxes.flatMap((b) => b.nodes));
    expect(seen.size).toBe(data.nodes.length);
  }
});

test("autoExpanded_lands_near_forty_boxes", () => {
  const boxes = (data: ReturnType<typeof lenet>) =>
    fold(data, autoExpanded(data)).boxes.filter((b) => b.kind !== "frame").length;
  expect(boxes(lenet())).toBe(25);
  expect(boxes(residual(200))).toBeLessThan(60);
  expect(autoExpanded(chain(9)).size).toBe(0);
});

test("openTo_takes_all_paths_down_to_a_depth", () => {
  expect([...openTo(lenet(), 1)].sort()).toEqual(["classifier", "features"]);
});

test("fold_of_strange_input_does_not_fail", () => {
  const b = new Builder();
  const deep = Array.from({ length: 5000 }, (_, i) => `m${i}`).join(".");
  const x = b.op("relu", [], [1], deep);
  b.data.edges.push([x, x], [x, "missing"], ["missing", x]);
  expect(fold(b.data, none).boxes).toHaveLength(1);
  expect(ids(hostile(), none)).toContain("t0");
  expect(fold(hostile(), none).boxes[0].title).toBe(HOSTILE[0]);
});
