// @vitest-environment jsdom
import { expect, test } from "vitest";
import widgets from "../src/index";
import { FakeModel } from "./fake_model";
import { scalars } from "./graph_samples";

function place(parent: HTMLElement): HTMLElement {
  const el = document.createElement("div");
  parent.append(el);
  return el;
}

function cell(): HTMLElement {
  const made = document.createElement("div");
  made.className = "jp-OutputArea";
  document.body.append(made);
  return made;
}

function model(): FakeModel {
  return new FakeModel({ view: "graph", data: scalars(), token: "abc" });
}

test("a_view_whose_place_was_cleared_moves_to_the_new_one", () => {
  const output = cell();
  const first = place(output);
  const undoFirst = widgets.render({ model: model(), el: first });
  const root = first.firstElementChild;
  first.remove(); // as JupyterLab does when the output is written anew
  const second = place(output);
  const undoSecond = widgets.render({ model: model(), el: second });
  expect(second.firstElementChild).toBe(root);
  undoFirst();
  expect(second.firstElementChild).toBe(root);
  undoSecond();
  expect(second.childElementCount).toBe(0);
});

test("a_view_shown_in_two_places_is_drawn_twice", () => {
  const first = place(cell());
  const second = place(cell());
  widgets.render({ model: model(), el: first });
  widgets.render({ model: model(), el: second });
  expect(first.childElementCount).toBe(1);
  expect(second.childElementCount).toBe(1);
});

test("a_view_in_a_cell_scrolled_out_of_the_page_stays_there", () => {
  const away = cell();
  const first = place(away);
  widgets.render({ model: model(), el: first });
  away.remove();
  widgets.render({ model: model(), el: place(cell()) });
  expect(first.childElementCount).toBe(1);
});
