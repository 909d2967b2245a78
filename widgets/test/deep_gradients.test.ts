import { expect, test } from "vitest";
import {
  type Choice,
  renderDeepGradients,
  train,
  verdict,
} from "../src/course/deep_gradients";
import { FakeModel } from "./fake_model";

const START: Choice = { depth: 12, skip: false, norm: false, activation: "relu" };

test("gradients_losses_and_verdicts_agree_with_python", async () => {
  const cases = (["relu", "tanh"] as const).flatMap((activation) =>
    [false, true].flatMap((skip) =>
      [false, true].flatMap((norm) =>
        // 30 layers with batch norm alone multiply rounding errors in each step
        (norm && !skip ? [1, 3, 12] : [1, 3, 12, 30]).map((depth) => {
          const given = { depth, skip, norm, activation };
          const { gradients, sizes, losses } = train(given);
          return {
            given,
            gradients: gradients.map((v) => Number(v.toPrecision(9))),
            sizes: sizes.map((v) => Number(v.toPrecision(9))),
            losses: losses.slice(0, 6).map((v) => Number(v.toPrecision(7))),
            steps: losses.length - 1,
            verdict: verdict(train(given)),
          };
        }),
      ),
    ),
  );
  const text = `${JSON.stringify(cases)}\n`;
  await expect(text).toMatchFileSnapshot("fixtures/deep_gradients/trainings.json");
});

function show(data: Partial<Choice> = {}) {
  const el = document.createElement("div");
  document.body.append(el);
  const end = renderDeepGradients(new FakeModel({ data: { ...START, ...data } }), el);
  const find = (id: string) => el.querySelector(`[data-testid="${id}"]`) as HTMLElement;
  const told = () => (find("verdict").textContent ?? "").split(":")[0];
  return { el, end, find, told };
}

const frame = () => new Promise((done) => requestAnimationFrame(() => done(null)));

test("switches_and_slider_train_anew", async () => {
  const { end, find, told } = show();
  expect(told()).toBe("Does not learn");
  find("skip").click();
  await frame();
  expect(told()).toBe("Learns");
  const slider = find("depth") as HTMLInputElement;
  slider.value = "30";
  slider.dispatchEvent(new Event("input"));
  await frame();
  expect(told()).toBe("Explodes");
  expect(find("rows").querySelectorAll("tr").length).toBe(30);
  expect(find("gradients").querySelectorAll("rect").length).toBe(30);
  find("norm").click();
  await frame();
  expect(told()).toBe("Learns");
  const activation = find("activation") as HTMLSelectElement;
  activation.value = "tanh";
  activation.dispatchEvent(new Event("change"));
  await frame();
  expect(told()).toBe("Learns");
  end();
});

test("curve_that_explodes_stays_within_its_chart", () => {
  const { el, end } = show({ depth: 30, skip: true });
  expect(el.querySelector("polyline")?.getAttribute("points")).not.toMatch(
    /NaN|Infinity/,
  );
  for (const bar of el.querySelectorAll("rect"))
    expect(Number(bar.getAttribute("height"))).toBeGreaterThanOrEqual(0);
  end();
});
