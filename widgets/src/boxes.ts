/** What is drawn of a graph: boxes and the lines between them, as in `boxes.py`. */
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

/** One thing drawn. Boxes come in drawing order, a frame before its content. */
export interface Box {
  id: string;
  kind: BoxKind;
  /** id of the snapshot node, "" where the box stands for a module */
  node: string;
  /** module path it lies in, or that it stands for */
  path: string;
  /** id of the frame around it, "" at the top */
  parent: string;
  title: string;
  sub: string;
  /** ids of all snapshot nodes it stands for */
  nodes: string[];
}

export interface FoldEdge {
  from: string;
  to: string;
  /** the snapshot nodes whose values flow along it */
  sources: string[];
}

export interface Folded {
  boxes: Box[];
  edges: FoldEdge[];
}

/** A leaf's name, seen from the module it is drawn in. */
export function leafTitle(leaf: GraphNode, home: string): string {
  const prefix = `${home}.`;
  return home !== "" && leaf.name.startsWith(prefix)
    ? leaf.name.slice(prefix.length)
    : leaf.name;
}

/** An op's name, and what the program calls its result: "z = mul". */
export function nodeTitle(op: GraphNode): string {
  return op.var ? `${op.var} = ${op.name}` : op.name;
}

/** The box of an op or a leaf; below its title what failed, its value, or shape. */
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

/** A single number is shown itself, where it is known. */
function valueOrShape({ shape, stats }: GraphNode): string {
  if (shape.length > 0 || !stats || stats.n !== 1) return shapeText(shape);
  return stats.nonfinite > 0 ? "nan/inf" : number(stats.mean);
}
