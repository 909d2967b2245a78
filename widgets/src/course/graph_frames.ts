/**
 * A graph of small numbers, forward and backward: every step, with what is known after
 * it. The same as `frames_of` in `edutorch/course/interactions/graph_player.py`.
 */

/** A node of a graph: the names of its inputs, and its position in columns and rows. */
export interface GraphNode {
  name: string;
  op: string;
  inputs: string[];
  x: number;
  y: number;
}

type Numbers = Record<string, number>;

export interface Frame {
  /** start, forward, seed, backward or again */
  phase: string;
  /** the node that the step concerns; "" for none */
  node: string;
  words: string;
  values: Numbers;
  grads: Numbers;
  /** the gradient along each edge, by "user>index of the input" */
  sent: Numbers;
}

export const CALLS = ["once", "twice", "twice, .grad = None between"];
const SIGNS: Record<string, string> = { mul: "·", add: "+", sub: "-" };

/** Every step, forward and then backward. */
export function framesOf(
  nodes: GraphNode[],
  leaves: Numbers,
  calls = CALLS[0],
): Frame[] {
  const film = new Film(nodes, leaves);
  film.forward();
  film.backward();
  if (calls !== CALLS[0]) {
    film.again(calls === CALLS[1]);
    film.backward();
  }
  return film.frames;
}

class Film {
  readonly frames: Frame[] = [];
  private readonly known: Numbers = {};
  private readonly leaves: string[] = [];
  private readonly constants = new Set<string>();
  private grads: Numbers = {};
  private sent: Numbers = {};

  constructor(
    private readonly nodes: GraphNode[],
    given: Numbers,
  ) {
    for (const { name, op } of nodes) {
      if (op === "detach") this.constants.add(name);
      if (op !== "leaf") continue;
      this.known[name] = given[name];
      this.leaves.push(name);
    }
    const shown = this.leaves.map((name) => `${name} = ${this.known[name]}`);
    const many = this.leaves.length > 1 ? "are leaves" : "is a leaf";
    this.note("start", "", `${shown.join(" and ")} ${many}: given, not computed.`);
  }

  private note(phase: string, node: string, words: string): void {
    const [values, grads, sent] = [
      { ...this.known },
      { ...this.grads },
      { ...this.sent },
    ];
    this.frames.push({ phase, node, words, values, grads, sent });
  }

  forward(): void {
    for (const { name, op, inputs } of this.nodes) {
      if (op === "leaf") continue;
      const numbers = inputs.map((x) => this.known[x]);
      this.known[name] = resultOf(op, numbers);
      let words = `${name} = ${inputs[0]}.detach() = ${numbers[0]}, a constant`;
      if (op !== "detach") {
        const sign = ` ${SIGNS[op]} `;
        const shown = numbers.map(inside).join(sign);
        words = `${name} = ${inputs.join(sign)} = ${shown} = ${this.known[name]}`;
      }
      this.note("forward", name, words);
    }
  }

  backward(): void {
    const root = this.nodes[this.nodes.length - 1].name;
    this.grads[root] = 1;
    const words = `The gradient of ${root} is 1: ${root} changes as much as ${root}.`;
    this.note("seed", root, words);
    for (const node of [...this.nodes].reverse())
      if (node.inputs.length > 0 && !this.constants.has(node.name)) this.handOn(node);
  }

  /** Send gradients from a node to its inputs. */
  private handOn({ name, op, inputs }: GraphNode): void {
    const g = this.grads[name];
    const slopes = slopesOf(
      op,
      inputs.map((x) => this.known[x]),
    );
    const shares = inputs.map((x, i) => {
      if (this.constants.has(x)) return `nothing to ${x}, a constant`;
      const share = g * slopes[i] + 0; // and no -0
      let words = `to ${x} ${inside(g)} · ${inside(slopes[i])} = ${share}`;
      const total = (this.grads[x] ?? 0) + share;
      if (x in this.grads)
        words += ` (${this.grads[x]} + ${inside(share)} = ${total} in total)`;
      this.grads[x] = total;
      this.sent[`${name}>${i}`] = share;
      return words;
    });
    this.note("backward", name, `${name} passes on: ${shares.join("; ")}.`);
  }

  /** Compute the same graph again; only leaves may keep a gradient. */
  again(keep: boolean): void {
    const kept = this.leaves.map((name) => [name, this.grads[name]]);
    this.grads = keep ? Object.fromEntries(kept) : {};
    this.sent = {};
    const whose = this.leaves.join(" and ");
    const verb = this.leaves.length === 1 ? "keeps" : "keep";
    const words = keep ? `${whose} ${verb} .grad` : `.grad of ${whose} is None again`;
    this.note("again", "", `The graph is built again; ${words}.`);
  }
}

function resultOf(op: string, [first, second]: number[]): number {
  if (op === "mul") return first * second + 0;
  if (op === "detach") return first;
  return op === "add" ? first + second : first - second;
}

/** The derivative of the result with respect to each input. */
function slopesOf(op: string, [first, second]: number[]): number[] {
  if (op === "mul") return [second, first];
  return op === "add" ? [1, 1] : [1, -1];
}

/** A number as written after an operator. */
function inside(number: number): string {
  return number < 0 ? `(${number})` : String(number);
}

/** A node's expression, as code. */
export function titleOf({ name, op, inputs }: GraphNode): string {
  if (op === "leaf") return name;
  if (op === "detach") return `${name} = ${inputs[0]}.detach()`;
  return `${name} = ${inputs[0]} ${SIGNS[op]} ${inputs[1]}`;
}
