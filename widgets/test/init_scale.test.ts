import { expect, test } from "vitest";
import {
  DeepNet,
  PRESETS,
  renderInitScale,
  shownLayers,
  verdict,
} from "../src/course/init_scale";
import { FakeModel } from "./fake_model";

const SEED = 49;
const NET = new DeepNet(SEED);

test("sizes_bars_and_verdicts_agree_with_python", async () => {
  const cases = (["relu", "tanh"] as const).flatMap((activation) =>
    [0, 0.5, 1, Math.SQRT2, 2, 2.5].flatMap((scale) =>
      [5, 30].map((depth) => {
        const { sizes, gradients, bars, zeros } = NET.run(scale, depth, activation);
        const last = depth - 1;
        return {
          given: { scale, depth, activation },
          sizes: sizes.map((v) => Number(v.toPrecision(9))),
          gradients: gradients.map((v) => Number(v.toPrecision(9))),
          bars: bars[last].map((share) => Math.round(share * 1024)),
          zeros: Math.round(zeros[last] * 1024),
          verdict: verdict(NET.run(scale, depth, activation)),
          shown: shownLayers(depth),
        };
      }),
    ),
  );
  const text = `${JSON.stringify(cases)}\n`;
  await expect(text).toMatchFileSnapshot("fixtures/init_scale/signals.json");
});

test("shallower_net_has_the_first_layers_of_the_deeper_one", () => {
  const deep = NET.run(1, 30, "relu");
  expect(NET.run(1, 5, "relu").sizes).toEqual(deep.sizes.slice(0, 5));
});

function show(data = {}) {
  const el = document.createElement("div");
  document.body.append(el);
  const state = { scale: 1, depth: 30, activation: "relu", seed: SEED };
  const end = renderInitScale(new FakeModel({ data: { ...state, ...data } }), el);
  const find = (id: string) => el.querySelector(`[data-testid="${id}"]`) as HTMLElement;
  const told = () => find("verdict").textContent ?? "";
  return { el, end, find, told };
}

const frame = () => new Promise((done) => requestAnimationFrame(() => done(null)));

test("presets_set_the_scale_and_are_marked", async () => {
  const { end, find, told } = show();
  const words = [];
  for (const [name] of PRESETS) {
    find(name).click();
    await frame();
    expect(find(name).getAttribute("aria-pressed")).toBe("true");
    words.push(told().split(":")[0]);
  }
  expect(words).toEqual(["Nothing", "Too small", "Too small", "Good", "Too large"]);
  expect((find("scale") as HTMLInputElement).value).toBe("2.5");
  end();
});

test("slider_and_choices_draw_anew", async () => {
  const { el, end, find, told } = show();
  const slider = find("scale") as HTMLInputElement;
  slider.value = "1.4";
  slider.dispatchEvent(new Event("input"));
  await frame();
  expect(told()).toMatch(/^Good/);
  const depth = find("depth") as HTMLSelectElement;
  depth.value = "5";
  depth.dispatchEvent(new Event("change"));
  await frame();
  expect(find("rows").querySelectorAll("tr").length).toBe(5);
  expect(el.querySelectorAll(".eis-bars svg").length).toBe(5);
  const activation = find("activation") as HTMLSelectElement;
  activation.value = "tanh";
  activation.dispatchEvent(new Event("change"));
  await frame();
  expect(find("bars").textContent).toContain("-1");
  end();
});

test("heads_of_tiny_activations_are_as_short_as_others", () => {
  const { el, end } = show({ scale: 0.5 });
  const heads = [...el.querySelectorAll(".eis-head")].map((head) => head.textContent);
  expect(heads.at(-1)).toMatch(/^layer 30: \d\.\de-\d\d$/);
  expect(Math.max(...heads.map((text) => text?.length ?? 0))).toBeLessThanOrEqual(17);
  end();
});

test("curves_of_zero_stay_within_the_chart", () => {
  const { el, end } = show({ scale: 0 });
  for (const line of el.querySelectorAll("polyline"))
    expect(line.getAttribute("points")).not.toMatch(/NaN|Infinity/);
  expect(el.querySelectorAll("polyline").length).toBe(2);
  end();
});
