/** What the first view of a graph shows, and how it comes nearer. */
import { expect, test } from "vitest";
import { Viewport } from "../src/viewport";

function view(width: number, height = 500) {
  return new Viewport(
    () => ({ width, height }),
    () => {},
  );
}

test("open_shows_the_upper_part_of_a_long_graph_so_that_it_can_be_read", () => {
  const long = { width: 1000, height: 4000 };
  const wide = view(840);
  wide.open(long);
  expect([wide.scale, wide.x, wide.y]).toEqual([0.9, 18, 18]);
  const narrow = view(500);
  narrow.open(long);
  expect([narrow.scale, narrow.x]).toEqual([0.9, 18]);
});

test("open_shows_the_part_around_the_start_of_what_does_not_fit", () => {
  const flat = view(800);
  const content = { width: 6000, height: 2000 };
  flat.open(content, { x: 20, y: 1000, w: 100, h: 50 });
  expect(flat.x).toBe(18);
  expect(flat.toWorld(0, 250)[1]).toBeCloseTo(1025);
  flat.open(content, { x: 20, y: 1990, w: 100, h: 10 });
  expect(flat.toWorld(0, 500 - 18)[1]).toBeCloseTo(2000);
});

test("tall_is_the_height_that_open_fills", () => {
  const small = { width: 200, height: 300 };
  expect(view(840).tall(small)).toBe(336);
  const fitted = view(840, view(840).tall(small));
  fitted.open(small);
  expect([fitted.scale, fitted.y]).toEqual([1, 18]);
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
  expect(far.scale).toBe(0.9);
  expect(far.toWorld(400, 250)).toEqual([4050, 4025]);
  far.approach({ x: 4000, y: 4000, w: 100, h: 50 });
  expect(far.toWorld(400, 250)).toEqual([4050, 4025]);
});

test("fit_stays_legible_and_shows_all_the_second_time", () => {
  const content = { width: 400, height: 5000 };
  const fitted = view(800);
  fitted.fit(content);
  expect(fitted.scale).toBe(0.8);
  fitted.fit(content);
  expect(fitted.scale).toBeCloseTo((500 - 36) / 5000);
  fitted.fit(content);
  expect(fitted.scale).toBe(0.8);
});

test("follow_brings_into_sight_and_is_no_move_of_the_reader", () => {
  const shown = view(800);
  shown.follow({ x: 4000, y: 4000, w: 100, h: 50 });
  expect(shown.toWorld(400, 250)).toEqual([4050, 4025]);
  expect(shown.touched).toBe(false);
});
