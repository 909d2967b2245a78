import { expect, test } from "vitest";
import { FakeModel } from "../fake_model";
import { renderTemperature, shares, verdict } from "./temperature";

test("shares_and_verdicts_agree_with_python", async () => {
  const cases = [0.1, 0.5, 1, 4, 10].map((temperature) => ({
    temperature,
    shares: shares(temperature).map((share) => Number(share.toPrecision(9))),
    verdict: verdict(temperature),
  }));
  const text = `${JSON.stringify(cases, null, 1)}\n`;
  await expect(text).toMatchFileSnapshot("../fixtures/temperature/shares.json");
});

const frame = () => new Promise((done) => requestAnimationFrame(() => done(null)));

test("slider_changes_bars_and_verdict", async () => {
  const el = document.createElement("div");
  const end = renderTemperature(new FakeModel({ data: { temperature: 1 } }), el);
  const find = (id: string) => el.querySelector(`[data-testid="${id}"]`) as HTMLElement;
  const slider = find("temperature") as HTMLInputElement;
  slider.value = "0.1";
  slider.dispatchEvent(new Event("input"));
  await frame();
  expect(find("verdict").textContent).toMatch(/^Sure/);
  expect(Number(el.querySelector("rect")?.getAttribute("width"))).toBeGreaterThan(299);
  end();
});
