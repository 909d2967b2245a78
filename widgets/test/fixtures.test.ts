/** Pictures on which Python and TypeScript must agree (`vitest -u` writes them anew). */
import { expect, test } from "vitest";
import type { Folded } from "../src/boxes";
import { betterDirection, type Direction, type Size, shown } from "../src/direction";
import { autoExpanded, fold } from "../src/fold";
import type { GraphData } from "../src/graph_types";
import { type Layout, layout } from "../src/layout";
import {
  attention,
  hostile,
  lenet,
  residual,
  rnn,
  scalars,
  stacked,
  tied,
} from "./graph_samples";

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

function fixture(
  data: GraphData,
  expanded: string[] | null,
  direction: Direction,
): string {
  const open = expanded ? new Set(expanded) : autoExpanded(data);
  const folded = fold(data, open);
  const expected = picture(folded, layout(folded, direction));
  const opened = [...open].sort();
  const given = { data, auto: expanded === null, expanded: opened, direction };
  return `${JSON.stringify({ ...given, expected }, null, 1)}\n`;
}

const CASES: [string, GraphData, string[] | null, Direction?][] = [
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
  ["scalars_right", scalars(), null, "right"],
  ["lenet_right", lenet(), ["features", "classifier"], "right"],
  ["residual_right", residual(3), ["blocks", "blocks.1", "r:blocks.0"], "right"],
  ["rnn_right", rnn(5), ["cell"], "right"],
  ["tied_right", tied(), ["embed", "body", "head"], "right"],
];

test.each(CASES)("fixture_%s", async (name, data, expanded, way = "down") => {
  await expect(fixture(data, expanded, way)).toMatchFileSnapshot(
    `fixtures/${name}.json`,
  );
});

const SIZES = [
  { width: 200, height: 300 },
  { width: 400, height: 1800 },
  { width: 2400, height: 260 },
  { width: 980, height: 470 },
  { width: 1500, height: 1500 },
  { width: 0, height: 0 },
];
const FRAMES = [
  { width: 1000, height: 500 },
  { width: 560, height: 250 },
  { width: 1000, height: 90 },
];

test("directions_agree_with_python", async () => {
  const list = (size: Size) => [size.width, size.height];
  const cases = FRAMES.flatMap((frame) =>
    SIZES.flatMap((down) =>
      SIZES.map((right) => ({
        frame: list(frame),
        down: list(down),
        right: list(right),
        shown: [shown(down, frame), shown(right, frame)],
        better: [
          betterDirection("", down, right, frame),
          betterDirection("down", down, right, frame),
          betterDirection("right", down, right, frame),
        ],
      })),
    ),
  );
  const text = `[\n${cases.map((c) => JSON.stringify(c)).join(",\n")}\n]\n`;
  await expect(text).toMatchFileSnapshot("fixtures/direction/choices.json");
});
