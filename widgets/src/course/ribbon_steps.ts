/**
 * Small programs, run forward and backward in float32: each step with its numbers, what
 * is on the call stack, and a sentence.
 *
 * The Python half is `edutorch/course/interactions/stack_ribbon.py`.
 */
import { number } from "../format";

/** an operation; an input of -1 is x, others are indices of operations */
export interface Made {
  code: string;
  kind: keyof typeof RULES;
  inputs: number[];
  /** counted from 1 */
  line: number;
}

/** a function, a loss, and backward; the last two lines are those two */
export interface Program {
  title: string;
  name: string;
  lines: string[];
  made: Made[];
  places: number[];
}

interface Rule {
  node: string;
  forward: (...inputs: number[]) => number;
  /** functions of the gradient, inputs and result; null if there is no path */
  backward: (g: number, inputs: number[], y: number) => (number | null)[];
  /** the same as text */
  words: (g: string, inputs: string[], y: string) => string[];
}

/** One operation in forward, or one node in backward. */
export interface Step {
  /** the index of the operation; -1 for the end at x */
  made: number;
  backward: boolean;
  arrived: number | null;
  values: number[];
  node: string;
  stack: string[];
  words: string;
}

const NEAR = [-1, -0.1, -0.01, -0.001, 0, 0.001, 0.01, 0.1, 1, 2, 3];

const RULES = {
  mul: {
    node: "Mul",
    forward: (a, b) => a * b,
    backward: (g, [a, b]) => [g * b, g * a],
    words: (g, [a, b]) => [`${g} · ${b}`, `${g} · ${a}`],
  },
  double: {
    node: "Mul",
    forward: (a) => 2 * a,
    backward: (g) => [g * 2],
    words: (g) => [`${g} · 2`],
  },
  plus: {
    node: "Add",
    forward: (a) => 1 + a,
    backward: (g) => [g],
    words: (g) => [g],
  },
  sqrt: {
    node: "Sqrt",
    forward: (a) => Math.sqrt(a),
    backward: (g, _, y) => [g / (2 * y)],
    words: (g, _, y) => [`${g} / (2 · ${y})`],
  },
  log: {
    node: "Log",
    forward: (a) => Math.log(a),
    backward: (g, [a]) => [g / a],
    words: (g, [a]) => [`${g} / ${a}`],
  },
  exp: {
    node: "Exp",
    forward: (a) => Math.exp(a),
    backward: (g, _, y) => [g * y],
    words: (g, _, y) => [`${g} · ${y}`],
  },
  where: {
    node: "Where",
    forward: (q, s) => (q > 0 ? s : 0),
    backward: (g, [q]) => [null, q > 0 ? g : 0],
    words: (g, [q]) => ["", q === "0" ? "0" : g],
  },
} satisfies Record<string, Rule>;

const mul: Made = { code: "x * x", kind: "mul", inputs: [-1, -1], line: 2 };
const root: Made = { code: "q.sqrt()", kind: "sqrt", inputs: [0], line: 3 };

export const PROGRAMS: Record<string, Program> = {
  length: {
    title: "a length",
    name: "length",
    lines: [
      "def length(x):",
      "    q = x * x",
      "    return q.sqrt()",
      "",
      "loss = 2 * length(x)",
      "loss.backward()",
    ],
    made: [mul, root, { code: "2 * length(x)", kind: "double", inputs: [1], line: 5 }],
    places: NEAR,
  },
  where: {
    title: "a length with where",
    name: "length",
    lines: [
      "def length(x):",
      "    q = x * x",
      "    s = q.sqrt()",
      "    return where(q > 0, s, 0)",
      "",
      "loss = 2 * length(x)",
      "loss.backward()",
    ],
    made: [
      mul,
      root,
      { code: "where(q > 0, s, 0)", kind: "where", inputs: [0, 1], line: 4 },
      { code: "2 * length(x)", kind: "double", inputs: [2], line: 6 },
    ],
    places: NEAR,
  },
  xlogx: {
    title: "x log x",
    name: "f",
    lines: [
      "def f(x):",
      "    return x * x.log()",
      "",
      "loss = 2 * f(x)",
      "loss.backward()",
    ],
    made: [
      { code: "x.log()", kind: "log", inputs: [-1], line: 2 },
      { code: "x * x.log()", kind: "mul", inputs: [-1, 0], line: 2 },
      { code: "2 * f(x)", kind: "double", inputs: [1], line: 4 },
    ],
    places: [0, 0.001, 0.01, 0.1, 0.5, 1, 2, 3],
  },
  softplus: {
    title: "softplus",
    name: "softplus",
    lines: [
      "def softplus(x):",
      "    return (1 + x.exp()).log()",
      "",
      "loss = 2 * softplus(x)",
      "loss.backward()",
    ],
    made: [
      { code: "x.exp()", kind: "exp", inputs: [-1], line: 2 },
      { code: "1 + x.exp()", kind: "plus", inputs: [0], line: 2 },
      { code: "(1 + x.exp()).log()", kind: "log", inputs: [1], line: 2 },
      { code: "2 * softplus(x)", kind: "double", inputs: [2], line: 4 },
    ],
    places: [-10, -1, 0, 1, 10, 50, 88, 89, 100],
  },
};

