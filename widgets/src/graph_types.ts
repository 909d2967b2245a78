/** The JSON of a graph, as `edutorch/inspect/graph_snapshot.py` writes it. */
import type { Source, Stats } from "./types";

export type NodeKind = "op" | "param" | "input" | "const";

export interface GraphNode {
  id: string;
  kind: NodeKind;
  name: string;
  cls: string;
  module: string;
  shape: number[];
  dtype: string;
  device: string;
  attrs: string;
  src: Source | null;
  lib: Source | null;
  stats: Stats | null;
  grad: Stats | null;
  fwd_us: number | null;
  bwd_us: number | null;
  bytes: number;
  /** why it failed, or what a check says is wrong with it */
  error?: string;
  /** the program's name of its result, "" if unknown */
  var?: string;
}

export interface ModuleInfo {
  path: string;
  cls: string;
  parent: string;
}

/** What a step computed: nodes in execution order, edges from source to consumer. */
export interface GraphData {
  v: number;
  rev: number;
  step: number;
  phase: "forward" | "backward" | "idle";
  recorded_step: number;
  /** the class of the model whose part of the graph is shown, if not all is */
  of?: string;
  dropped: number;
  /** a backward pass is running, so missing gradients may still come */
  pending?: boolean;
  /** the node at which training is paused, "" for none */
  now?: string;
  /** earlier backward passes of the same step, since gradients accumulate */
  passes: number;
  nodes: GraphNode[];
  edges: [string, string][];
  modules: ModuleInfo[];
}
