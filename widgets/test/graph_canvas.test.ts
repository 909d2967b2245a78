import { expect, test, vi } from "vitest";
import { CanvasPainter } from "../src/graph_canvas";
import { GraphState } from "../src/graph_state";
import { Viewport } from "../src/viewport";
import { chain, lenet, unlike } from "./graph_samples";

/** Counts what is drawn instead of drawing it. */
function fakeContext() {
  const calls = new Map<string, unknown[][]>();
  const target: Record<string, unknown> = {};
  const context = new Proxy(target, {
    get(_, name: string) {
      if (name in target) return target[name];
      return (...args: unknown[]) => {
        const list = calls.get(name) ?? [];
        list.push(args);
        calls.set(name, list);
      };
    },
  });
  return { context, calls };
}

function paint(data: ReturnType<typeof chain>, scale: number, y = 0) {
  const { context, calls } = fakeContext();
  const painter = new CanvasPainter();
  Object.defineProperty(painter.element, "clientWidth", { value: 800 });
  Object.defineProperty(painter.element, "clientHeight", { value: 500 });
  painter.element.getContext = vi.fn(() => context) as never;
  const state = new GraphState();
  state.update(data);
  painter.paint(state.scene);
  const view = new Viewport(
    () => ({ width: 800, height: 500 }),
    () => {},
  );
  Object.assign(view, { scale, y });
  calls.clear();
  painter.setViewport(view);
  const texts = (calls.get("fillText") ?? []).map(([text]) => text);
  return { painter, texts, calls };
}

test("only_boxes_on_the_screen_are_drawn", () => {
  const { painter, texts } = paint(unlike(chain(5000)), 1);
  expect(painter.painted).toBeGreaterThan(4);
  expect(painter.painted).toBeLessThan(10);
  expect(texts).toContain("relu");
  expect(paint(unlike(chain(5000)), 1, -40_000).painter.painted).toBeGreaterThan(4);
});

test("small_scale_leaves_out_text", () => {
  const { painter, texts } = paint(unlike(chain(5000)), 0.02);
  expect(painter.painted).toBeGreaterThan(250);
  expect(texts).toEqual([]);
});

test("boxes_are_found_under_the_pointer_and_frames_by_their_header", () => {
  const { painter } = paint(lenet(), 1);
  const state = new GraphState();
  state.update(lenet());
  const rect = (id: string) =>
    state.scene.placed.rects.get(id) ?? { x: 0, y: 0, w: 0, h: 0 };
  const op = rect("op3");
  expect(painter.hit(null, op.x + 5, op.y + 5)).toBe("op3");
  const frame = rect("m:features");
  expect(painter.hit(null, frame.x + 5, frame.y + 5)).toBe("m:features");
  expect(painter.hit(null, frame.x + 5, frame.y + frame.h - 5)).toBe("");
});

test("folded_modules_and_gradients_look_as_in_svg", () => {
  const data = lenet();
  const { context, calls } = fakeContext();
  const painter = new CanvasPainter();
  painter.element.getContext = vi.fn(() => context) as never;
  Object.defineProperty(painter.element, "clientWidth", { value: 2000 });
  Object.defineProperty(painter.element, "clientHeight", { value: 9000 });
  const state = new GraphState();
  state.setExpanded([""]);
  state.update(data);
  painter.paint(state.scene);
  const texts = (calls.get("fillText") ?? []).map(([text]) => String(text));
  expect(texts.some((text) => text.startsWith("▸ "))).toBe(true);
  const folded = state.scene.folded.boxes.filter((b) => b.kind === "module").length;
  const boxes = state.scene.folded.boxes.length;
  expect(calls.get("roundRect")).toHaveLength(boxes + folded);
  const dashes = (calls.get("setLineDash") ?? []).map(([dash]) => String(dash));
  expect(dashes).toContain("4,3"); // the input's
});
