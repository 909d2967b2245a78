import { expect, test } from "vitest";
import {
  placeOf,
  RULES,
  rateAt,
  STEPS,
  SURFACES,
  verdict,
  walk,
} from "../src/course/optimizer_paths";
import { renderOptimizerRace } from "../src/course/optimizer_race";
import { FakeModel } from "./fake_model";

const CASES = Object.keys(SURFACES).flatMap((surface) =>
  Object.keys(RULES).flatMap((name) =>
    [
      { lr: SURFACES[surface].lr, momentum: 0.9 },
      { lr: 0.02, momentum: 0 },
      { lr: 0.1, momentum: 0.5 },
      { lr: 0.7, momentum: 0.99 },
    ].map((settings) => ({ surface, name, ...settings })),
  ),
);

test("paths_agree_with_python", async () => {
  const cases = CASES.map((given) => {
    const surface = SURFACES[given.surface];
    const { name, lr, momentum } = given;
    const path = walk(surface, name, lr, momentum, surface.start, 80);
    const losses = path.map(([x, y]) => surface.loss(x, y));
    const seen = [1, 2, 3, 10, 40, path.length - 1].filter((i) => i < path.length);
    const points = seen.map((i) => [i, ...path[i].map(String)]);
    return { ...given, points, verdict: verdict(losses, surface.least) };
  });
  const text = `${JSON.stringify(cases)}\n`;
  await expect(text).toMatchFileSnapshot("fixtures/optimizer_race/paths.json");
});

test("rates_of_the_slider_are_one_percent_apart_and_hold_a_tenth", () => {
  expect([0, 230, 459, 460, 461, 690].map(rateAt)).toEqual([
    0.001, 0.01, 0.099, 0.1, 0.101, 1,
  ]);
  expect(placeOf(0.1)).toBe(460);
});

test("sgd_diverges_beyond_two_over_the_largest_curvature", () => {
  const ends = (lr: number) => {
    const { valley } = SURFACES;
    const path = walk(valley, "SGD", lr, 0, valley.start, 2000);
    return verdict(
      path.map(([x, y]) => valley.loss(x, y)),
      valley.least,
    );
  };
  expect(ends(0.0999)).toMatch(/^arrived/);
  expect(ends(0.101)).toMatch(/^diverged/);
});

function show(data = {}) {
  const el = document.createElement("div");
  document.body.append(el);
  const state = {
    surface: "valley",
    lr: 0.06,
    momentum: 0.9,
    start: [-4, 1.5],
    step: 60,
  };
  const model = new FakeModel({ data: { ...state, ...data } });
  const end = renderOptimizerRace(model, el);
  const find = (id: string) => el.querySelector(`[data-testid="${id}"]`) as HTMLElement;
  return { el, model, end, find };
}

const frame = () => new Promise((done) => requestAnimationFrame(() => done(null)));

test("shows_a_path_a_curve_and_a_row_for_each_optimizer", async () => {
  const { el, find, end } = show();
  await frame();
  expect(el.querySelectorAll("polyline").length).toBe(2 * 5);
  expect(find("SGD").textContent).toContain("arrived at step 55");
  end();
});

test("learning_rate_beyond_the_edge_is_told_in_words", async () => {
  const { find, end } = show({ step: STEPS });
  const rate = find("learning-rate") as HTMLInputElement;
  rate.value = String(placeOf(0.105));
  rate.dispatchEvent(new Event("input"));
  await frame();
  expect(find("SGD").textContent).toContain("diverged at step 57");
  expect(rate.getAttribute("aria-valuetext")).toBe("0.105");
  end();
});

test("arrow_keys_move_the_start", async () => {
  const { el, find, end } = show();
  const key = (name: string) =>
    find("map").dispatchEvent(new KeyboardEvent("keydown", { key: name }));
  await frame();
  const before = el.querySelector(".edr-start")?.getAttribute("cx");
  key("ArrowRight");
  await frame();
  const after = el.querySelector(".edr-start")?.getAttribute("cx");
  expect(Number(after) - Number(before)).toBeCloseTo(10, 1);
  end();
});

test("buttons_go_a_step_and_back_to_the_start", async () => {
  const { find, end } = show();
  const at = () => (find("step-slider") as HTMLInputElement).value;
  find("step").click();
  await frame();
  expect(at()).toBe("61");
  find("back").click();
  find("back").click();
  await frame();
  expect(at()).toBe("59");
  find("reset").click();
  await frame();
  expect(at()).toBe("0");
  end();
});

test("another_surface_begins_with_its_own_start_and_rate", async () => {
  const { find, end } = show();
  const surface = find("surface") as HTMLSelectElement;
  surface.value = "saddle";
  surface.dispatchEvent(new Event("change"));
  await frame();
  expect(find("formula").textContent).toContain("(x² - y²) / 2 + y⁴ / 16");
  expect((find("learning-rate") as HTMLInputElement).value).toBe("460");
  end();
});

test("race_when_played_goes_on_until_paused", async () => {
  const { find, end } = show({ step: 0 });
  find("play").click();
  expect(find("play").textContent).toBe("Pause");
  await new Promise((done) => setTimeout(done, 200));
  find("play").click();
  await frame();
  const at = Number((find("step-slider") as HTMLInputElement).value);
  expect(at).toBeGreaterThan(0);
  await new Promise((done) => setTimeout(done, 100));
  expect(Number((find("step-slider") as HTMLInputElement).value)).toBe(at);
  end();
});
