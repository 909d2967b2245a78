/** Formulas with the numbers of one element, as in `step_numbers.py`. */
import { significant } from "./format";
import type {
  StepData,
  StepEdge,
  StepMoment,
  StepRecipe,
  StepValue,
} from "./step_types";
import type { Cell } from "./value_colours";

/** terms of a sum that are written out, and of a longer one those before the dots */
const SHOWN = 6;
const AT_ONCE = 3;

/** A number with at most four significant digits. */
export function plain(x: Cell): string {
  return typeof x === "string" ? x : significant(x, 4);
}

export function valueAt(data: StepData, place: number): StepValue | null {
  return data.values[place] ?? null;
}

/** Whether all elements of a value were sent. */
export function isFull(value: StepValue | null): value is StepValue {
  return (
    value !== null && value.shape.reduce((n, d) => n * d, 1) === value.cells.length
  );
}

/** The position of an element; a dimension of size 1 is broadcast. */
export function placeIn(value: StepValue, index: number[]): number {
  return value.shape.reduce((at, n, k) => at * n + (n === 1 ? 0 : index[k]), 0);
}

export function element(value: StepValue, index: number[]): Cell {
  return value.cells[placeIn(value, index)];
}

/** For each term of a sum of products, the positions of its factors in the operands. */
export function termPlaces(
  letters: string[],
  values: StepValue[],
  out: string,
  index: number[],
): number[][] {
  const at: Record<string, number> = {};
  [...out].forEach((name, k) => {
    at[name] = index[k];
  });
  const sizes = new Map<string, number>();
  letters.forEach((names, i) => {
    [...names].forEach((name, k) => {
      if (out.includes(name)) return;
      sizes.set(name, Math.max(values[i].shape[k], sizes.get(name) ?? 0));
    });
  });
  const count = [...sizes.values()].reduce((n, d) => n * d, 1);
  const found: number[][] = [];
  for (let term = 0; term < count; term++) {
    let rest = term;
    for (const [name, n] of [...sizes].reverse()) {
      at[name] = rest % n;
      rest = Math.floor(rest / n);
    }
    found.push(
      values.map((value, i) =>
        placeIn(
          value,
          [...letters[i]].map((name) => at[name]),
        ),
      ),
    );
  }
  return found;
}

function terms(letters: string[], values: StepValue[], out: string, index: number[]) {
  const places = termPlaces(letters, values, out, index);
  return places.map((term) => term.map((at, i) => values[i].cells[at]));
}

/** How one element of a result was computed; "" if that is unknown. */
export function forwardWords(data: StepData, m: StepMoment, index: number[]): string {
  if (!m.recipe) return "";
  const [left, out] = m.recipe.spec.split("->");
  const letters = left.split(",");
  const values = m.ins.slice(0, letters.length).map(({ v }) => valueAt(data, v));
  const result = valueAt(data, m.outs[0].v);
  if (values.length < letters.length || !values.every(isFull) || !isFull(result))
    return "";
  const words = m.recipe.plug
    ? plugged(m.recipe.plug, terms(letters, values, out, index)[0])
    : summed(letters, values, out, index, m.recipe);
  return `${words} = ${plain(element(result, index))}`;
}

function summed(
  letters: string[],
  values: StepValue[],
  out: string,
  index: number[],
  { plus, over }: StepRecipe,
): string {
  const factor = (_: unknown, k: number) => k !== plus;
  const found = terms(letters.filter(factor), values.filter(factor), out, index);
  let words = added(found.map(product));
  if (plus >= 0)
    words += ` + ${within(terms([letters[plus]], [values[plus]], out, index)[0][0])}`;
  return over === 1 ? words : `(${words}) / ${over}`;
}

/** incoming · local = outgoing for one element; "" if that is unknown. */
export function backwardWords(
  data: StepData,
  m: StepMoment,
  edge: StepEdge,
  index: number[],
): string {
  const incoming = valueAt(data, m.outs[0].v);
  const sent = valueAt(data, edge.v);
  if (!isFull(incoming) || !isFull(sent)) return "";
  const result = plain(element(sent, index));
  if (edge.form === "reshape") return `${result}, in another shape`;
  const factors = factorsOf(data, m, edge);
  if (!factors) return "";
  const found = terms(factors.letters, factors.values, factors.out, index);
  const one = factors.values.length === 1 && found.length === 1 ? " · 1" : "";
  return `${added(found.map(product))}${one} = ${result}`;
}

/** The factors of an edge's products; null if they are not fully known. */
export function factorsOf(data: StepData, m: StepMoment, edge: StepEdge) {
  const incoming = valueAt(data, m.outs[0].v);
  if (edge.form !== "product" || !isFull(incoming)) return null;
  const [left, out] = edge.spec.split("->");
  const values = [incoming];
  if (edge.local >= 0) {
    const local = valueAt(data, edge.local);
    if (!isFull(local)) return null;
    values.push(local);
  }
  return { letters: left.split(",").slice(0, values.length), values, out };
}

/** The sum of the gradients that join here, for one element; "" for a single one. */
export function joinWords(data: StepData, m: StepMoment, index: number[]): string {
  const parts = m.parts.map(({ v }) => valueAt(data, v));
  const result = valueAt(data, m.outs[0].v);
  if (parts.length < 2 || m.outs.length > 1) return "";
  if (!parts.every(isFull) || !isFull(result)) return "";
  const words = parts.map((part) => plain(element(part, index)));
  return `${added(words)} = ${plain(element(result, index))}`;
}

/** Terms joined by plus signs; the middle of a long sum is abbreviated. */
export function added(words: string[]): string {
  const signed = words.map((term, k) => (k === 0 ? term : afterSign(term)));
  if (words.length <= SHOWN) return signed.join(" + ") || "0";
  const some = [...signed.slice(0, AT_ONCE), "…", signed[signed.length - 1]];
  return `${some.join(" + ")} (${words.length} terms)`;
}

/** A term, with parentheses if its first number is negative. */
function afterSign(term: string): string {
  return term.replace(/^-\S*/, "($&)");
}

function product(numbers: Cell[]): string {
  return numbers.map((x, k) => (k === 0 ? plain(x) : within(x))).join(" · ");
}

/** A number after an operator, with parentheses if it is negative. */
function within(x: Cell): string {
  const text = plain(x);
  return text.startsWith("-") ? `(${text})` : text;
}

/** Substitute numbers into a template; negative ones get parentheses if needed. */
function plugged(template: string, numbers: Cell[]): string {
  return numbers.reduce((words: string, x, k) => {
    const at = template.indexOf(`{${k}}`);
    const alone = at === 0 || "(|".includes(template[at - 1]);
    return words.replaceAll(`{${k}}`, alone ? plain(x) : within(x));
  }, template);
}
