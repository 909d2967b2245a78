/** Graph snapshots as Python would send them. */
import type { GraphData, GraphNode, NodeKind } from "../src/graph_types";

export const HOSTILE = [
  "<img src=x onerror=window.hacked=1>",
  "</script><script>window.hacked=1</script>",
  "javascript:window.hacked=1",
  '"><svg onload=window.hacked=1>',
];

function node(id: string, kind: NodeKind, name: string): GraphNode {
  return {
    id,
    kind,
    name,
    cls: kind === "op" ? name : "Tensor",
    module: "",
    shape: [],
    dtype: "float32",
    device: "cpu",
    attrs: "",
    src: null,
    lib: null,
    stats: null,
    grad: null,
    fwd_us: null,
    bwd_us: null,
    bytes: 0,
  };
}

/** Writes a snapshot line by line, in the order of execution. */
export class Builder {
  readonly data: GraphData = {
    v: 1,
    rev: 1,
    step: 12,
    phase: "backward",
    recorded_step: 12,
    dropped: 0,
    passes: 0,
    nodes: [],
    edges: [],
    modules: [],
  };

  module(path: string, cls: string): void {
    this.data.modules.push({
      path,
      cls,
      parent: path.split(".").slice(0, -1).join("."),
    });
  }

  leaf(kind: NodeKind, name: string, shape: number[], module = ""): string {
    const leaf = node(`t${this.data.nodes.length}`, kind, name);
    return this.push({ ...leaf, shape, module, bytes: size(shape) });
  }

  op(name: string, from: string[], shape: number[], module = "", attrs = ""): string {
    const op = node(`op${this.data.nodes.length}`, "op", name);
    const line = this.data.nodes.length + 10;
    const src = {
      file: "/home/me/train.py",
      line,
      func: "forward",
      text: `x = ${name}(x)`,
    };
    const lib = {
      file: `/lib/edutorch/ops/${name}.py`,
      line: 41,
      func: "forward",
      text: "return xp.maximum(x, 0)",
    };
    const id = this.push({ ...op, shape, module, attrs, src, lib, bytes: size(shape) });
    for (const a of from) this.data.edges.push([a, id]);
    return id;
  }

  /** A layer with weight and bias, called on `x`. */
  layer(path: string, op: string, x: string, w: number[], y: number[]): string {
    const weight = this.leaf("param", `${path}.weight`, w, path);
    const bias = this.leaf("param", `${path}.bias`, [w[0]], path);
    return this.op(op, [x, weight, bias], y, path);
  }

  /** Fill in value summaries, times and (after backward) gradients. */
  finish(backward = true): GraphData {
    this.data.phase = backward ? "backward" : "forward";
    this.data.nodes.forEach((n, i) => {
      const values = {
        min: -1.5,
        max: 2.25,
        mean: 0.125,
        std: 0.75,
        nonfinite: 0,
        n: 64,
      };
      n.stats = values;
      n.fwd_us = n.kind === "op" ? 12.5 * (1 + (i % 7)) : null;
      n.bwd_us = n.kind === "op" && backward ? 21.5 * (1 + (i % 5)) : null;
      const flows = backward && n.kind !== "input" && n.kind !== "const";
      n.grad = flows ? { ...values, norm: 0.8 / (1 + i) } : null;
    });
    return this.data;
  }

  private push(n: GraphNode): string {
    this.data.nodes.push(n);
    return n.id;
  }
}

function size(shape: number[]): number {
  return 4 * shape.reduce((a, b) => a * b, 1);
}

