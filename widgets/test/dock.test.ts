/** A view beside the notebook, and as a low strip. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import widgets from "../src/index";
import { FakeModel } from "./fake_model";
import { memory } from "./gradient_memory_samples";
import { scalars } from "./graph_samples";

function fakeModel(more: Record<string, unknown> = {}) {
  const places = { docked: false, compacted: false };
  return new FakeModel({
    view: "graph",
    data: scalars(),
    token: "abc",
    ...places,
    ...more,
  });
}

/** A notebook with places for outputs, each in a cell. */
function notebook(cells: number) {
  document.body.replaceChildren();
  const panel = document.createElement("div");
  panel.className = "jp-NotebookPanel";
  const book = document.createElement("div");
  book.className = "jp-Notebook";
  panel.append(book);
  const places = Array.from({ length: cells }, () => {
    const cell = document.createElement("div");
    cell.className = "jp-Cell";
    const el = document.createElement("div");
    cell.append(el);
    book.append(cell);
    return el;
  });
  document.body.append(panel);
  return { panel, places, side: () => panel.querySelector(".edt-side") };
}

beforeEach(() => {
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      disconnect() {}
    },
  );
});

afterEach(() => {
  vi.unstubAllGlobals();
  document.body.replaceChildren();
});

test("a_docked_view_stands_at_the_side_until_it_is_brought_back", () => {
  const { panel, places, side } = notebook(1);
  const model = fakeModel();
  const end = widgets.render({ model, el: places[0] });
  model.set("docked", true);
  expect(side()?.querySelector(".edutorch-graph")).not.toBeNull();
  expect(panel.hasAttribute("data-edt-side")).toBe(true);
  expect(places[0].textContent).toContain("Graph is shown beside the notebook.");
  places[0].querySelector("button")?.click();
  expect(model.get("docked")).toBe(false);
  expect(places[0].querySelector(".edutorch-graph")).not.toBeNull();
  expect(side()).toBeNull();
  expect(panel.hasAttribute("data-edt-side")).toBe(false);
  end();
});

test("a_docked_view_leaves_with_its_output", () => {
  const { places, side } = notebook(2);
  const models = [fakeModel(), fakeModel({ token: "def" })];
  const ends = models.map((model, i) => widgets.render({ model, el: places[i] }));
  for (const model of models) model.set("docked", true);
  expect(side()?.querySelectorAll(".edutorch-graph")).toHaveLength(2);
  ends[0]();
  expect(side()?.querySelectorAll(".edutorch-graph")).toHaveLength(1);
  expect(places[0].childElementCount).toBe(0);
  ends[1]();
  expect(side()).toBeNull();
  expect(models.map((m) => m.listening)).toEqual([0, 0]);
});

test("a_view_with_two_outputs_stands_at_the_side_once", () => {
  const { places, side } = notebook(2);
  const model = fakeModel();
  const ends = places.map((el) => widgets.render({ model, el }));
  model.set("docked", true);
  expect(side()?.querySelectorAll(".edutorch-graph")).toHaveLength(1);
  for (const el of places) expect(el.textContent).toContain("is shown beside");
  ends[0](); // the other output takes its place
  expect(side()?.querySelectorAll(".edutorch-graph")).toHaveLength(1);
  model.set("docked", false);
  expect(places[1].querySelector(".edutorch-graph")).not.toBeNull();
  expect(side()).toBeNull();
  ends[1]();
});

test("an_output_that_is_written_again_keeps_its_view_at_the_side", () => {
  const { places, side } = notebook(1);
  const model = fakeModel();
  const first = document.createElement("div");
  places[0].append(first);
  const end = widgets.render({ model, el: first });
  model.set("docked", true);
  const root = side()?.querySelector(".edutorch-graph");
  first.remove();
  const second = document.createElement("div");
  const again = widgets.render({ model, el: second });
  places[0].append(second);
  end();
  expect(side()?.querySelector(".edutorch-graph")).toBe(root);
  expect(second.textContent).toContain("is shown beside");
  again();
  expect(side()).toBeNull();
});

test("keys_change_the_place_but_not_while_someone_types", () => {
  const { places, side } = notebook(1);
  const model = fakeModel();
  const end = widgets.render({ model, el: places[0] });
  const press = (selector: string, key: string) =>
    document
      .querySelector(selector)
      ?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  press(".edt-search", "s");
  press(".edt-search", "c");
  expect([model.get("docked"), model.get("compacted")]).toEqual([false, false]);
  press(".edt-stage", "s");
  expect(side()).not.toBeNull();
  press(".edt-stage", "c");
  expect(document.querySelector(".edutorch-graph[data-compact]")).not.toBeNull();
  expect(model.get("compacted")).toBe(true);
  end();
});

test("outside_a_notebook_a_docked_view_stays_in_its_place", () => {
  const el = document.createElement("div");
  document.body.append(el);
  const model = fakeModel({ docked: true });
  const end = widgets.render({ model, el });
  model.set("docked", false);
  model.set("docked", true);
  expect(el.querySelector(".edutorch-graph")).not.toBeNull();
  end();
});

test("a_page_without_a_kernel_offers_no_places", () => {
  const el = document.createElement("div");
  const model = new FakeModel({ view: "graph", data: scalars() });
  widgets.render({ model, el })();
  expect(el.querySelector('[data-testid="side"]')).toBeNull();
});

test("a_strip_shows_a_low_chart", () => {
  const el = document.createElement("div");
  document.body.append(el);
  const model = fakeModel({ view: "memory", data: memory(120) });
  const end = widgets.render({ model, el });
  const heights = () =>
    [...el.querySelectorAll<HTMLElement>(".edt-chart")]
      .filter((chart) => !chart.hidden)
      .map((chart) => Number(chart.querySelector("svg")?.getAttribute("height")));
  const whole = heights();
  model.set("compacted", true);
  expect(heights()[0]).toBeLessThan(whole[0] - 80);
  model.set("compacted", false);
  expect(heights()).toEqual(whole);
  end();
});
