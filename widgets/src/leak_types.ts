/** The JSON of LeakFinder, as `edutorch/inspect/leak_report.py` writes it. */
import type { Source } from "./types";

/** A line, and the objects created by it that survive. */
export interface LeakRow {
  id: number;
  src: Source | null;
  /** for objects without a line */
  name: string;
  /** storages, their bytes, and graph nodes */
  count: number;
  bytes: number;
  nodes: number;
  bytes_per_step: number;
  nodes_per_step: number;
  /** leak, grows or "" */
  state: string;
  rule: string;
  /** by step; empty for all but the first lines */
  bytes_at: number[];
  nodes_at: number[];
}

export interface LeakPath {
  /** "" for a namespace */
  root: string;
  words: string;
  what: string;
  hops: { code: string; what: string; kind: string }[];
}

export interface LeakCause {
  kind: string;
  title: string;
  why: string;
  src: Source | null;
  /** what to do with the change */
  how: string;
  change: string;
  also: Omit<LeakCause, "kind" | "title" | "also"> | null;
}

/** Why the objects of a line, or one object, are alive. */
export interface LeakAnswer {
  line: number | null;
  src: Source | null;
  name: string;
  what: string;
  sought: number;
  found: number;
  lost_bytes: number;
  holders: [string, number][];
  paths: LeakPath[];
  cause: LeakCause | null;
  objects: number;
  seconds: number;
  cut: boolean;
  step: number;
}

export interface LeakData {
  v: number;
  rev: number;
  title: string;
  step: number;
  /** of the samples */
  steps: number[];
  bytes: number[];
  nodes: number[];
  lines: LeakRow[];
  left_out: number;
  answers: LeakAnswer[];
  /** the limit of a search */
  seconds: number;
}