export function lenet(backward = true): GraphData {
  const b = new Builder();
  b.module("features", "Sequential");
  b.module("classifier", "Sequential");
  let x = b.leaf("input", "images", [64, 1, 28, 28]);
  const conv = (i: number, c: number, k: number, y: number[]) => {
    b.module(`features.${i}`, "Conv2d");
    x = b.layer(`features.${i}`, "conv2d", x, [k, c, 5, 5], y);
  };
  const plain = (path: string, cls: string, op: string, y: number[], attrs = "") => {
    b.module(path, cls);
    x = b.op(op, [x], y, path, attrs);
  };
  conv(0, 1, 6, [64, 6, 24, 24]);
  plain("features.1", "ReLU", "relu", [64, 6, 24, 24]);
  plain("features.2", "MaxPool2d", "max_pool2d", [64, 6, 12, 12], "kernel_size=2");
  conv(3, 6, 16, [64, 16, 8, 8]);
  plain("features.4", "ReLU", "relu", [64, 16, 8, 8]);
  plain("features.5", "MaxPool2d", "max_pool2d", [64, 16, 4, 4], "kernel_size=2");
  x = b.op("flatten", [x], [64, 256], "", "start_dim=1");
  [120, 84, 10].forEach((n, i) => {
    const path = `classifier.${2 * i}`;
    b.module(path, "Linear");
    x = b.layer(path, "linear", x, [n, [256, 120, 84][i]], [64, n]);
    if (n !== 10) plain(`classifier.${2 * i + 1}`, "ReLU", "relu", [64, n]);
  });
  const y = b.leaf("input", "labels", [64]);
  x = b.op("cross_entropy", [x, y], [], "", "reduction='mean'");
  return b.finish(backward);
}

/** A scalar graph without modules: z = a * b + a; loss = z * z. */
export function scalars(): GraphData {
  const b = new Builder();
  const a = b.leaf("param", "a", []);
  const c = b.leaf("param", "b", []);
  const product = b.op("mul", [a, c], []);
  const sum = b.op("add", [product, a], []);
  b.op("mul", [sum, sum], []);
  return b.finish();
}

export function residual(blocks: number): GraphData {
  const b = new Builder();
  let x = b.leaf("input", "x", [8, 32]);
  b.module("blocks", "Sequential");
  for (let i = 0; i < blocks; i++) {
    const path = `blocks.${i}`;
    b.module(path, "Block");
    b.module(`${path}.fc1`, "Linear");
    b.module(`${path}.fc2`, "Linear");
    let h = b.layer(`${path}.fc1`, "linear", x, [32, 32], [8, 32]);
    h = b.op("relu", [h], [8, 32], path);
    h = b.layer(`${path}.fc2`, "linear", h, [32, 32], [8, 32]);
    x = b.op("add", [x, h], [8, 32], path);
  }
  b.op("sum", [x], []);
  return b.finish();
}

/** An unrolled RNN: two weights shared by all steps, one input each step. */
export function rnn(steps: number): GraphData {
  const b = new Builder();
  b.module("cell", "RNNCell");
  const inputs = b.leaf("input", "tokens", [steps, 4, 8]);
  const wx = b.leaf("param", "cell.weight_ih", [16, 8], "cell");
  const wh = b.leaf("param", "cell.weight_hh", [16, 16], "cell");
  let h = b.leaf("const", "h0", [4, 16]);
  for (let t = 0; t < steps; t++) {
    const x = b.op("select", [inputs], [4, 8], "", `dim=0, index=${t}`);
    const left = b.op("linear", [x, wx], [4, 16], "cell");
    const right = b.op("linear", [h, wh], [4, 16], "cell");
    h = b.op("tanh", [b.op("add", [left, right], [4, 16], "cell")], [4, 16], "cell");
  }
  b.op("sum", [h], []);
  return b.finish();
}

/** A loop by hand whose states are stacked at its end. */
export function stacked(steps: number): GraphData {
  const b = new Builder();
  const inputs = b.leaf("input", "x", [4, steps, 8]);
  const w = b.leaf("param", "w", [8, 8]);
  let h = b.leaf("const", "h0", [4, 8]);
  const states: string[] = [];
  for (let t = 0; t < steps; t++) {
    const x = b.op("select", [inputs], [4, 8], "", `dim=1, index=${t}`);
    h = b.op(
      "tanh",
      [b.op("add", [x, b.op("matmul", [h, w], [4, 8])], [4, 8])],
      [4, 8],
    );
    states.push(h);
  }
  b.op("stack", states, [steps, 4, 8]);
  return b.finish();
}

