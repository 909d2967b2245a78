/** Links to code: the cell, the file in JupyterLab, or a copy. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Model } from "../src/model";
import { followPlace, pathOnServer, placeLink } from "../src/places";
import { FakeModel } from "./fake_model";

const writeText = vi.fn();

beforeEach(() => {
  writeText.mockReset();
  vi.stubGlobal("navigator", { clipboard: { writeText } });
});

afterEach(() => {
  document.body.replaceChildren();
  vi.unstubAllGlobals();
});

function link(file: string, line: number): HTMLElement {
  return placeLink({ file, line, func: "f", text: "" });
}

/** A notebook whose only cell has an empty line and two more, and was run as number 4. */
function notebook(inside: HTMLElement): Element[] {
  const part = (name: string, ...children: (Node | string)[]) => {
    const made = document.createElement("div");
    made.className = name;
    made.append(...children);
    return made;
  };
  const lines = ["", "a", "b"].map((text) => part("cm-line", text));
  const editor = part("jp-InputArea-editor", ...lines);
  const cell = part("jp-CodeCell", part("jp-InputPrompt", "[4]:"), editor);
  document.body.append(part("jp-Notebook", cell, inside));
  return lines;
}

test("path_on_server_is_relative_to_its_folder", () => {
  expect(pathOnServer("/data/course/a/b.py", "/data/course")).toBe("a/b.py");
  expect(pathOnServer("/home/ann/course/b.py", "~/course")).toBe("b.py");
  expect(pathOnServer("/home/ann/b.py", "~")).toBe("b.py");
  expect(pathOnServer("C:\\Users\\Ann\\w\\b.py", "~/w")).toBe("b.py");
});

test("path_on_server_is_empty_for_files_elsewhere", () => {
  expect(pathOnServer("/usr/lib/b.py", "/data/course")).toBe("");
  expect(pathOnServer("/data/course2/b.py", "/data/course")).toBe("");
  expect(pathOnServer("/data/b.py", "")).toBe("");
});

test("click_on_a_cells_line_scrolls_to_it", () => {
  const seen = vi.fn();
  const place = link("In [4]", 2);
  const lines = notebook(place);
  lines[2].scrollIntoView = seen;
  followPlace(place, new FakeModel({}));
  expect(seen).toHaveBeenCalledOnce();
  expect(writeText).not.toHaveBeenCalled();
});

test("click_on_a_cell_that_was_run_again_copies_and_says_so", () => {
  const place = link("In [3]", 2);
  notebook(place);
  followPlace(place, new FakeModel({}));
  expect(writeText).toHaveBeenCalledWith("In [3]:2");
  expect(place.textContent).toContain("cell not found, copied");
});

test("click_on_a_file_of_the_server_lets_jupyterlab_open_it", () => {
  const config = document.createElement("script");
  config.id = "jupyter-config-data";
  config.type = "application/json";
  config.textContent = JSON.stringify({ serverRoot: "/data" });
  const place = link("/data/nets/cnn.py", 12);
  document.body.append(config, place);
  const opened = vi.fn();
  const handleLink = vi.fn((node: Element) => {
    node.addEventListener("click", (event) => {
      event.preventDefault();
      opened();
    });
  });
  const markTrusted = vi.fn();
  const widget_manager = {
    rendermime: { linkHandler: { handleLink }, trustHandler: { markTrusted } },
  };
  const model: Model = Object.assign(new FakeModel({}), { widget_manager });
  followPlace(place, model);
  const node = expect.any(Element);
  expect(handleLink).toHaveBeenCalledWith(node, "nets/cnn.py", "#line=11");
  expect(markTrusted).toHaveBeenCalledOnce();
  expect(opened).toHaveBeenCalledOnce();
  expect(document.querySelector("a")).toBeNull();
  expect(writeText).not.toHaveBeenCalled();
});

test("click_on_a_file_elsewhere_copies_it_once_however_often", () => {
  const place = link("/usr/lib/cnn.py", 12);
  document.body.append(place);
  followPlace(place, new FakeModel({}));
  followPlace(place, new FakeModel({}));
  expect(writeText).toHaveBeenLastCalledWith("/usr/lib/cnn.py:12");
  expect(place.textContent).toBe("lib/cnn.py:12 ✓ copied");
});
