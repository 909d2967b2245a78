/** What the first view of a graph shows, and how it comes nearer. */
import { expect, test } from "vitest";
import { Viewport } from "../src/viewport";

function view(width: number, height = 500) {
  return new Viewport(
    () => ({ width, height }),
    () => {},
  );
}

test("open_leaves_room_for_the_map_of_a_long_graph", () => {
  const long = { width: 700, height: 4000 };
  const wide = view(840);
  wide.open(long);
  expect(wide.scale).toBe(0.8);
  expect(wide.x + 700 * wide.scale).toBeLessThanOrEqual(840 - 132);
  const narrow = view(500);
  narrow.open(long);
  expect(narrow.x).toBe(18);
});

test("open_centers_what_fits", () => {
  const all = view(840);
  all.open({ width: 200, height: 300 });
  expect([all.x, all.y, all.scale]).toEqual([320, 100, 1]);
});

test("approach_makes_a_far_rectangle_readable_and_leaves_a_near_one", () => {
  const far = view(800);
  Object.assign(far, { scale: 0.1, x: 0, y: 0 });
  far.approach({ x: 4000, y: 4000, w: 100, h: 50 });
  expect(far.scale).toBe(0.8);
  expect(far.toWorld(400, 250)).toEqual([4050, 4025]);
  far.approach({ x: 4000, y: 4000, w: 100, h: 50 });
  expect(far.toWorld(400, 250)).toEqual([4050, 4025]);
});
