/** The visible elements of a graph: boxes and lines between them, as in `boxes.py`. */
import { number, shapeText } from "./format";
import type { GraphNode } from "./graph_types";

export type BoxKind =
  | "op"
  | "param"
  | "input"
  | "const"
  | "module"
  | "repeat"
  | "frame";

/** One element of the drawing. Boxes come in drawing order, frames before contents. */
export interface Box {
  id: string;
  kind: BoxKind;
  /** id of the snapshot node, "" if the box is a module */
  node: string;
  /** path of the module that contains it, or that it is */
  path: string;
  /** id of the enclosing frame, "" at the top */
  parent: string;
  title: string;
  sub: string;
  /** ids of all snapshot nodes that it represents */
  nodes: string[];
}

export interface FoldEdge {
  from: string;
  to: string;
  /** the snapshot nodes whose values it carries */
  sources: string[];
}

export interface Folded {
  boxes: Box[];
  edges: FoldEdge[];
}

/** The name of a leaf relative to the module in which it is drawn. */
export function leafTitle(leaf: GraphNode, home: string): string {
  const dot = leaf.name.lastIndexOf(".");
  // where no model is given, paths of modules begin with that of the model
  if (dot > 0 && `.${home}`.endsWith(`.${leaf.name.slice(0, dot)}`))
    return leaf.name.slice(dot + 1);
  const prefix = `${home}.`;
  return home !== "" && leaf.name.startsWith(prefix)
    ? leaf.name.slice(prefix.length)
    : leaf.name;
}

/** An op's name with the program's name of its result: "z = mul". */
export function nodeTitle(op: GraphNode): string {
  return op.var ? `${op.var} = ${op.name}` : op.name;
}

/** The box of an op or leaf; its second line is the error, value or shape. */
export function nodeBox(
  node: GraphNode,
  id: string,
  parent: string,
  title: string,
): Box {
  const { kind, module: path } = node;
  const error = node.dtype === "" ? (node.error ?? "") : "";
  const sub = error.split(":")[0] || valueOrShape(node);
  return { id, kind, node: node.id, path, parent, title, sub, nodes: [node.id] };
}

/** The value if it is a single known number, else the shape. */
function valueOrShape({ shape, stats }: GraphNode): string {
  if (shape.length > 0 || !stats || stats.n !== 1) return shapeText(shape);
  return stats.nonfinite > 0 ? "nan/inf" : number(stats.mean);
}
