/**
 * A convolution in the page, one window at a time: the reader moves the window and changes
 * the kernel, the stride and the padding. Shown are the products, the receptive field of
 * an output, and the gradient of each pixel.
 *
 * The Python half is `edutorch/course/interactions/conv_stepper.py`, with the same
 * numbers.
 */
import { attr, button, html, refill, setText } from "../dom";
import { number } from "../format";
import { Lifetime, type Model } from "../model";
import { asWords, choice } from "./controls";

type Matrix = number[][];

/** rows and columns of the kernel */
const K = 3;
/** milliseconds per window while it plays */
const PACE = 450;
const NINTH = 1 / 9;
export const KERNELS: Record<string, Matrix> = {
  "right - left": [-1, -1, -1].map(() => [-1, 0, 1]),
  "below - above": [-1, 0, 1].map((w) => [w, w, w]),
  mean: [0, 0, 0].map(() => [NINTH, NINTH, NINTH]),
  sharpen: [
    [0, -1, 0],
    [-1, 5, -1],
    [0, -1, 0],
  ],
};

interface Convolved {
  padded: Matrix;
  outputs: Matrix;
  /** the gradient of one output, or of the sum of all, for each pixel of the image */
  gradient: Matrix;
}

/** Slide the kernel over the image, and send back a gradient of 1 to it. */
export function convolve(
  image: Matrix,
  kernel: Matrix,
  stride: number,
  padding: number,
  at: [number, number] | null,
): Convolved {
  const side = (n: number) => n + 2 * padding;
  const padded = zeros(side(image.length), side(image[0].length));
  image.forEach((line, i) => {
    line.forEach((x, j) => {
      padded[i + padding][j + padding] = x;
    });
  });
  const count = (n: number) => Math.max(Math.floor((n - K) / stride) + 1, 0);
  const outputs = zeros(count(padded.length), count(padded[0].length));
  const back = zeros(padded.length, padded[0].length);
  outputs.forEach((line, i) => {
    line.forEach((_, j) => {
      const counts = at === null || (at[0] === i && at[1] === j);
      eachWeight(kernel, (w, u, v) => {
        line[j] += w * padded[i * stride + u][j * stride + v];
        if (counts) back[i * stride + u][j * stride + v] += w;
      });
    });
  });
  const gradient = image.map((line, i) =>
    line.map((_, j) => back[i + padding][j + padding]),
  );
  return { padded, outputs, gradient };
}

function zeros(rows: number, columns: number): Matrix {
  return Array.from({ length: rows }, () => new Array(columns).fill(0));
}

function eachWeight(
  kernel: Matrix,
  act: (w: number, u: number, v: number) => void,
): void {
  kernel.forEach((line, u) => {
    line.forEach((w, v) => {
      act(w, u, v);
    });
  });
}

/** A number short enough for a cell. */
function short(value: number): string {
  return number(Number(value.toFixed(Math.abs(value) >= 1 ? 1 : 2)));
}

const STYLE = `
.ecs-controls { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 16px; padding: 10px 12px 2px; }
.edutorch .ecs-size, .edutorch .ecs-product { margin: 6px 12px; font-variant-numeric: tabular-nums; }
.edutorch .ecs-product { min-height: 40px; font-size: 14px; overflow-wrap: anywhere; }
.ecs-grids { display: flex; flex-wrap: wrap; gap: 12px 18px; padding: 2px 12px 12px; align-items: flex-start; }
.ecs-place { min-width: 0; max-width: 100%; overflow-x: auto; padding: 3px; }
.ecs-name { display: block; color: var(--edt-muted); font-size: 12px; padding-bottom: 3px; }
.ecs-grid { display: grid; width: max-content; border-top: 1px solid var(--edt-grid); border-left: 1px solid var(--edt-grid); }
.ecs-cell { position: relative; display: flex; align-items: center; justify-content: center; width: 24px; height: 23px;
  font-size: 10.5px; font-variant-numeric: tabular-nums; border-right: 1px solid var(--edt-grid); border-bottom: 1px solid var(--edt-grid); }
.edutorch .ecs-border { color: var(--edt-muted); background: var(--edt-grid) !important; }
.ecs-outputs .ecs-cell { cursor: pointer; }
.ecs-chosen { box-shadow: inset 0 0 0 3px var(--edt-grad); font-weight: 700; }
.edutorch .ecs-kernel input { font: inherit; font-size: 11px; width: 48px; height: 25px; text-align: center;
  color: var(--edt-text); background: var(--edt-box); border: 1px solid var(--edt-border); }
.ecs-none { padding: 6px; color: var(--edt-muted); }
`;

