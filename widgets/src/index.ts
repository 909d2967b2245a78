/** edutorch's widgets: one bundle, one `render`, told apart by the trait `view`. */
import { renderGradient } from "./gradient_view";
import { renderGraph } from "./graph_view";
import { renderLive } from "./live";
import { renderMemory } from "./memory_view";
import type { Model } from "./model";

const VIEWS: Record<string, (model: Model, el: HTMLElement) => () => void> = {
  graph: renderGraph,
  gradient: renderGradient,
  memory: renderMemory,
  live: renderLive,
};

/** Called by anywidget for each place the widget is shown in. */
function render({ model, el }: { model: Model; el: HTMLElement }): () => void {
  const view = String(model.get("view"));
  const draw = VIEWS[view];
  if (!draw) throw new Error(`edutorch has no view named ${view}`);
  return draw(model, el);
}

export default { render };
