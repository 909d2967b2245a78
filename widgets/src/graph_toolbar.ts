/** GraphView's buttons, search box and legend. */
import type { Direction } from "./direction";
import { attr, button, html, setText } from "./dom";
import type { Lifetime } from "./model";

const ZOOM = 1.25;

/** The actions of the tools. */
export interface Actions {
  fold(): void;
  unfold(): void;
  zoom(factor: number): void;
  fit(): void;
  turn(direction: Direction): void;
  table(shown: boolean): void;
}

/** The legend below the graph; last in it, how old the values are. */
export function legend(age: HTMLElement): HTMLElement {
  const words = [
    html("span", {}, "→ value"),
    html("b", {}, "⇄ value and gradient"),
    html("span", {}, "∇ gradient norm"),
    html("span", {}, "▸ folded, ▾ open"),
  ];
  return html("div", { class: "edt-legend" }, ...words, age);
}

export class Tools {
  readonly element = html("span", { class: "edt-tools" });
  readonly search = html("input", {
    class: "edt-search",
    type: "search",
    placeholder: "Search  /",
    "aria-label": "Search nodes",
  });
  private readonly count = html("span", { class: "edt-info", "aria-live": "polite" });
  private readonly fold: HTMLElement;
  private readonly unfold: HTMLElement;
  private readonly ways: Record<Direction, HTMLElement>;

  constructor(
    private readonly life: Lifetime,
    actions: Actions,
  ) {
    this.fold = this.tool("Fold", "Fold the innermost modules and loops", actions.fold);
    this.unfold = this.tool(
      "Unfold",
      "Unfold folded modules and loops",
      actions.unfold,
    );
    this.ways = {
      down: this.tool("↓", "Top to bottom (L)", () => actions.turn("down")),
      right: this.tool("→", "Left to right (L)", () => actions.turn("right")),
    };
    const list = this.tool("Table", "Show as table", () => {
      const shown = list.getAttribute("aria-pressed") !== "true";
      attr(list, { "aria-pressed": String(shown) });
      actions.table(shown);
    });
    attr(list, { "aria-pressed": "false", "data-testid": "table" });
    this.element.append(
      html("span", { class: "edt-find" }, this.search, this.count),
      group("Modules", this.fold, this.unfold),
      group(
        "Zoom",
        this.tool("−", "Zoom out", () => actions.zoom(1 / ZOOM)),
        this.tool("+", "Zoom in", () => actions.zoom(ZOOM)),
        this.tool("Fit", "Fit to view; click again to show everything", actions.fit),
      ),
      group("Direction", this.ways.down, this.ways.right),
      list,
    );
  }

  /** The direction in which the graph is drawn. */
  turned(direction: Direction): void {
    for (const [way, made] of Object.entries(this.ways))
      attr(made, { "aria-pressed": String(way === direction) });
  }

  /** The number of matches and the current one (-1: none). */
  found(many: number, at = -1): void {
    const all = at < 0 ? `${many} found` : `${at + 1} of ${many}`;
    setText(this.count, this.search.value.trim() === "" ? "" : all);
  }

  /** Buttons that have nothing to do look disabled, but keep the focus. */
  able(fold: boolean, unfold: boolean): void {
    attr(this.fold, { "aria-disabled": fold ? null : "true" });
    attr(this.unfold, { "aria-disabled": unfold ? null : "true" });
  }

  private tool(face: string, label: string, act: () => void): HTMLElement {
    const made = button(face, label);
    this.life.listen(made, "click", () => {
      if (!made.hasAttribute("aria-disabled")) act();
    });
    return made;
  }
}

function group(label: string, ...buttons: HTMLElement[]): HTMLElement {
  const about = { class: "edt-group", role: "group", "aria-label": label };
  return html("span", about, ...buttons);
}
