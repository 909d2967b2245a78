/** Pictures on which Python and TypeScript must agree (`vitest -u` writes them anew). */
import { expect, test } from "vitest";
import type { Folded } from "../src/boxes";
import { autoExpanded, fold } from "../src/fold";
import { type Layout, layout } from "../src/layout";
import type { GraphData } from "../src/types";
import {
  attention,
  hostile,
  lenet,
  residual,
  rnn,
  scalars,
  stacked,
  tied,
} from "./samples";

const round = (x: number) => Math.round(x * 10) / 10 + 0;

function picture(folded: Folded, placed: Layout) {
  const boxes = folded.boxes.map((box) => {
    const { x, y, w, h } = placed.rects.get(box.id) ?? { x: -1, y: -1, w: -1, h: -1 };
    return { ...box, x: round(x), y: round(y), w: round(w), h: round(h) };
  });
  const routes = placed.routes.map((route) => ({
    ...route,
    points: route.points.map(([x, y]) => [round(x), round(y)]),
  }));
  const size = { width: round(placed.width), height: round(placed.height) };
  return { ...size, boxes, edges: folded.edges, routes };
}

function fixture(data: GraphData, expanded: string[] | null): string {
  const open = expanded ? new Set(expanded) : autoExpanded(data);
  const folded = fold(data, open);
  const expected = picture(folded, layout(folded));
  const opened = [...open].sort();
  return `${JSON.stringify({ data, auto: expanded === null, expanded: opened, expected }, null, 1)}\n`;
}

const CASES: [string, GraphData, string[] | null][] = [
  ["scalars", scalars(), null],
  ["lenet", lenet(), null],
  ["lenet_folded", lenet(), []],
  ["lenet_modules", lenet(), ["features", "classifier"]],
  ["residual", residual(3), ["blocks", "blocks.1", "r:blocks.0"]],
  ["residual_repeat", residual(6), ["blocks"]],
  ["rnn", rnn(5), ["cell"]],
  ["rnn_folded", rnn(5), []],
  ["rnn_loop", rnn(40), []],
  ["rnn_loop_open", rnn(40), ["l:op4*40", "l:op24*4"]],
  ["residual_loop", residual(70), ["blocks", "l:m:blocks.0*70"]],
  ["stacked", stacked(8), null],
  ["attention", attention(4), ["layers", "layers.0", "layers.0.head1"]],
  ["tied", tied(), ["embed", "body", "head"]],
  ["hostile", hostile(), null],
];

test.each(CASES)("fixture_%s", async (name, data, expanded) => {
  await expect(fixture(data, expanded)).toMatchFileSnapshot(`fixtures/${name}.json`);
});
