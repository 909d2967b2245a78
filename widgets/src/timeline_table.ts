/** A timeline's sums as a table: time by operation, by module or by line. */
import { attr, button, html, setText } from "./dom";
import { duration } from "./format";
import type { Lifetime } from "./model";
import type { Window } from "./timeline_canvas";
import { shareText } from "./timeline_text";
import { type Mode, type Total, totals } from "./timeline_totals";
import type { TimelineData } from "./timeline_types";

const MAX_ROWS = 60;
const MODES: [Mode, string][] = [
  ["op", "Operation"],
  ["module", "Module"],
  ["line", "Line"],
];

export class TotalsTable {
  readonly element = html("div", { class: "edt-totals" });
  private readonly head = html("div", { class: "edt-subhead" });
  private readonly title = html("span", { "data-testid": "totals-title" });
  private readonly body = html("div", { class: "edt-table" });
  private readonly buttons: HTMLElement[] = [];
  private mode: Mode = "op";

  constructor(
    life: Lifetime,
    private readonly changed: () => void,
    find: (name: string) => void,
  ) {
    const group = html("span", {
      class: "edt-group",
      role: "group",
      "aria-label": "Time by",
    });
    for (const [mode, face] of MODES) {
      const made = button(face, `Time by ${face.toLowerCase()}`, { "data-mode": mode });
      life.listen(made, "click", () => {
        this.mode = mode;
        this.changed();
      });
      this.buttons.push(made);
      group.append(made);
    }
    this.head.append("Time by", group, this.title);
    this.element.append(this.head, this.body);
    life.listen(this.body, "click", ({ target }) => {
      const name = target instanceof Element ? target.closest("[data-find]") : null;
      if (name) find(name.getAttribute("data-find") ?? "");
    });
  }

  draw(data: TimelineData, window: Window, where: string): void {
    for (const made of this.buttons) {
      const pressed = made.getAttribute("data-mode") === this.mode;
      attr(made, { "aria-pressed": String(pressed) });
    }
    setText(this.title, `in ${where}`);
    const rows = totals(data, this.mode, window.low, window.high);
    const whole = rows.reduce((sum, row) => sum + row.own, 0);
    const columns = ["Name", "Self time", "Share", "Total time", "Calls"];
    const head = html("tr", {}, ...columns.map((c) => html("th", { scope: "col" }, c)));
    const lines = rows.slice(0, MAX_ROWS).map((row) => this.row(row, whole));
    const table = html("table", { "aria-label": `Time by ${this.mode}` });
    table.append(html("thead", {}, head), html("tbody", {}, ...lines));
    if (rows.length > MAX_ROWS)
      table.append(
        html("caption", {}, `${rows.length - MAX_ROWS} more are not listed`),
      );
    this.body.replaceChildren(table);
  }

  private row(row: Total, whole: number): HTMLElement {
    const found = this.mode !== "line" && row.count > 0;
    const about = { type: "button", class: "edt-link", "data-find": row.name };
    const name = found ? html("button", about, row.name) : row.name;
    const cells = [
      duration(row.own / 1e3),
      shareText(row.own, whole),
      duration(row.total / 1e3),
      row.count ? String(row.count) : "",
    ];
    const share = whole > 0 ? ((100 * row.own) / whole).toFixed(1) : "0";
    const bar = { style: `--edt-share: ${share}%`, class: "edt-share" };
    return html(
      "tr",
      {},
      html("th", { scope: "row" }, name),
      ...cells.map((cell, k) => html("td", k === 1 ? bar : {}, cell)),
    );
  }
}
