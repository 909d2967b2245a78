/** The text of NaNTrail's boxes, as in `edutorch/widgets/draw_nan_trail.py`. */
import { number, plural, shapeText, shortFile } from "./format";
import type { NanBox, NanFinding, NanOperand, NanRange } from "./nan_types";
import type { Source } from "./types";

const HEADS: Record<string, string> = {
  backward: "backward of ",
  leaf: "gradient of ",
  gradient: "given: ",
  input: "input ",
  parameter: "parameter ",
  update: "changed: ",
  earlier: "earlier: ",
};

const REACHED: Record<string, string> = {
  loss: "It reached the loss.",
  gradient: "It reached the gradient of a leaf.",
  nothing: "It did not reach the loss.",
};

/** "2 nan, 1 -inf of 8 values" */
export function countWords({ nan, posinf, neginf, n }: NanRange): string {
  const parts: [number, string][] = [
    [nan, "nan"],
    [posinf, "inf"],
    [neginf, "-inf"],
  ];
  const words = parts.filter(([k]) => k > 0).map(([k, name]) => `${k} ${name}`);
  return `${words.join(", ") || "none"} of ${plural(n, "value")}`;
}

/** "-1 to 3, 1 inf of 4 values" */
export function rangeWords(found: NanRange): string {
  const ends = found.min === null ? "" : `${number(found.min)} to ${number(found.max)}`;
  const bad = found.nan + found.posinf + found.neginf;
  return [ends, bad > 0 ? countWords(found) : ""].filter(Boolean).join(", ");
}

/** An operand's range; integers have none. */
export function operandRange({ range, dtype }: NanOperand): string {
  const unseen = /^(int|uint|bool)/.test(dtype) ? dtype : "not seen";
  return (range && rangeWords(range)) || unseen;
}

export function operandName({ name, shape }: NanOperand): string {
  return `${name || "operand"} ${shapeText(shape)}`;
}

/** "backward of sqrt in features.0", "h = relu" */
export function head(box: Pick<NanBox, "kind" | "name" | "var" | "module">): string {
  const variable = box.var ? `${box.var} = ` : "";
  const name = (HEADS[box.kind] ?? "") + variable + (box.name || "a tensor");
  return name + (box.module ? ` in ${box.module}` : "");
}

export function placeWords(src: Source | null): string {
  return src ? `${shortFile(src.file)}:${src.line}: ${src.text}` : "";
}

/** How far the non-finite values have spread. */
export function endWords({
  reached,
  left_out,
}: Pick<NanFinding, "reached" | "left_out">): string {
  const words = REACHED[reached] ?? "No loss is known yet.";
  return left_out ? `${words} ${left_out} boxes in between are not shown.` : words;
}
