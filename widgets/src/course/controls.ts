/** Controls that several interactions have: sliders, selections, Back and Step. */

import { attr, button, html, setText } from "../dom";
import type { Lifetime } from "../model";

export interface Slider {
  row: HTMLElement;
  input: HTMLInputElement;
  /** shows a value, and what it means in words */
  show: (value: number, text: string) => void;
}

/** A slider with its name on the left and its value on the right. */
export function slider(
  look: string,
  id: string,
  name: HTMLElement | string,
  range: readonly [min: number, max: number, step: number],
): Slider {
  const [min, max, step] = range;
  const input = html("input", { type: "range", min, max, step, "data-testid": id });
  const output = html("output");
  const row = html("label", { class: look }, name, input, output);
  const show = (value: number, text: string) => {
    input.value = String(value);
    attr(input, { "aria-valuetext": text });
    setText(output, text);
  };
  return { row, input, show };
}

/** A selection of values, each with its words. */
export function choice(
  id: string,
  values: readonly (readonly [value: string, words: string])[],
): HTMLSelectElement {
  const made = html("select", { "data-testid": id });
  for (const [value, words] of values) made.append(html("option", { value }, words));
  return made;
}

/** Values that are shown as they are. */
export function asWords(values: readonly (string | number)[]): [string, string][] {
  return values.map((value) => [String(value), String(value)]);
}

/** The buttons Back and Step, which go one step in either direction. */
export function stepButtons(
  life: Lifetime,
  [back, next]: readonly [string, string],
  go: (by: number) => void,
): HTMLElement {
  const buttons = html("span", { class: "edt-group", role: "group" });
  for (const [face, label, id, by] of [
    ["Back", back, "back", -1],
    ["Step", next, "next", 1],
  ] as const) {
    const made = button(face, label, { "data-testid": id });
    life.listen(made, "click", () => go(by));
    buttons.append(made);
  }
  return buttons;
}
