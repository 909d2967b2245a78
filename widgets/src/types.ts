/** The JSON that Python sends, exactly as `edutorch.inspect` writes it. */

/** A place in a source file. */
export interface Source {
  file: string;
  line: number;
  func: string;
  text: string;
  /** of an op: the line of its backward in the same file, 0 for none */
  backward?: number;
}

/** Summary of a tensor's values (`norm` only for gradients). */
export interface Stats {
  norm?: number | null;
  min: number | null;
  max: number | null;
  mean: number | null;
  std: number | null;
  nonfinite: number;
  n: number;
}

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

export interface GradientMark {
  step: number;
  layer: string;
  kind: "vanishing" | "exploding" | "nonfinite";
  rule: string;
}

/** Gradient norms: `norms[i][j]` is layer `layers[j]` at step `steps[i]`. */
export interface GradientData {
  v: number;
  rev: number;
  layers: string[];
  steps: number[];
  norms: (number | null)[][];
  marks: GradientMark[];
  stride: number;
}

/** One training step in full; `t` in ms from its beginning, `ms` its length. */
export interface MemoryStep {
  step: number;
  name: string;
  t: number[];
  bytes: number[][];
  phases: { t: number; name: string }[];
  ms: number;
}

/** Bytes over time: `bytes[i][j]` is category `categories[j]` at `t[i]` ms. */
export interface MemoryData {
  v: number;
  rev: number;
  device: string;
  kind: string;
  categories: string[];
  t: number[];
  bytes: number[][];
  marks: { t: number; name: string }[];
  now: number;
  peak: number;
  limit: number | null;
  reserved: number | null;
  steps: MemoryStep[];
}

/** A tensor, or (`shape` null) a sum of small ones, at each of the moments. */
export interface MemoryRow {
  name: string;
  shape: number[] | null;
  dtype: string;
  /** places in the lists of `MemoryTreeData` */
  device: number;
  category: number;
  module: number;
  line: number;
  counts: number[];
  bytes: number[];
}

/** Who owns the bytes; the first moment is now, the second the peak of each device. */
export interface MemoryTreeData {
  v: number;
  rev: number;
  step: number;
  /** records that a recording has lost */
  dropped: number;
  /** the device that is shown first */
  shown: number;
  devices: {
    name: string;
    kind: string;
    limit: number | null;
    reserved: number | null;
  }[];
  categories: string[];
  moments: { kind: string; name: string }[];
  modules: { model: string; path: string }[];
  lines: Source[];
  rows: MemoryRow[];
}

/** What one view sees of a storage, in elements of its own dtype. */
export interface MemoryOfView {
  name: string;
  shape: number[];
  strides: number[];
  offset: number;
  itemsize: number;
}

/** Slices over the last two dimensions, `values` of as many as fit from `first` on. */
export interface TensorGrid {
  lead: number[];
  rows: number;
  columns: number;
  /** every how many rows and columns are given */
  steps: [number, number];
  shown: [number, number];
  first: number;
  values: (number | string)[];
}

export interface TensorStats {
  min: number | null;
  max: number | null;
  mean: number | null;
  std: number | null;
  norm: number | null;
  zeros: number;
  nan: number;
  inf: number;
  n: number;
  numel: number;
}

/** A tensor's values, or those of its gradient. */
export interface TensorValues {
  note: string;
  stats: TensorStats;
  histogram: { low: number; high: number; counts: number[] } | null;
  grid: TensorGrid;
  image: "" | "gray" | "rgb";
}

/** A tensor given to an op that failed; `lit` are dimensions that do not fit. */
export interface ErrorOperand {
  name: string;
  role: string;
  shape: number[];
  lit: number[];
  dtype: string;
  device: string;
  /** "dtype", "device" or another trait that does not fit, "" for none */
  wrong: string;
}

/** Why an op failed. */
export interface ErrorData {
  v: number;
  rev: number;
  type: string;
  message: string;
  op: string;
  attrs: string;
  module: string;
  hint: string;
  /** what must hold, "" where that is not known */
  rule: string;
  /** whether dimensions are compared from the last on */
  right: boolean;
  src: Source | null;
  operands: ErrorOperand[];
  /** lines that changed in place what backward needs */
  changes: Source[];
  /** where the op ran whose backward failed */
  forward: Source | null;
  graph: GraphData | null;
}

/** One tensor; "null" in place of values that it does not have. */
export interface TensorData {
  v: number;
  rev: number;
  name: string;
  shape: number[];
  dtype: string;
  device: string;
  layout: string;
  version: number;
  requires_grad: boolean;
  grad_fn: string;
  memory: { bytes: number; itemsize: number; views: MemoryOfView[] } | null;
  value: TensorValues | null;
  grad: TensorValues | null;
  made: { op: string; src: Source | null } | null;
  users: { op: string; src: Source | null }[];
}

