/** Style sheet shared by all views: frame, buttons, tables; strips and side panel. */
import { DARK, LIGHT } from "./theme";

/**
 * The output below a live view is its still picture, for readers without the view
 * (`edutorch/widgets/view.py` writes both). JupyterLab and nbconvert show it as an image
 * whose address holds the text of the SVG, nbclassic and VS Code as it is.
 */
const STILL = `:is(
  img[src^="data:image/svg+xml,%3Csvg%20class%3D%22edutorch-still%22"],
  img[src^="data:image/svg+xml;base64,PHN2ZyBjbGFzcz0iZWR1dG9yY2gtc3RpbGwi"],
  svg.edutorch-still)`;
export const HOSTS = `
.jp-OutputArea-child:has(.edutorch) + .jp-OutputArea-child:has(${STILL}),
.output_area:has(.edutorch) + .output_area:has(${STILL}),
.output_container:has(.edutorch) + .output_container:has(${STILL}) { display: none; }
`;

export const BASE = `
.edutorch { ${LIGHT}
  box-sizing: border-box; color: var(--edt-text); background: var(--edt-bg);
  border: 1px solid var(--edt-border); border-radius: 10px; overflow: hidden;
  font: 13px/1.4 var(--jp-ui-font-family, system-ui, "Segoe UI", "DejaVu Sans", sans-serif);
  margin: 4px 2px; }
@media (prefers-color-scheme: dark) { .edutorch { ${DARK} } }
body[data-jp-theme-light="true"] .edutorch, html[data-theme="light"] .edutorch, .vscode-light .edutorch { ${LIGHT} }
body[data-jp-theme-light="false"] .edutorch, html[data-theme="dark"] .edutorch, .vscode-dark .edutorch { ${DARK} }
.edt-bar { display: flex; flex-wrap: wrap; align-items: center; gap: 6px 8px;
  padding: 7px 10px; background: var(--edt-panel); border-bottom: 1px solid var(--edt-grid); }
.edt-name { font-weight: 650; letter-spacing: .01em; }
.edt-info, .edt-pace { color: var(--edt-muted); font-size: 12px; font-variant-numeric: tabular-nums; }
.edt-info:empty, .edt-pace:empty { display: none; }
.edt-space { flex: 1; }
.edt-tools { display: flex; flex-wrap: wrap; align-items: center; gap: 6px 8px; }
.edt-group { display: inline-flex; border-radius: 7px; overflow: hidden;
  border: 1px solid var(--edt-border); }
.edt-find { position: relative; display: inline-flex; flex: 0 1 170px; min-width: 120px; }
.edt-find .edt-info { position: absolute; right: 27px; top: 5px; font-size: 11px; pointer-events: none;
  background: var(--edt-box); }
.edt-frozen { font-size: 11.5px; padding: 1px 8px; border-radius: 20px; color: var(--edt-muted);
  border: 1px dashed var(--edt-border); }
.edt-alert { margin: 0; padding: 6px 12px; font-size: 12.5px; color: var(--edt-text);
  border-left: 4px solid var(--edt-activation);
  border-bottom: 1px solid var(--edt-grid); }
.edt-alert:empty { display: none; }
.edt-empty { padding: 36px 16px; text-align: center; color: var(--edt-muted); }
.edt-muted { color: var(--edt-muted); }
.edt-quiet { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
  white-space: nowrap; }
.edt-table { flex: 1; min-width: 0; overflow: auto; }
.edt-code { font-family: var(--jp-code-font-family, "DejaVu Sans Mono", ui-monospace, monospace);
  font-size: 12px; }
.edutorch {
  & *, & *::before { box-sizing: border-box; }
  .edt-group .edt-button { border: 0; border-radius: 0; }
  .edt-group .edt-button + .edt-button { border-left: 1px solid var(--edt-border); }
  .edt-button { font: inherit; font-size: 12px; line-height: 18px; min-width: 28px; padding: 3px 9px;
    color: var(--edt-text); background: var(--edt-box); cursor: pointer;
    border: 1px solid var(--edt-border); border-radius: 7px; }
  .edt-button:hover:not(:disabled):not([aria-disabled="true"]):not([aria-pressed="true"]) { color: var(--edt-accent); border-color: var(--edt-accent); }
  .edt-button:disabled, .edt-button[aria-disabled="true"] { opacity: .45; cursor: default; }
  .edt-button[aria-pressed="true"] { color: var(--edt-bg); background: var(--edt-accent);
    border-color: var(--edt-accent); }
  & :focus-visible { outline: 2px solid var(--edt-accent); outline-offset: 1px; }
  .edt-group .edt-button:focus-visible { outline-offset: -3px; }
  .edt-button[aria-pressed="true"]:focus-visible { outline-color: var(--edt-bg); outline-offset: -4px; }
  .edt-search { font: inherit; font-size: 12px; line-height: 18px; width: 100%; padding: 3px 9px;
    color: var(--edt-text); background: var(--edt-box); border: 1px solid var(--edt-border);
    border-radius: 7px; }
  .edt-search::placeholder { color: var(--edt-muted); opacity: 1; }
  [hidden] { display: none !important; }
  & table { border-collapse: collapse; font-size: 12px; width: 100%; margin: 0; }
  & th, & td { text-align: left; padding: 3px 10px; white-space: nowrap;
    border-bottom: 1px solid var(--edt-grid); font-variant-numeric: tabular-nums;
    color: var(--edt-text); background: none; }
  & thead th { position: sticky; top: 0; background: var(--edt-panel); font-weight: 600; }
  & tr[aria-current="true"] > * { background: color-mix(in srgb, var(--edt-accent) 16%, transparent); }
}
`;