interface State {
  image: Matrix;
  kernel: Matrix;
  stride: number;
  padding: number;
  at: [number, number];
}

class ConvStepper {
  private readonly life = new Lifetime();
  private readonly state: State;
  private all = false;
  private outputs: Matrix = [];
  private timer: ReturnType<typeof setInterval> | undefined;
  private readonly preset = choice(
    "kernel",
    asWords([...Object.keys(KERNELS), "your own"]),
  );
  private readonly stride = choice("stride", asWords(["1", "2", "3"]));
  private readonly padding = choice("padding", asWords(["0", "1", "2"]));
  private readonly of = choice("gradient", asWords(["this output", "the sum of all"]));
  private readonly play = button("Play", "Play", { "data-testid": "play" });
  private readonly size = html("p", { class: "ecs-size", "data-testid": "size" });
  private readonly product = html("p", {
    class: "ecs-product",
    role: "status",
    "data-testid": "product",
  });
  private readonly image = html("div", { class: "ecs-grid", "data-testid": "image" });
  private readonly kernel = html("div", { class: "ecs-grid ecs-kernel" });
  private readonly result = html("div", {
    class: "ecs-grid ecs-outputs",
    tabindex: 0,
    role: "application",
    "data-testid": "outputs",
    "aria-label": "Outputs. A click or arrow keys choose one.",
  });
  private readonly back = html("div", { class: "ecs-grid", "data-testid": "back" });
  private readonly backName = html("span", { class: "ecs-name" });
  private readonly weights: HTMLInputElement[] = [];
  private readonly redraw = this.life.perFrame(() => this.draw());

  constructor(model: Model, root: HTMLElement) {
    this.state = structuredClone(model.get("data") as State);
    const style = html("style");
    style.textContent = STYLE;
    root.append(style, this.controls(), this.size, this.product, this.grids());
    this.listen();
    this.showKernel();
    this.draw();
    this.life.add(() => this.pause());
  }

  end(): void {
    this.life.end();
  }

  private controls(): HTMLElement {
    const back = button("Back", "Previous window", { "data-testid": "previous" });
    const next = button("Step", "Next window", { "data-testid": "next" });
    this.life.listen(back, "click", () => this.walk(-1));
    this.life.listen(next, "click", () => this.walk(1));
    this.stride.value = String(this.state.stride);
    this.padding.value = String(this.state.padding);
    const buttons = html("span", { class: "edt-group", role: "group" });
    buttons.append(this.play, back, next);
    return html(
      "div",
      { class: "ecs-controls" },
      html("label", {}, "kernel ", this.preset),
      html("label", {}, "stride ", this.stride),
      html("label", {}, "padding ", this.padding),
      html("label", {}, "gradient of ", this.of),
      buttons,
    );
  }

