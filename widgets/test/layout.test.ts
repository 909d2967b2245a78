import { expect, test } from "vitest";
import { autoExpanded, fold, openTo } from "../src/fold";
import type { GraphData } from "../src/graph_types";
import { boxWidth, type Layout, layout, type Rect } from "../src/layout";
import {
  attention,
  Builder,
  chain,
  lenet,
  residual,
  rnn,
  stacked,
  tied,
  unlike,
} from "./graph_samples";

function lay(data: GraphData, depth: number, ...more: string[]) {
  const open = openTo(data, depth);
  for (const id of more) open.add(id);
  const folded = fold(data, open);
  return { folded, placed: layout(folded) };
}

function overlap(a: Rect, b: Rect): boolean {
  const gap = 0.01;
  return (
    a.x + a.w > b.x + gap &&
    b.x + b.w > a.x + gap &&
    a.y + a.h > b.y + gap &&
    b.y + b.h > a.y + gap
  );
}

/** No two boxes overlap, every box lies within its frame, all within the page. */
function check({ folded, placed }: ReturnType<typeof lay>) {
  const rects = folded.boxes.map((b) => placed.rects.get(b.id) as Rect);
  const byY = folded.boxes.map((_, i) => i).sort((i, j) => rects[i].y - rects[j].y);
  byY.forEach((i, k) => {
    for (let m = k + 1; m < byY.length; m++) {
      const j = byY[m];
      if (rects[j].y > rects[i].y + rects[i].h) break;
      if (folded.boxes[i].parent !== folded.boxes[j].parent) continue;
      if (overlap(rects[i], rects[j]))
        throw new Error(`${folded.boxes[i].id} overlaps ${folded.boxes[j].id}`);
    }
  });
  folded.boxes.forEach((box, i) => {
    const page = { x: 0, y: 0, w: placed.width, h: placed.height };
    const outer = placed.rects.get(box.parent) ?? page;
    const r = rects[i];
    expect(r.x).toBeGreaterThanOrEqual(outer.x - 0.01);
    expect(r.y).toBeGreaterThanOrEqual(outer.y - 0.01);
    expect(r.x + r.w).toBeLessThanOrEqual(outer.x + outer.w + 0.01);
    expect(r.y + r.h).toBeLessThanOrEqual(outer.y + outer.h + 0.01);
  });
}

test("rounds_that_all_feed_one_operation_share_a_line", () => {
  const width = (steps: number) => lay(unlike(stacked(steps)), 9).placed.width;
  expect(width(12)).toBe(width(6));
  const { routes } = lay(unlike(stacked(12)), 9).placed;
  const last = routes[routes.length - 1].to;
  const into = routes.filter((r) => r.to === last);
  expect(into).toHaveLength(12);
  const ends = into.slice(0, -1).map((r) => String(r.points.slice(-3)));
  expect(new Set(ends).size).toBe(1);
  expect(into.some((r) => r.long)).toBe(false);
});

const repeats = (path: string) => [`r:${path}`];

test.each([
  ["lenet", lay(lenet(), 9)],
  ["residual", lay(residual(30), 9, ...repeats("blocks.0"))],
  ["rnn", lay(unlike(rnn(40)), 9)],
  ["loop", lay(rnn(40), 9, "l:op4*40", "l:op24*4")],
  ["stacked", lay(stacked(14), 9)],
  ["attention", lay(attention(12, 2), 9, "r:layers.0.head0", "r:layers.1.head0")],
  ["attention_half", lay(attention(12), 2, "layers.0.head3", "layers.0.head7")],
  ["tied", lay(tied(), 9)],
  ["folded", lay(tied(), 0)],
])("layout_of_%s_has_no_overlaps", (_name, graph) => {
  check(graph);
  check({ ...graph, placed: layout(graph.folded, "right") });
});

test("layout_to_the_right_keeps_a_chain_level_and_sends_edges_rightwards", () => {
  const { folded } = lay(lenet(), 1);
  const placed = layout(folded, "right");
  const middles = folded.boxes
    .filter((b) => b.kind === "op" || b.kind === "module")
    .map((b) => placed.rects.get(b.id) as Rect)
    .map((r) => Math.round(r.y + r.h / 2));
  expect(new Set(middles).size).toBe(1);
  for (const { points, to, from } of placed.routes) {
    for (let i = 1; i < points.length; i++)
      expect(points[i][0]).toBeGreaterThanOrEqual(points[i - 1][0]);
    const [a, b] = [placed.rects.get(from), placed.rects.get(to)];
    if (a) expect(points[0][0]).toBeCloseTo(a.x + a.w);
    if (b) expect(points[points.length - 1][0]).toBeCloseTo(b.x);
  }
});