/** The place and size of a view: a low strip, or the side of the notebook. */
export const PLACES = `
.edutorch[data-compact], .edt-side > :is(.edutorch-graph, .edutorch-stepper) { display: flex; flex-direction: column; }
.edt-bar > .edt-places { order: 9; margin-left: auto; }
.edutorch[data-tight]:not([data-narrow], [data-compact]) > .edt-bar > .edt-tools { order: 8; flex: 1 0 calc(100% - 190px); }
.edutorch[data-narrow]:not([data-compact]) > .edt-bar { & > .edt-name { order: -2; flex: 1 0 calc(100% - 165px); } & > .edt-places { order: -1; } & > .edt-places:not(:has(> :nth-child(2))) { margin-left: 110px; }
  & > .edt-tools { order: 10; flex-basis: 100%; } }
.edutorch[data-compact] { height: 184px; overflow: hidden auto;
  & > * { flex-shrink: 0; }
  & > .edt-bar { flex: none; flex-wrap: nowrap; padding: 3px 8px; white-space: nowrap; }
  & > .edt-bar > *, & > .edt-bar > .edt-tools { flex: none; flex-wrap: nowrap; order: 0; }
  & > .edt-bar > .edt-places { order: 9; }
  & > .edt-bar > .edt-tools { flex-shrink: 1; overflow: hidden; }
  & > .edt-bar > .edt-space { flex: 1; }
  & .edt-verdict { padding: 2px 12px 0; }
  & > .edt-bar > :is(.edt-info, .edt-pace) { flex-shrink: 99; min-width: 0; overflow: hidden; text-overflow: ellipsis; }
  & > .edt-readout { position: sticky; bottom: 0; flex: none; min-height: 22px; padding: 1px 12px 3px;
    background: var(--edt-bg); white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
  & :is(.edt-legend, .edt-facts, .edt-origin, .edt-find, .edt-subhead:has(label), .edt-owners > .edt-table, [aria-label="Modules"], [data-testid="table"]) { display: none; }
  & .edt-chart { flex: none; width: 100%; min-height: 128px; padding: 2px 10px 0; }
  & .edt-progress { flex: none; height: 4px; margin: 0; border-radius: 0; }
  &:fullscreen { height: 100%; } }
.edutorch[data-compact], .edt-side { & .edt-body { flex: 1; height: auto !important; min-height: 0; resize: none; } }
.edt-side > :not([data-compact]) > .edt-steps { min-height: 420px !important; }
.edutorch[data-compact], .edt-side > .edutorch { & > .edt-bar { position: sticky; top: 0; z-index: 2; } }
.edt-side { position: absolute; right: 0; bottom: 0; width: var(--edt-side); box-sizing: border-box; z-index: 1;
  display: flex; flex-direction: column; gap: 6px; padding: 6px 6px 6px 9px; overflow: hidden auto;
  background: var(--jp-layout-color1, #fff); border-left: 1px solid var(--jp-border-color1, #bbb);
  & > .edutorch { flex: 1 1 0; min-height: 200px; margin: 0; overflow: hidden auto; }
  & > .edutorch-live, & > .edutorch[data-compact] { flex: none; min-height: 0; } }
.jp-NotebookPanel[data-edt-side] .jp-Notebook { width: calc(100% - var(--edt-side)) !important; }
.edt-edge { position: absolute; left: 0; top: 0; bottom: 0; width: 7px; cursor: col-resize; touch-action: none; }
.edt-edge:hover, .edt-edge:focus-visible { background: var(--jp-brand-color1, #0b62d6); outline: 0; }
.edutorch.edt-away { display: flex; align-items: center; gap: 8px; padding: 4px 10px; font-size: 12px;
  color: var(--edt-muted); }
`;