/** The ends of the finite elements, null where there is none, and counts of others. */
export interface NanRange {
  min: number | null;
  max: number | null;
  nan: number;
  posinf: number;
  neginf: number;
  n: number;
}

export interface NanOperand {
  name: string;
  shape: number[];
  dtype: string;
  /** null for integers, and where it was not seen */
  range: NanRange | null;
}

/** An op, the backward of one, or a value that no op made, that is not finite. */
export interface NanBox {
  kind: string;
  name: string;
  var: string;
  attrs: string;
  module: string;
  src: Source | null;
  shape: number[];
  dtype: string;
  result: NanRange;
  operands: NanOperand[];
}

/** The way of a nan: `trail[root]` is blamed, what stands before it was deliberate. */
export interface NanFinding {
  step: number;
  where: string;
  kind: string;
  rule: string;
  reached: string;
  root: number;
  left_out: number;
  trail: NanBox[];
}

export interface NanData {
  v: number;
  rev: number;
  step: number;
  checked: number;
  suspects: number;
  /** what was found before, where nothing has been since; none in older files */
  earlier?: string;
  finding: NanFinding | null;
}

/** A number, or "nan", "inf", "-inf". */
export type RunValue = number | string;

export interface RunSeries {
  name: string;
  steps: number[];
  values: RunValue[];
  /** one of so many samples is kept */
  stride: number;
  last: RunValue;
}

export interface RunName {
  /** 0 before it is kept */
  id: number;
  name: string;
  settings: string[][];
}

export interface RunAlert {
  step: number;
  metric: string;
  kind: string;
  rule: string;
}

/** A training run, and those laid over it. */
export interface RunData {
  v: number;
  rev: number;
  run: RunName;
  state: string;
  /** batches done in all passes */
  step: number;
  done: number;
  total: number | null;
  passes: number;
  /** seconds */
  elapsed: number;
  left: number | null;
  rate: RunValue | null;
  unit: string;
  series: RunSeries[];
  others: (RunName & { series: RunSeries[] })[];
  alerts: RunAlert[];
  rules: string[];
  remarks: string[];
}

/** Bars as columns; -1 where there is none. */
export interface TimelineBars {
  kind: number[];
  name: number[];
  /** nanoseconds since `origin` */
  start: number[];
  /** nanoseconds */
  dur: number[];
  lane: number[];
  parent: number[];
  line: number[];
  link: number[];
  device: number[];
  open: number[];
}

export interface TimelineData {
  v: number;
  rev: number;
  step: number;
  /** of so many steps, the newest are kept */
  most: number;
  dropped_steps: number;
  dropped: number;
  origin: number;
  total: number;
  names: string[];
  lines: (Source | null)[];
  lanes: string[];
  devices: string[];
  pauses: number[][];
  bars: TimelineBars;
}

/** A bar of a lane: begin and duration in µs; texts by number; `source`: who had sent. */
export type LaneBar = [
  start: number,
  duration: number,
  name: number,
  module: number,
  phase: number,
  thread: number,
  row: number,
  inside: number,
  source: number,
];

/** One device of `edutorch/inspect/device_lanes.py`; times in µs. */
export interface Lane {
  device: string;
  kind: string;
  busy: number;
  idle: number;
  ops: number;
  waited: { device: string; us: number }[];
  received: { count: number; bytes: number };
  sent: { count: number; bytes: number };
  memory: { now: number; peak: number; limit: number | null };
  rows: number;
  bars: LaneBar[];
}

export type LaneTransfer = [
  start: number,
  end: number,
  source: string,
  target: string,
  nbytes: number,
  how: string,
];

/** What all devices did. */
export interface LanesData {
  v: number;
  rev: number;
  step: number;
  from: number;
  to: number;
  dropped: number;
  clock: string;
  limits: string;
  lanes: Lane[];
  transfers: LaneTransfer[];
  moved: { source: string; target: string; count: number; bytes: number }[];
  phases: { name: string; from: number; to: number; row: number }[];
  steps: [us: number, step: number][];
  full: {
    at: number;
    device: string;
    wanted: string;
    now: number;
    limit: number | null;
  }[];
  texts: string[];
  threads: number;
}

/** A line, and what survives of what it made. */
export interface LeakRow {
  id: number;
  src: Source | null;
  /** for what has no line */
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

/** Why what a line made, or one object, is alive. */
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
  /** the longest search */
  seconds: number;
}
