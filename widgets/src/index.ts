/** edutorch's widgets: one bundle, one `render`, distinguished by the trait `view`. */

import { renderLanes } from "./device_lanes";
import { html } from "./dom";
import { renderError } from "./error_card";
import { renderGradient } from "./gradient_view";
import { renderGraph } from "./graph_view";
import { renderLeaks } from "./leak_finder";
import { renderLive } from "./live";
import { renderMemoryTree } from "./memory_tree";
import { renderMemory } from "./memory_view";
import type { Model } from "./model";
import { renderNanTrail } from "./nan_trail";
import { drawAll } from "./page";
import { renderRun } from "./run_monitor";
import { renderStepper } from "./stepper";
import { renderTensor } from "./tensor_card";
import { renderTimeline } from "./timeline";

const VIEWS: Record<string, (model: Model, el: HTMLElement) => () => void> = {
  graph: renderGraph,
  gradient: renderGradient,
  memory: renderMemory,
  memory_tree: renderMemoryTree,
  live: renderLive,
  tensor: renderTensor,
  nan: renderNanTrail,
  error: renderError,
  run: renderRun,
  timeline: renderTimeline,
  stepper: renderStepper,
  lanes: renderLanes,
  leaks: renderLeaks,
};

/** A view in the page, and how many places request it. */
interface Shown {
  token: string;
  /** its place in the output, where it is unless docked beside the notebook */
  home: HTMLElement;
  holders: number;
  /** the focused element */
  focus: HTMLElement | null;
  end: () => void;
}

const shown: Shown[] = [];

/** JupyterLab clears the place of an output that is rewritten, view included. */
function lostItsPlace(home: HTMLElement): boolean {
  return !home.isConnected && home.closest(".jp-OutputArea, .jp-Cell") === null;
}

/** Called by anywidget for each place in which the widget is shown. */
function render({ model, el }: { model: Model; el: HTMLElement }): () => void {
  const token = String(model.get("token") ?? "");
  const lost = shown.find((s) => s.token === token && token && lostItsPlace(s.home));
  const view = lost ?? draw(model, el, token);
  if (lost) moveTo(el, lost);
  view.holders++;
  return () => {
    if (--view.holders > 0) return;
    shown.splice(shown.indexOf(view), 1);
    view.end();
    view.home.remove();
  };
}

/** The element is not in the page yet: the focus follows a moment later. */
function moveTo(el: HTMLElement, { home, focus }: Shown): void {
  el.append(home);
  if (focus) requestAnimationFrame(() => focus.focus({ preventScroll: true }));
}

function draw(model: Model, el: HTMLElement, token: string): Shown {
  const view = String(model.get("view"));
  const make = VIEWS[view];
  if (!make) throw new Error(`edutorch has no view named ${view}`);
  const home = html("div");
  el.append(home);
  const end = make(model, home);
  const root = home.lastElementChild as HTMLElement;
  const made: Shown = { token, home, holders: 0, focus: null, end };
  root.addEventListener("focusin", ({ target }) => {
    made.focus = target instanceof HTMLElement ? target : null;
  });
  root.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget) made.focus = null; // otherwise it was removed from the page
  });
  shown.push(made);
  return made;
}

/** Called by an exported page (`edutorch/widgets/html_page.py`). */
export function showPage(main: HTMLElement, states: Record<string, unknown>[]): void {
  drawAll(render, main, states);
}

export default { render };
