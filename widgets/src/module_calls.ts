/** Calls of modules: the contiguous runs of ops by which a graph is folded. */
import type { GraphNode } from "./graph_types";

const MAX_DEPTH = 32;

/** A contiguous run of ops in one module; a loop in it has a title. */
export interface Call {
  id: string;
  path: string;
  /** 1 for the module's first call */
  count: number;
  parent: Call | null;
  first: number;
  units: Unit[];
  signature: string;
  title: string;
}

export type Unit =
  | { op: GraphNode; call: null; first: number }
  | { op: null; call: Call; first: number };

export function prefixes(path: string): string[] {
  if (path === "") return [];
  const names = path.split(".").slice(0, MAX_DEPTH);
  return names.map((_, i) => names.slice(0, i + 1).join("."));
}

/** The key of a call among the expanded ones. */
export function keyOf(call: Call): string {
  return call.title === "" ? call.path : call.id;
}

function within(path: string, outer: string): boolean {
  return outer === "" || path === outer || path.startsWith(`${outer}.`);
}

export function newCall(
  path: string,
  count: number,
  parent: Call | null,
  first: number,
): Call {
  const id = path === "" ? "" : `m:${path}${count > 1 ? `#${count}` : ""}`;
  return { id, path, count, parent, first, units: [], signature: "", title: "" };
}

/** The call in which a leaf is drawn: its module's, if that contains the consumer. */
export function homeOf(module: string, consumer: Call): Call {
  if (!within(consumer.path, module)) return consumer;
  let call = consumer;
  while (call.parent && call.path !== module) call = call.parent;
  return call;
}
