/**
 * Links to places in code. A click shows the notebook's cell, or has JupyterLab open the
 * file if the server has it, at the line; elsewhere it copies `file:line`, and says so.
 */
import { attr, html, setText } from "./dom";
import { shortFile } from "./format";
import type { Model } from "./model";
import type { Source } from "./types";

/** The features of JupyterLab's widget manager, which other hosts lack. */
interface Host {
  rendermime?: {
    linkHandler?: { handleLink(node: Element, path: string, id: string): void } | null;
    trustHandler?: { markTrusted(node: Element): void } | null;
  };
}

const SEEN_MS = 2500;
const HOME = /^(\/root|\/home\/[^/]+|\/Users\/[^/]+|[A-Za-z]:\/Users\/[^/]+)(?=\/)/;

/** A button that opens a place. */
export function placeLink({ file, line }: Source): HTMLElement {
  const face = `${shortFile(file)}:${line}`;
  const link = html("button", { type: "button", class: "edt-link edt-code" }, face);
  attr(link, { title: `Go to ${file}:${line}`, "data-file": file, "data-line": line });
  return link;
}

/** Follow the link that was clicked, if it was one. */
export function followPlace(target: EventTarget | null, model: Model): void {
  const link = target instanceof Element ? target.closest("[data-file]") : null;
  if (!link) return;
  const file = link.getAttribute("data-file") ?? "";
  const line = Number(link.getAttribute("data-line"));
  const cell = /^In \[(\d+)\]$/.exec(file);
  if (cell) {
    if (!showCell(link, cell[1], line))
      copy(link, `${file}:${line}`, "cell not found, ");
  } else if (!openFile(file, line, model)) copy(link, `${file}:${line}`, "");
}

/** Scroll to the line of the cell that now has this number. */
function showCell(link: Element, number: string, line: number): boolean {
  const cells = link.closest(".jp-Notebook")?.querySelectorAll(".jp-CodeCell") ?? [];
  const cell = [...cells].find(
    (one) =>
      one.querySelector(".jp-InputPrompt")?.textContent?.trim() === `[${number}]:`,
  );
  const editor = cell?.querySelector(".jp-InputArea-editor");
  if (!editor) return false;
  const lines = [...editor.querySelectorAll(".cm-line")];
  // IPython counts from the first non-empty line
  const first = lines.findIndex((one) => one.textContent?.trim());
  const place = lines[Math.max(first, 0) + line - 1] ?? editor;
  place.scrollIntoView({ block: "center" });
  place.animate?.({ backgroundColor: ["#f0ab3c99", "transparent"] }, SEEN_MS);
  return true;
}

/** A file's path relative to the server's folder, or "" if it is outside. */
export function pathOnServer(file: string, root: string): string {
  const slashed = (path: string) => path.replaceAll("\\", "/");
  const home = HOME.exec(slashed(file))?.[1] ?? "~";
  const folder = slashed(root)
    .replace(/^~(?=\/|$)/, home)
    .replace(/\/*$/, "/");
  return root && slashed(file).startsWith(folder)
    ? slashed(file).slice(folder.length)
    : "";
}

function serverRoot(): string {
  const config = document.getElementById("jupyter-config-data")?.textContent;
  try {
    return String(JSON.parse(config ?? "{}").serverRoot ?? "");
  } catch {
    return "";
  }
}

/** A link for one click, which JupyterLab turns into its own file link. */
function openFile(file: string, line: number, model: Model): boolean {
  const { rendermime } = (model.widget_manager ?? {}) as Host;
  const path = pathOnServer(file, serverRoot());
  if (!path || !rendermime?.linkHandler) return false;
  const link = html("a", { hidden: true });
  document.body.append(link); // where some versions listen
  rendermime.linkHandler.handleLink(link, path, `#line=${line - 1}`);
  rendermime.trustHandler?.markTrusted(link);
  link.click();
  link.remove();
  return true;
}

function copy(link: Element, where: string, before: string): void {
  void navigator.clipboard?.writeText(where);
  const said = link.querySelector("span") ?? html("span");
  setText(said, ` ✓ ${before}copied`);
  link.append(said);
}
