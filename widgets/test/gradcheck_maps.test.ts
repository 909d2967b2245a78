import { expect, test } from "vitest";
import { renderGradcheckMaps } from "../src/course/gradcheck_maps";
import {
  checked,
  errorsByStep,
  MISTAKES,
  NAMES,
  type Precision,
  passes,
  STEPS,
  stepText,
  verdict,
} from "../src/course/gradcheck_numbers";
import { FakeModel } from "./fake_model";

const LAYER = {
  x: [
    [83, -41, 27, 115],
    [-62, 98, -105, 36],
    [54, 71, 88, -93],
    [-77, -29, 46, 61],
  ],
  w: [
    [31, -56, 72, 18],
    [-44, 65, 23, -81],
    [59, 12, -37, 48],
    [-26, 84, 55, -13],
  ],
  b: [[45, -32, 67, -58]],
  r: [
    [64, -91, 38, 52],
    [-47, 73, 85, -36],
    [92, 28, -69, 57],
    [-34, 61, 49, -88],
  ],
};
const PRECISIONS: Precision[] = ["float64", "float32"];

test("gradients_and_verdicts_agree_with_python", async () => {
  const cases = Object.keys(MISTAKES).flatMap((mistake) =>
    PRECISIONS.flatMap((precision) =>
      [6, 21, 30, 36, 39, 45].map((step) => {
        const found = checked(LAYER, precision, mistake, STEPS[step]);
        return {
          given: { precision, mistake, h: STEPS[step] },
          analytic: NAMES.map((name) => found[name].analytic),
          numeric: NAMES.map((name) => found[name].numeric),
          verdicts: NAMES.map((name) => verdict(name, found[name], 1e-4)),
          passes: passes(found, 1e-4),
        };
      }),
    ),
  );
  const text = `${JSON.stringify({ layer: LAYER, steps: STEPS.map(stepText), cases })}\n`;
  await expect(text).toMatchFileSnapshot("fixtures/gradcheck_maps/gradients.json");
});

test("error_of_a_right_backward_is_a_v_and_that_of_a_wrong_one_is_not", () => {
  const right = errorsByStep(LAYER, "float64", "none");
  expect(Math.min(...right)).toBeLessThan(1e-9);
  expect(right[0]).toBeGreaterThan(0.1);
  expect(right[45]).toBeGreaterThan(0.1);
  expect(Math.min(...errorsByStep(LAYER, "float64", "mean"))).toBeCloseTo(0.75, 5);
  expect(Math.min(...errorsByStep(LAYER, "float32", "none"))).toBeGreaterThan(1e-4);
});

function show(data = {}) {
  const el = document.createElement("div");
  document.body.append(el);
  const state = { mistake: "none", precision: "float64", step: 30, tolerance: 1e-6 };
  const model = new FakeModel({ data: { ...state, layer: LAYER, ...data } });
  const end = renderGradcheckMaps(model, el);
  const find = (id: string) => el.querySelector(`[data-testid="${id}"]`) as HTMLElement;
  const told = (id: string) => find(id).textContent ?? "";
  const choose = (id: string, value: string, type = "change") => {
    (find(id) as HTMLSelectElement).value = value;
    find(id).dispatchEvent(new Event(type));
  };
  return { el, end, find, told, choose };
}

const frame = () => new Promise((done) => requestAnimationFrame(() => done(null)));

test("nine_maps_are_shown_and_the_check_passes", () => {
  const { el, told, end } = show();
  expect(el.querySelectorAll(".egm-cell").length).toBe(3 * (16 + 4 + 16));
  expect(el.querySelectorAll(".egm-wrong").length).toBe(0);
  expect(told("verdict")).toContain("The check passes.");
  end();
});

test("mistake_when_chosen_is_seen_in_its_maps_alone", async () => {
  const { el, told, choose, end } = show();
  choose("mistake", "transpose");
  await frame();
  expect(told("verdict")).toContain("w: 16 of 16 are wrong");
  expect(told("verdict")).toContain("x: agrees");
  expect(el.querySelectorAll(".egm-wrong").length).toBe(16);
  choose("mistake", "broadcast");
  await frame();
  expect(told("verdict")).toContain("b: the shapes differ, (4, 4) and (4,)");
  expect(el.textContent).toContain("shapes differ");
  end();
});

test("step_when_moved_makes_the_check_fail_at_both_ends", async () => {
  const { find, told, choose, end } = show();
  for (const step of ["2", "45"]) {
    choose("step", step, "input");
    await frame();
    expect(told("verdict")).toContain("The check fails.");
  }
  expect(find("step").getAttribute("aria-valuetext")).toBe("1");
  end();
});

test("float32_passes_with_a_tolerance_of_one_percent", async () => {
  const { told, choose, end } = show({ step: 38 });
  choose("precision", "float32");
  await frame();
  expect(told("verdict")).toContain("The check fails.");
  choose("tolerance", "0.01");
  await frame();
  expect(told("verdict")).toContain("The check passes.");
  end();
});

test("arrow_keys_and_pointer_go_from_cell_to_cell", async () => {
  const { el, find, told, end } = show();
  const key = (name: string) =>
    find("board").dispatchEvent(new KeyboardEvent("keydown", { key: name }));
  expect(told("said")).toMatch(/^w\[0, 0\]: analytic .*, numeric .*, difference /);
  for (const name of ["ArrowRight", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown"])
    key(name);
  await frame();
  expect(told("said")).toMatch(/^b\[1\]/);
  expect(el.querySelectorAll(".egm-at").length).toBe(3);
  const cell = el.querySelector('[data-cell="x 2 3"]') as Element;
  cell.dispatchEvent(new Event("pointerover", { bubbles: true }));
  await frame();
  expect(told("said")).toMatch(/^x\[2, 3\]/);
  end();
});

test("cell_of_a_row_that_is_gone_moves_into_what_is_left", async () => {
  const { el, told, choose, end } = show({ mistake: "broadcast" });
  const cell = el.querySelector('[data-cell="b 3 2"]') as Element;
  cell.dispatchEvent(new Event("pointerover", { bubbles: true }));
  await frame();
  expect(told("said")).toContain("the numeric gradient of b[2] is");
  choose("mistake", "none");
  await frame();
  expect(told("said")).toMatch(/^b\[2\]: analytic/);
  end();
});

test("slider_answers_within_50_ms", () => {
  const times = [1e-5, 1e-6, 1e-7, 1e-8, 1e-9].map((h) => {
    const begin = performance.now();
    checked(LAYER, "float64", "none", h);
    return performance.now() - begin;
  });
  expect(Math.min(...times)).toBeLessThan(50); // the least, on a machine that is busy
});