/** Attention with separate heads: a wide graph. */
export function attention(heads: number, layers = 1): GraphData {
  const b = new Builder();
  let x = b.leaf("input", "x", [2, 16, 64]);
  for (let l = 0; l < layers; l++) {
    const outs: string[] = [];
    b.module(`layers.${l}`, "Attention");
    for (let h = 0; h < heads; h++) {
      const path = `layers.${l}.head${h}`;
      b.module(path, "Head");
      const q = b.op(
        "linear",
        [x, b.leaf("param", `${path}.q`, [8, 64], path)],
        [2, 16, 8],
        path,
      );
      const k = b.op(
        "linear",
        [x, b.leaf("param", `${path}.k`, [8, 64], path)],
        [2, 16, 8],
        path,
      );
      const v = b.op(
        "linear",
        [x, b.leaf("param", `${path}.v`, [8, 64], path)],
        [2, 16, 8],
        path,
      );
      const scores = b.op(
        "softmax",
        [b.op("matmul", [q, k], [2, 16, 16], path)],
        [2, 16, 16],
        path,
      );
      outs.push(b.op("matmul", [scores, v], [2, 16, 8], path));
    }
    const joined = b.op("cat", outs, [2, 16, 64], `layers.${l}`);
    x = b.op("add", [x, joined], [2, 16, 64], `layers.${l}`);
  }
  b.op("mean", [x], []);
  return b.finish();
}

export function chain(n: number): GraphData {
  const b = new Builder();
  let x = b.leaf("input", "x", [4, 4]);
  for (let i = 1; i < n; i++) x = b.op(i % 2 ? "relu" : "mul", [x], [4, 4]);
  return b.finish();
}

/** The same graph with shapes that all differ, so that nothing in it is a loop. */
export function unlike(data: GraphData): GraphData {
  const nodes = data.nodes.map((node, i) => ({ ...node, shape: [i] }));
  return { ...data, nodes };
}

/** Names that try to get out of the page's text. */
export function hostile(): GraphData {
  const b = new Builder();
  let x = b.leaf("input", HOSTILE[0], [2, 2]);
  HOSTILE.forEach((name, i) => {
    const path = name.replaceAll(".", "");
    b.module(path, HOSTILE[(i + 1) % HOSTILE.length]);
    x = b.layer(path, name, x, [2, 2], [2, 2]);
    const last = b.data.nodes[b.data.nodes.length - 1];
    const text = HOSTILE[i];
    last.src = { file: text, line: 1, func: text, text };
    last.lib = last.src;
    last.attrs = text;
    last.dtype = text;
  });
  return b.finish();
}

/** Tied weights, an unused parameter, and a module called twice apart. */
export function tied(): GraphData {
  const b = new Builder();
  b.module("embed", "Embedding");
  b.module("body", "Linear");
  b.module("head", "Head");
  const tokens = b.leaf("input", "tokens", [4, 7]);
  const table = b.leaf("param", "embed.weight", [100, 16], "embed");
  b.leaf("param", "body.unused", [3], "body");
  let x = b.op("embedding", [tokens, table], [4, 7, 16], "embed");
  const weight = b.leaf("param", "body.weight", [16, 16], "body");
  x = b.op("linear", [x, weight], [4, 7, 16], "body");
  x = b.op("tanh", [x], [4, 7, 16]);
  x = b.op("linear", [x, weight], [4, 7, 16], "body");
  x = b.op("matmul", [x, table], [4, 7, 100], "head");
  x = b.op("mul", [x], [4, 7, 100], "head");
  b.op("cross_entropy", [x, tokens], []);
  return b.finish();
}