  private grids(): HTMLElement {
    this.kernel.style.gridTemplateColumns = `repeat(${K}, auto)`;
    for (let i = 0; i < K * K; i++) {
      const made = html("input", {
        type: "number",
        step: "any",
        "data-testid": `w${i}`,
        "aria-label": `kernel, row ${Math.floor(i / K)}, column ${i % K}`,
      });
      this.weights.push(made);
      this.kernel.append(made);
    }
    const place = (name: string | HTMLElement, grid: HTMLElement) => {
      const head =
        typeof name === "string" ? html("span", { class: "ecs-name" }, name) : name;
      return html("div", { class: "ecs-place" }, head, grid);
    };
    return html(
      "div",
      { class: "ecs-grids" },
      place("image", this.image),
      place("kernel", this.kernel),
      place("outputs", this.result),
      place(this.backName, this.back),
    );
  }

  private listen(): void {
    const { life, state } = this;
    life.listen(this.preset, "change", () => {
      const chosen = KERNELS[this.preset.value];
      if (chosen) state.kernel = structuredClone(chosen);
      this.showKernel();
      this.redraw();
    });
    for (const [i, input] of this.weights.entries())
      life.listen(input, "input", () => {
        const value = Number(input.value);
        if (!Number.isFinite(value)) return;
        state.kernel[Math.floor(i / K)][i % K] = value;
        this.preset.value = nameOf(state.kernel);
        this.redraw();
      });
    life.listen(this.stride, "change", () => {
      state.stride = Number(this.stride.value);
      this.redraw();
    });
    life.listen(this.padding, "change", () => {
      state.padding = Number(this.padding.value);
      this.redraw();
    });
    life.listen(this.of, "change", () => {
      this.all = this.of.value !== "this output";
      this.redraw();
    });
    life.listen(this.play, "click", () => (this.timer ? this.pause() : this.begin()));
    life.listen(this.result, "click", ({ target }) => {
      const cell = (target as Element).closest("[data-at]");
      if (cell) this.choose(cell.getAttribute("data-at")?.split(",").map(Number) ?? []);
    });
    life.listen(this.result, "keydown", (event) => this.key(event));
  }

  private key(event: KeyboardEvent): void {
    const [row, column] = this.state.at;
    const moves: Record<string, [number, number]> = {
      ArrowLeft: [row, column - 1],
      ArrowRight: [row, column + 1],
      ArrowUp: [row - 1, column],
      ArrowDown: [row + 1, column],
      Home: [row, 0],
      End: [row, Number.POSITIVE_INFINITY],
    };
    const to = moves[event.key];
    if (!to) return;
    event.preventDefault();
    this.choose(to);
  }

  private choose([row, column]: number[]): void {
    this.pause();
    this.state.at = [row, column];
    this.redraw();
  }

  /** To the next or previous window in reading order, wrapping around. */
  private walk(by: number, playing = false): void {
    if (!playing) this.pause();
    const columns = this.outputs[0]?.length ?? 0;
    const count = this.outputs.length * columns;
    if (count === 0) return;
    const [row, column] = this.state.at;
    const place = (row * columns + column + by + count) % count;
    this.state.at = [Math.floor(place / columns), place % columns];
    this.redraw();
  }

  private begin(): void {
    this.timer = setInterval(() => this.walk(1, true), PACE);
    setText(this.play, "Pause");
    attr(this.play, { title: "Pause", "aria-label": "Pause" });
  }

  private pause(): void {
    clearInterval(this.timer);
    this.timer = undefined;
    setText(this.play, "Play");
    attr(this.play, { title: "Play", "aria-label": "Play" });
  }

  private showKernel(): void {
    this.preset.value = nameOf(this.state.kernel);
    for (const [i, input] of this.weights.entries())
      input.value = String(
        Number(this.state.kernel[Math.floor(i / K)][i % K].toFixed(3)),
      );
  }

  // ---- drawing

