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
  /** why it failed, or what somebody found wrong with it */
  error?: string;
  /** what the program calls its result, "" where that is not known */
  var?: string;
}

export interface ModuleInfo {
  path: string;
  cls: string;
  parent: string;
}

/** What a step computed: nodes in the order they ran, edges source to consumer. */
export interface GraphData {
  v: number;
  rev: number;
  step: number;
  phase: "forward" | "backward" | "idle";
  recorded_step: number;
  /** the class of the model whose part of the graph it is, if not all is shown */
  of?: string;
  dropped: number;
  /** a backward pass runs: gradients that are missing are still to come */
  pending?: boolean;
  /** the node at which the reader has stopped the training, "" for none */
  now?: string;
  /** backward passes of the same step before this graph, as gradients add up */
  passes: number;
  nodes: GraphNode[];
  edges: [string, string][];
  modules: ModuleInfo[];
}
