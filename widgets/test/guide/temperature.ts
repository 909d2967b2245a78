/**
 * The example of docs/adding-an-interaction.md: probabilities of three logits, and a
 * slider that divides the logits by a temperature before.
 *
 * Its Python half is in the same guide, with the same numbers.
 */
import { html, setText, svg } from "../../src/dom";
import { number } from "../../src/format";
import { Lifetime, type Model } from "../../src/model";

export const LOGITS = [2, 1, 0];

/** softmax(LOGITS / temperature); the same in Python. */
export function shares(temperature: number): number[] {
  const powers = LOGITS.map((z) => Math.exp((z - LOGITS[0]) / temperature));
  const sum = powers.reduce((a, b) => a + b, 0);
  return powers.map((power) => power / sum);
}

/** What the numbers mean, in a sentence. */
export function verdict(temperature: number): string {
  const [largest] = shares(temperature);
  const word = largest > 0.9 ? "Sure" : largest < 0.4 ? "Undecided" : "Graded";
  return `${word}: the largest logit has probability ${number(largest)}.`;
}

/** Draw the interaction; returns what ends it. */
export function renderTemperature(model: Model, el: HTMLElement): () => void {
  const life = new Lifetime();
  const { temperature } = model.get("data") as { temperature: number };
  const slider = html("input", {
    type: "range",
    min: 0.1,
    max: 10,
    step: 0.1,
    "aria-label": "temperature",
    "data-testid": "temperature",
  });
  slider.value = String(temperature);
  const said = html("p", { role: "status", "data-testid": "verdict" });
  const bars = LOGITS.map((_, i) =>
    svg("rect", { x: 0, y: 24 * i, height: 20, fill: "var(--edt-linear)" }),
  );
  const picture = { viewBox: "0 0 300 72", role: "img", "aria-label": "probabilities" };
  const draw = () => {
    const chosen = Number(slider.value);
    for (const [i, share] of shares(chosen).entries())
      bars[i].setAttribute("width", `${300 * share}`);
    setText(said, verdict(chosen));
  };
  life.listen(slider, "input", life.perFrame(draw));
  el.append(html("label", {}, "temperature ", slider), said);
  el.append(svg("svg", picture, ...bars));
  draw();
  return () => life.end();
}