function ruleOf(made: Made): Rule {
  return RULES[made.kind];
}

/** The line that calls the function; the next line calls backward. */
export function callOf(program: Program): number {
  return program.lines.length - 1;
}

function engineOf(program: Program): string[] {
  const line = callOf(program) + 1;
  return [`line ${line}: ${program.lines[line - 1]}`, "steps, in the engine"];
}

/** All steps of a program: forward, then backward. */
export function run(name: string, at: number): Step[] {
  const program = PROGRAMS[name];
  const x = Math.fround(at);
  const values: number[] = [];
  const value = (i: number) => (i < 0 ? x : values[i]);
  const steps = program.made.map((made, i) => {
    values.push(Math.fround(ruleOf(made).forward(...made.inputs.map(value))));
    return forwardStep(program, i, values[i]);
  });
  const gradients = new Map([[values.length - 1, 1]]);
  for (let i = values.length - 1; i >= 0; i--) {
    const inputs = program.made[i].inputs.map(value);
    steps.push(backwardStep(program, i, inputs, values[i], gradients));
  }
  const whole = gradients.get(-1) ?? 0;
  steps.push({
    made: -1,
    backward: true,
    arrived: whole,
    values: [],
    node: "AccumulateGrad",
    stack: [...engineOf(program), "accumulate"],
    words: `Every path is back at x: x.grad = ${number(whole)}.`,
  });
  return steps;
}

function forwardStep(program: Program, i: number, value: number): Step {
  const made = program.made[i];
  const call = callOf(program);
  const stack = [`line ${call}: ${program.lines[call - 1]}`];
  if (made.line !== call) {
    const code = program.lines[made.line - 1].trim();
    stack.push(`${program.name}, line ${made.line}: ${code}`);
  }
  return {
    made: i,
    backward: false,
    arrived: null,
    values: [value],
    node: `${ruleOf(made).node}Backward0`,
    stack: [...stack, `${ruleOf(made).node}.forward`],
    words: `Forward, line ${made.line}: ${made.code} = ${number(value)}.`,
  };
}

/** The backward of one operation; its results are added to `gradients`. */
function backwardStep(
  program: Program,
  i: number,
  inputs: number[],
  y: number,
  gradients: Map<number, number>,
): Step {
  const made = program.made[i];
  const rule = ruleOf(made);
  const g = gradients.get(i) ?? 0;
  const sums = rule.words(number(g), inputs.map(number), number(y));
  const values: number[] = [];
  const leaves: string[] = [];
  for (const [j, exact] of rule.backward(g, inputs, y).entries()) {
    if (exact === null) continue;
    const gradient = Math.fround(exact);
    const target = made.inputs[j];
    const before = gradients.get(target);
    gradients.set(
      target,
      before === undefined ? gradient : Math.fround(before + gradient),
    );
    values.push(gradient);
    const said = number(gradient);
    leaves.push(sums[j] === said ? said : `${sums[j]} = ${said}`);
  }
  const words =
    `Backward of line ${made.line}, ${made.code}: ${number(g)} arrives, ` +
    `${leaves.join(" and ")} ${leaves.length === 1 ? "leaves" : "leave"}.`;
  const node = `${rule.node}Backward0`;
  const stack = [...engineOf(program), `${rule.node}.backward`];
  return { made: i, backward: true, arrived: g, values, node, stack, words };
}

/** The report of anomaly detection for a program. */
export function anomaly(name: string, x: number): string {
  const program = PROGRAMS[name];
  const steps = run(name, x);
  const nan = steps.find((s) => s.backward && s.values.some(Number.isNaN));
  if (!nan) return "detect_anomaly reports nothing.";
  const said =
    `detect_anomaly: ${nan.node} returned nan, forward ran in line ` +
    `${program.made[nan.made].line};`;
  const before = steps.slice(0, steps.indexOf(nan));
  const first = before.find((s) => !s.values.every(Number.isFinite));
  if (!first) return `${said} everything before it was finite.`;
  const what = first.backward ? "gradient" : "value";
  const line = program.made[first.made].line;
  return `${said} the first ${what} that is not finite was made by line ${line}.`;
}