  private draw(): void {
    const { image, kernel, stride, padding, at } = this.state;
    this.outputs = convolve(image, kernel, stride, padding, null).outputs;
    const rows = this.outputs.length;
    const columns = this.outputs[0]?.length ?? 0;
    const within = (place: number, count: number) =>
      Math.max(0, Math.min(count - 1, place));
    at[0] = within(at[0], rows);
    at[1] = within(at[1], columns);
    const done = convolve(image, kernel, stride, padding, this.all ? null : at);
    const sides = `${image.length} × ${image[0].length} pixels`;
    setText(
      this.size,
      `${sides}, a 3 × 3 kernel, stride ${stride}, padding ${padding}: ` +
        `${rows} × ${columns} outputs.`,
    );
    setText(this.product, this.words(done));
    this.drawImage(done);
    const chosen = (i: number, j: number) =>
      i === at[0] && j === at[1] ? "ecs-chosen" : "";
    fill(this.result, done.outputs, (i, j) => ({
      class: chosen(i, j),
      "data-at": `${i},${j}`,
    }));
    setText(this.backName, `gradient of ${this.of.value}, for each pixel`);
    fill(this.back, done.gradient, (i, j) => ({
      style: this.all ? "" : this.frame(i + padding, j + padding),
    }));
  }

  private drawImage({ padded }: Convolved): void {
    const { padding } = this.state;
    const last = padded.length - padding;
    const right = padded[0].length - padding;
    fill(this.image, padded, (i, j) => {
      const inside = i >= padding && i < last && j >= padding && j < right;
      return { class: inside ? "" : "ecs-border", style: this.frame(i, j) };
    });
  }

  /** The part of the window's frame along a pixel of the padded image. */
  private frame(i: number, j: number): string {
    const { stride, at } = this.state;
    const down = i - at[0] * stride;
    const across = j - at[1] * stride;
    if (down < 0 || down >= K || across < 0 || across >= K) return "";
    const sides = [
      [down === 0, "0 2px"],
      [down === K - 1, "0 -2px"],
      [across === 0, "2px 0"],
      [across === K - 1, "-2px 0"],
    ].filter(([there]) => there);
    const lines = sides.map(([, offset]) => `inset ${offset} 0 0 var(--edt-grad)`);
    return `--ecs-seen: 1; box-shadow: ${lines.join(", ") || "none"};`;
  }

  private words({ padded, outputs }: Convolved): string {
    const { kernel, stride, at } = this.state;
    const [row, column] = at;
    const terms: string[] = [];
    eachWeight(kernel, (w, u, v) => {
      const x = padded[row * stride + u][column * stride + v];
      if (w !== 0) terms.push(`${short(w)}·${short(x)}`);
    });
    const total = short(outputs[row][column]);
    return `Output (${row}, ${column}): ${terms.join(" + ") || "0"} = ${total}`;
  }
}

/** The preset with these numbers. */
function nameOf(kernel: Matrix): string {
  const numbers = kernel.flat();
  const found = Object.entries(KERNELS).find(([, preset]) =>
    preset.flat().every((w, i) => Math.abs(w - numbers[i]) < 1e-3),
  );
  return found ? found[0] : "your own";
}

/** Numbers in squares: red if positive, blue if negative. */
function fill(
  grid: HTMLElement,
  values: Matrix,
  look: (i: number, j: number) => Record<string, string>,
): void {
  const most = Math.max(...values.flat().map(Math.abs)) || 1;
  grid.style.gridTemplateColumns = `repeat(${values[0]?.length ?? 1}, auto)`;
  const cells = values.flatMap((line, i) =>
    line.map((value, j) => {
      const part = Math.round((55 * Math.abs(value)) / most);
      const hue = value > 0 ? "--edt-activation" : "--edt-linear";
      const ground = `; background: color-mix(in srgb, var(${hue}) ${part}%, transparent)`;
      const own = look(i, j);
      const shape = {
        ...own,
        class: `ecs-cell ${own.class ?? ""}`,
        style: `${own.style ?? ""}${ground}`,
      };
      return html("span", shape, short(value));
    }),
  );
  refill(grid, ...cells);
}

/** Draw the interaction; returns a function that ends it. */
export function renderConvStepper(model: Model, el: HTMLElement): () => void {
  const made = new ConvStepper(model, el);
  return () => made.end();
}
