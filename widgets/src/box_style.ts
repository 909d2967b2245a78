/** The style and text of a graph's boxes, shared by SVG and canvas. */
import type { Box } from "./boxes";
import { clip, clipTitle, columns, number } from "./format";
import type { GraphData, GraphNode } from "./graph_types";
import { SUB_COLUMNS, TITLE_COLUMNS } from "./layout";

export type Family =
  | "linear"
  | "activation"
  | "pointwise"
  | "reduce"
  | "shape"
  | "loss"
  | "param"
  | "input"
  | "const"
  | "module";

/** Families in words. */
export const FAMILY_NAME: Record<Family, string> = {
  linear: "linear algebra",
  activation: "activation",
  pointwise: "elementwise",
  reduce: "reduction",
  shape: "shape",
  loss: "loss",
  param: "parameter",
  input: "input",
  const: "constant",
  module: "module",
};

const FAMILIES: [Family, RegExp][] = [
  ["loss", /loss|cross_entropy|nll|kl_div/],
  [
    "linear",
    /matmul|mm|bmm|linear|conv|einsum|dot|embedding|attention|outer|baddbmm|lstm|gru|rnn/,
  ],
  ["activation", /relu|sigmoid|tanh|softmax|gelu|elu|silu|softplus|mish|dropout|hard/],
  [
    "shape",
    /view|shape|flatten|permute|transpose|cat|stack|squeeze|select|slice|index|getitem|expand|narrow|split|chunk|pad|^t$|clone|contiguous|unfold|gather|roll|flip|unbind/,
  ],
  ["reduce", /sum|mean|max|min|pool|norm|var|std|prod|any|all|arg|cum/],
];

/** The family of an op, inferred from its name. */
export function opFamily(name: string): Family {
  for (const [family, pattern] of FAMILIES) if (pattern.test(name)) return family;
  return "pointwise";
}

/** px of a letter in the title of a frame, and of the sign before it */
const LETTER = 7.4;
const SIGN = 14;

/** The place in a frame that its title takes, from which lines keep away. */
export function titleGround(title: string) {
  return { x: 11, y: 9, width: SIGN + LETTER * columns(title), height: 16 };
}

export interface BoxStyle {
  title: string;
  sub: string;
  foot: string;
  family: Family;
  /** the label for screen readers */
  label: string;
  /** a gradient has been computed for it */
  grad: boolean;
  /** holds nan or inf */
  bad: boolean;
}

/** The norm of the gradients of several tensors together; null if there is none. */
function jointNorm(nodes: GraphNode[]): number | null {
  const norms = nodes.flatMap((n) => n.grad?.norm ?? []);
  return norms.length === 0 ? null : Math.sqrt(norms.reduce((s, x) => s + x * x, 0));
}

function nonfinite(nodes: GraphNode[]): number {
  return nodes.reduce(
    (sum, n) => sum + (n.stats?.nonfinite ?? 0) + (n.grad?.nonfinite ?? 0),
    0,
  );
}

/** The nodes whose gradients a box reports: a module's parameters, or its result. */
function gradNodes(nodes: GraphNode[]): GraphNode[] {
  const params = nodes.filter((n) => n.kind === "param");
  return params.length > 0 ? params : nodes.filter((n) => n.kind === "op").slice(-1);
}

export function hasGradients(data: GraphData): boolean {
  return data.nodes.some((n) => n.grad !== null);
}

/** Whether backward is over, so that missing gradients will not come. */
export function backwardDone(data: GraphData): boolean {
  return hasGradients(data) && !data.pending;
}

function gradText(nodes: GraphNode[], started: boolean): string {
  const norm = jointNorm(gradNodes(nodes));
  if (norm !== null) return `∇ ${number(norm)}`;
  if (gradNodes(nodes).some((n) => n.grad)) return "∇ done";
  return started ? "∇ none" : "∇ not yet";
}

function footText(box: Box, nodes: GraphNode[], started: boolean): string {
  if (box.kind === "input" || box.kind === "const")
    return nodes.some((n) => n.grad) ? gradText(nodes, started) : box.kind;
  if (box.kind !== "module" && box.kind !== "repeat") return gradText(nodes, started);
  return `${gradText(nodes, started)} · ${nodes.length} nodes`;
}

export function boxFamily(box: Box, node: GraphNode | undefined): Family {
  if (box.kind === "op") return opFamily(node?.name ?? "");
  if (box.kind === "param" || box.kind === "input" || box.kind === "const")
    return box.kind;
  return "module";
}

/** The step to which values belong, if it differs from that of the graph. */
export function stepOfValues({ step, recorded_step: seen }: GraphData): string {
  return seen < step ? `step ${seen}` : "";
}

/** The style of a box, complete for drawing; `age` ends its label. */
export function styleOf(
  box: Box,
  byId: ReadonlyMap<string, GraphNode>,
  started: boolean,
  age = "",
): BoxStyle {
  const nodes = box.nodes.flatMap((id) => byId.get(id) ?? []);
  const bad = nonfinite(nodes);
  const title = clipTitle(box.title, TITLE_COLUMNS);
  const sub = clip(box.sub, SUB_COLUMNS);
  const wrong = nodes.find((n) => n.error);
  const count = bad > 0 ? "⚠ nan/inf" : footText(box, nodes, started);
  const foot = wrong ? (wrong.dtype ? "✗ wrong" : "✗ failed") : count;
  return {
    title,
    sub,
    foot,
    family: boxFamily(box, byId.get(box.node)),
    label: `${box.kind} ${box.title}, ${box.sub}, ${foot}${age}`,
    grad: gradNodes(nodes).some((n) => n.grad !== null),
    bad: bad > 0 || wrong !== undefined,
  };
}
