/**
 * The course's interactions: a bundle of their own, with one `render`, distinguished by
 * the trait `view`. Each runs in the page alone.
 */

import { html } from "../dom";
import type { Model } from "../model";
import { drawAll } from "../page";
import { keepKeys } from "../shell";
import { STYLE } from "../style_sheet";
import { renderAllocatorBoard } from "./allocator_board";
import { renderConvStepper } from "./conv_stepper";
import { renderDeepGradients } from "./deep_gradients";
import { renderGradcheckMaps } from "./gradcheck_maps";
import { renderGraphPlayer } from "./graph_player";
import { renderInitScale } from "./init_scale";
import { renderLetterGates } from "./letter_gates";
import { renderLogitSliders } from "./logit_sliders";
import { renderOptimizerRace } from "./optimizer_race";
import { renderReplicaBoard } from "./replica_board";
import { renderStackRibbon } from "./stack_ribbon";
import { renderStrideInspector } from "./stride_inspector";
import { renderWorkerLanes } from "./worker_lanes";

type Render = (model: Model, el: HTMLElement) => () => void;

const INTERACTIONS: Record<string, Render> = {
  allocator_board: renderAllocatorBoard,
  conv_stepper: renderConvStepper,
  deep_gradients: renderDeepGradients,
  gradcheck_maps: renderGradcheckMaps,
  graph_player: renderGraphPlayer,
  init_scale: renderInitScale,
  letter_gates: renderLetterGates,
  logit_sliders: renderLogitSliders,
  optimizer_race: renderOptimizerRace,
  replica_board: renderReplicaBoard,
  stack_ribbon: renderStackRibbon,
  stride_inspector: renderStrideInspector,
  worker_lanes: renderWorkerLanes,
};

/** Called by anywidget for each place in which the widget is shown. */
function render({ model, el }: { model: Model; el: HTMLElement }): () => void {
  const kind = String(model.get("view"));
  const make = INTERACTIONS[kind];
  if (!make) throw new Error(`the course has no interaction named ${kind}`);
  const style = html("style");
  style.textContent = STYLE;
  const root = html("section", { class: `edutorch edutorch-course edutorch-${kind}` });
  root.addEventListener("focusin", ({ target }) => keepKeys(target));
  el.append(style, root);
  const end = make(model, root);
  return () => {
    end();
    style.remove();
    root.remove();
  };
}

/** Called by a page without a kernel: the book, or an exported page. */
export function showPage(main: HTMLElement, states: Record<string, unknown>[]): void {
  drawAll(render, main, states);
}

export default { render };