test("a_frame_to_the_right_is_as_wide_as_its_title", () => {
  const { folded } = lay(residual(3), 9, "r:blocks.0");
  const { rects } = layout(folded, "right");
  for (const box of folded.boxes) {
    if (box.kind !== "frame") continue;
    const letters = Math.min(34, box.title.length);
    expect(rects.get(box.id)?.w).toBeGreaterThan(letters * 8);
  }
});

test("layout_of_deeper_graphs_is_not_wider", () => {
  const width = (data: GraphData, ...open: string[]) =>
    lay(data, 9, ...open).placed.width;
  const few = width(residual(5), "r:blocks.0");
  expect(width(unlike(residual(100)))).toBe(few);
  expect(width(unlike(rnn(100)))).toBeLessThan(width(rnn(6)) * 1.25);
  expect(width(unlike(chain(500)))).toBe(width(chain(5)));
});

test("layout_keeps_a_chain_upright", () => {
  const { folded, placed } = lay(lenet(), 1);
  const middles = folded.boxes
    .filter((b) => b.kind === "op" || b.kind === "module")
    .map((b) => placed.rects.get(b.id) as Rect)
    .map((r) => Math.round(r.x + r.w / 2));
  expect(new Set(middles).size).toBe(1);
});

test("layout_sends_every_edge_downwards_from_box_to_box", () => {
  const { folded, placed } = lay(residual(4), 9, "r:blocks.0");
  for (const { points, to, from } of placed.routes) {
    for (let i = 1; i < points.length; i++)
      expect(points[i][1]).toBeGreaterThanOrEqual(points[i - 1][1]);
    const a = placed.rects.get(from);
    const b = placed.rects.get(to);
    if (a) expect(points[0][1]).toBeCloseTo(a.y + a.h);
    if (b) expect(points[points.length - 1][1]).toBeCloseTo(b.y);
  }
  const ends = placed.routes.filter((r) => r.arrow).length;
  expect(ends).toBe(folded.edges.length);
});

test("layout_of_a_growing_graph_moves_nothing", () => {
  const rects = (n: number): Layout["rects"] => lay(chain(n), 0).placed.rects;
  const [before, after] = [rects(20), rects(21)];
  for (const [id, rect] of before) expect(after.get(id)).toEqual(rect);
});

test("layout_of_a_cycle_draws_all_boxes", () => {
  const b = new Builder();
  const first = b.op("relu", [], [2]);
  const last = b.op("tanh", [b.op("mul", [first], [2])], [2]);
  b.data.edges.push([last, first]);
  check(lay(b.data, 0));
});

test.each([
  ["chain", unlike(chain(10_000)), []],
  ["rnn", unlike(rnn(1_400)), []],
  ["residual", unlike(residual(1_100)), []],
] as [string, GraphData, string[]][])(
  "layout_of_10000_nodes_in_a_%s_is_not_quadratic",
  (_name, data, more) => {
    expect(data.nodes.length).toBeGreaterThan(7_000);
    const t0 = performance.now();
    const graph = lay(data, 9, ...more);
    const took = performance.now() - t0;
    expect(graph.folded.boxes.length).toBeGreaterThan(7_000);
    expect(took).toBeLessThan(20_000); // under a second, or minutes
    check(graph);
  },
);

test("layout_of_an_automatic_depth_is_quick_enough_for_ten_frames_a_second", () => {
  const data = residual(300);
  const t0 = performance.now();
  layout(fold(data, autoExpanded(data)));
  expect(performance.now() - t0).toBeLessThan(3000);
});

test("boxWidth_depends_on_texts_alone_and_has_bounds", () => {
  const box = fold(chain(1), new Set()).boxes[0];
  expect(boxWidth({ ...box, title: "x" })).toBe(104);
  const long = boxWidth({ ...box, title: "x".repeat(999), sub: "y".repeat(999) });
  expect(long).toBeLessThanOrEqual(312);
});
