import { expect, test } from "vitest";
import {
  numbersOf,
  renderLogitSliders,
  type Settings,
  verdict,
} from "../src/course/logit_sliders";
import { FakeModel } from "./fake_model";

const BASE: Settings = {
  logits: [2, 1, -1],
  right: 0,
  shift: 0,
  smoothing: 0,
  temperature: 1,
};
const SHIFTS = [-1000, -104, -103, -95, -50, 0, 3.3, 86, 87, 88, 120, 1000];
const CASES: Settings[] = [
  ...SHIFTS.map((shift) => ({ ...BASE, shift })),
  ...[0, 0.01, 0.1, 0.5].map((smoothing) => ({ ...BASE, smoothing, right: 2 })),
  ...[0.1, 0.3, 1.7, 5].map((temperature) => ({ ...BASE, temperature, right: 1 })),
  { ...BASE, logits: [10, -10], right: 1 },
  { ...BASE, logits: [10, -10], right: 1, temperature: 0.1 },
  { ...BASE, logits: [0, 0, 0], shift: 88 },
  { ...BASE, logits: [0, 0, 0, 0, 0], smoothing: 0.3, shift: -100.5 },
  { ...BASE, logits: [-9.7, 8.1, 0.4, 3.3], right: 3, smoothing: 0.05, shift: 80 },
];

test("numbers_agree_with_python", async () => {
  const cases = CASES.map((given) => {
    const numbers = numbersOf(given);
    const shown = Object.entries(numbers).map(([name, v]) => [
      name,
      Array.isArray(v) ? v.map(String) : String(v),
    ]);
    return { given, ...Object.fromEntries(shown), verdict: verdict(numbers) };
  });
  const text = `${JSON.stringify(cases)}\n`;
  await expect(text).toMatchFileSnapshot("fixtures/logit_sliders/numbers.json");
});

test("stable_loss_does_not_feel_the_shift", () => {
  const still = numbersOf(BASE).loss;
  for (const shift of SHIFTS)
    expect(numbersOf({ ...BASE, shift }).loss).toBeCloseTo(still, 3);
});

test("gradient_adds_up_to_zero_and_the_probabilities_to_one", () => {
  for (const given of CASES) {
    const { p, gradient } = numbersOf(given);
    expect(p.reduce((a, b) => a + b)).toBeCloseTo(1, 5);
    expect(gradient.reduce((a, b) => a + b)).toBeCloseTo(0, 4);
  }
});

const CLASSES = ["setosa", "<b>versicolor</b>", "virginica"];

function show(data = {}) {
  const el = document.createElement("div");
  document.body.append(el);
  const model = new FakeModel({ data: { ...BASE, classes: CLASSES, ...data } });
  const end = renderLogitSliders(model, el);
  const find = (id: string) => el.querySelector(`[data-testid="${id}"]`) as HTMLElement;
  const told = () => find("verdict").textContent ?? "";
  return { el, model, end, find, told };
}

const frame = () => new Promise((done) => requestAnimationFrame(() => done(null)));

async function move(slider: HTMLElement, value: number) {
  (slider as HTMLInputElement).value = String(value);
  slider.dispatchEvent(new Event("input"));
  await frame();
}

test("bars_and_numbers_follow_a_slider", async () => {
  const { el, end, find } = show();
  expect(find("p-0").textContent).toBe("0.705");
  await move(find("logit-0"), -10);
  expect(find("p-0").textContent).toBe("1.47e-05");
  expect(find("gradient-0").textContent).toBe("-1");
  const bar = el.querySelector(".els-g") as HTMLElement;
  expect([bar.style.left, bar.style.width]).toEqual(["0%", "50%"]);
  end();
});

test("shift_of_a_thousand_is_told_and_marked", async () => {
  const { el, end, find, told } = show();
  expect(told()).toBe("Stable: loss 0.349. On paper: the same.");
  find("shift1000").click();
  await frame();
  expect(told()).toContain("exp(1002) is inf in float32, and the loss nan.");
  expect(find("shift1000").getAttribute("aria-pressed")).toBe("true");
  expect(el.querySelectorAll("td.els-bad").length).toBe(6);
  find("shift0").click();
  await frame();
  expect(el.querySelectorAll(".els-bad").length).toBe(0);
  end();
});

test("presets_are_made_for_the_class_that_is_right", async () => {
  const { el, end, find, told } = show();
  const right = find("right") as HTMLSelectElement;
  right.value = "2";
  right.dispatchEvent(new Event("change"));
  find("sure-and-wrong").click();
  await frame();
  expect(told()).toContain("loss 8");
  expect(find("gradient-2").textContent).toBe("-1");
  expect(el.querySelectorAll("[data-right]").length).toBe(1);
  find("undecided").click();
  await frame();
  expect(told()).toContain("loss 1.1.");
  end();
});

test("smoothing_and_temperature_move_targets_and_probabilities", async () => {
  const { el, end, find } = show();
  await move(find("smoothing"), 0.3);
  const marks = [...el.querySelectorAll<HTMLElement>(".els-target")];
  expect(marks.map((mark) => mark.style.left)).toEqual(["80%", "10%", "10%"]);
  await move(find("temperature"), 5);
  expect(find("p-0").textContent).toBe("0.422");
  end();
});

test("names_of_classes_stay_text_and_the_model_keeps_its_logits", async () => {
  const { el, model, end, find } = show();
  await move(find("logit-1"), 5);
  expect(el.querySelector("b")).toBe(null);
  expect(el.textContent).toContain("<b>versicolor</b>");
  expect((model.get("data") as Settings).logits).toEqual([2, 1, -1]);
  end();
});
