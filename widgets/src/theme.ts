/** Colours and style: JupyterLab's theme where there is one, else light or dark. */
import type { Family } from "./box_style";
import { STEPPER } from "./step_style";

/**
 * Hues follow Okabe and Ito's palette, distinguishable with any kind of colour blindness;
 * text and form always say the same as the colour.
 */
const LIGHT = `
  --edt-bg: var(--jp-layout-color0, #ffffff);
  --edt-panel: var(--jp-layout-color1, #f7f8fa);
  --edt-box: #ffffff;
  --edt-frame: rgba(70, 90, 130, .055);
  --edt-text: var(--jp-ui-font-color0, #14181f);
  --edt-muted: #56606e;
  --edt-line: #8c96a5;
  --edt-border: #c3cad5;
  --edt-grid: #e4e8ee;
  --edt-accent: #0b62d6;
  --edt-grad: #b4480a;
  --edt-bad: #c01040;
  --edt-found: #b06500;
  --edt-linear: #0072b2; --edt-activation: #d98200; --edt-pointwise: #00936b;
  --edt-reduce: #2f9fd0; --edt-shape: #8b95a3; --edt-loss: #c2478f;
  --edt-param: #b39a00; --edt-input: #56606e; --edt-const: #9aa3af;
  --edt-module: #5b6abf;
  --edt-shadow: 0 1px 2px rgba(20, 30, 50, .10);
`;

const DARK = `
  --edt-bg: var(--jp-layout-color0, #14171c);
  --edt-panel: var(--jp-layout-color1, #1d2127);
  --edt-box: #262b33;
  --edt-frame: rgba(150, 175, 230, .07);
  --edt-text: var(--jp-ui-font-color0, #f2f4f7);
  --edt-muted: #aab4c2;
  --edt-line: #76818f;
  --edt-border: #4a5361;
  --edt-grid: #323944;
  --edt-accent: #6cb0ff;
  --edt-grad: #ff9d5c;
  --edt-bad: #ff6d8d;
  --edt-found: #f0ab3c;
  --edt-linear: #4cb2ee; --edt-activation: #f0ab3c; --edt-pointwise: #2fc79b;
  --edt-reduce: #86d0f4; --edt-shape: #98a2b1; --edt-loss: #ee8fc6;
  --edt-param: #e6d44c; --edt-input: #b9c2ce; --edt-const: #7f8895;
  --edt-module: #97a4f2;
  --edt-shadow: 0 1px 3px rgba(0, 0, 0, .45);
`;

/**
 * The output below a live view is its still picture, for readers without the view
 * (`edutorch/widgets/view.py` writes both). JupyterLab and nbconvert show it as an image
 * whose address holds the text of the SVG, nbclassic as it is.
 */
const STILL = `:is(
  img[src^="data:image/svg+xml,%3Csvg%20class%3D%22edutorch-still%22"],
  img[src^="data:image/svg+xml;base64,PHN2ZyBjbGFzcz0iZWR1dG9yY2gtc3RpbGwi"],
  svg.edutorch-still)`;
const HOSTS = `
.jp-OutputArea-child:has(.edutorch) + .jp-OutputArea-child:has(${STILL}),
.output_area:has(.edutorch) + .output_area:has(${STILL}) { display: none; }
`;

const BASE = `
.edutorch { ${LIGHT}
  box-sizing: border-box; color: var(--edt-text); background: var(--edt-bg);
  border: 1px solid var(--edt-border); border-radius: 10px; overflow: hidden;
  font: 13px/1.4 var(--jp-ui-font-family, system-ui, "Segoe UI", "DejaVu Sans", sans-serif);
  margin: 4px 2px; }
@media (prefers-color-scheme: dark) { .edutorch { ${DARK} } }
body[data-jp-theme-light="true"] .edutorch, html[data-theme="light"] .edutorch { ${LIGHT} }
body[data-jp-theme-light="false"] .edutorch, html[data-theme="dark"] .edutorch { ${DARK} }
.edutorch *, .edutorch *::before { box-sizing: border-box; }
.edt-bar { display: flex; flex-wrap: wrap; align-items: center; gap: 6px 8px;
  padding: 7px 10px; background: var(--edt-panel); border-bottom: 1px solid var(--edt-grid); }
.edt-name { font-weight: 650; letter-spacing: .01em; }
.edt-info, .edt-pace { color: var(--edt-muted); font-size: 12px; font-variant-numeric: tabular-nums; }
.edt-info:empty, .edt-pace:empty { display: none; }
.edt-space { flex: 1; }
.edt-tools { display: flex; flex-wrap: wrap; align-items: center; gap: 6px 8px; }
.edt-group { display: inline-flex; border-radius: 7px; overflow: hidden;
  border: 1px solid var(--edt-border); }
.edutorch .edt-group .edt-button { border: 0; border-radius: 0; }
.edutorch .edt-group .edt-button + .edt-button { border-left: 1px solid var(--edt-border); }
.edutorch .edt-button { font: inherit; font-size: 12px; line-height: 18px; min-width: 28px; padding: 3px 9px;
  color: var(--edt-text); background: var(--edt-box); cursor: pointer;
  border: 1px solid var(--edt-border); border-radius: 7px; }
.edutorch .edt-button:hover:not(:disabled):not([aria-disabled="true"]):not([aria-pressed="true"]) { color: var(--edt-accent); border-color: var(--edt-accent); }
.edutorch .edt-button:disabled, .edutorch .edt-button[aria-disabled="true"] { opacity: .45; cursor: default; }
.edutorch .edt-button[aria-pressed="true"] { color: var(--edt-bg); background: var(--edt-accent);
  border-color: var(--edt-accent); }
.edutorch :focus-visible { outline: 2px solid var(--edt-accent); outline-offset: 1px; }
.edt-find { position: relative; display: inline-flex; flex: 0 1 170px; min-width: 120px; }
.edt-find .edt-info { position: absolute; right: 27px; top: 5px; font-size: 11px; pointer-events: none;
  background: var(--edt-box); }
.edutorch .edt-group .edt-button:focus-visible { outline-offset: -3px; }
.edutorch .edt-button[aria-pressed="true"]:focus-visible { outline-color: var(--edt-bg); outline-offset: -4px; }
.edutorch .edt-search { font: inherit; font-size: 12px; line-height: 18px; width: 100%; padding: 3px 9px;
  color: var(--edt-text); background: var(--edt-box); border: 1px solid var(--edt-border);
  border-radius: 7px; }
.edutorch .edt-search::placeholder { color: var(--edt-muted); opacity: 1; }
.edt-frozen { font-size: 11.5px; padding: 1px 8px; border-radius: 20px; color: var(--edt-muted);
  border: 1px dashed var(--edt-border); }
.edt-alert { margin: 0; padding: 6px 12px; font-size: 12.5px; color: var(--edt-text);
  border-left: 4px solid var(--edt-activation);
  border-bottom: 1px solid var(--edt-grid); }
.edt-alert:empty { display: none; }
.edt-empty { padding: 36px 16px; text-align: center; color: var(--edt-muted); }
.edutorch [hidden] { display: none !important; }
.edt-muted { color: var(--edt-muted); }
.edt-quiet { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
  white-space: nowrap; }
.edutorch table { border-collapse: collapse; font-size: 12px; width: 100%; margin: 0; }
.edutorch th, .edutorch td { text-align: left; padding: 3px 10px; white-space: nowrap;
  border-bottom: 1px solid var(--edt-grid); font-variant-numeric: tabular-nums;
  color: var(--edt-text); background: none; }
.edutorch thead th { position: sticky; top: 0; background: var(--edt-panel); font-weight: 600; }
.edutorch tr[aria-current="true"] > * { background: color-mix(in srgb, var(--edt-accent) 16%, transparent); }
.edt-table { flex: 1; min-width: 0; overflow: auto; }
.edt-code { font-family: var(--jp-code-font-family, "DejaVu Sans Mono", ui-monospace, monospace);
  font-size: 12px; }
`;

const GRAPH = `
.edt-body { display: flex; height: 500px; min-height: 220px; resize: vertical; overflow: hidden; }
.edutorch:fullscreen { display: flex; flex-direction: column; overflow: auto; border-radius: 0; margin: 0; }
.edutorch:fullscreen .edt-body { flex: 1; height: auto !important; }
.edt-plane { display: flex; flex: 1; min-width: 0; min-height: 0;
  background-image: radial-gradient(var(--edt-grid) 1px, transparent 1px);
  background-size: 20px 20px; }
.edt-plane[data-direction="right"] { flex-direction: column; }
.edt-stage { position: relative; flex: 1; min-width: 0; cursor: grab; overflow: hidden;
  touch-action: none; }
.edt-stage:active { cursor: grabbing; }
.edt-stage:focus-visible { outline-offset: -2px; }
.edt-svg, .edt-canvas { position: absolute; inset: 0; width: 100%; height: 100%; display: block; }
.edt-svg text { user-select: none; font-family: inherit; }
.edt-shape { fill: var(--edt-box); stroke: var(--edt-border); stroke-width: 1; }
.edt-back { fill: var(--edt-panel); stroke: var(--edt-border); }
.node { cursor: pointer; filter: drop-shadow(var(--edt-shadow)); }
.node, .frame { transition: transform .35s ease; }
.edt-new { animation: edt-in .35s ease; }
@keyframes edt-in { from { opacity: 0; } }
.node .edt-shape { transition: stroke .4s; }
.node:hover .edt-shape { stroke: var(--edt-accent); }
.node[data-kind="const"] .edt-shape, .node[data-kind="input"] .edt-shape { stroke-dasharray: 4 3; }
.node[data-bad] .edt-shape { stroke: var(--edt-bad); stroke-width: 2; }
.edt-found .edt-shape { stroke: var(--edt-found); stroke-width: 2.5; }
.edt-now .edt-shape { stroke: var(--edt-found); stroke-width: 4; stroke-dasharray: none;
  fill: color-mix(in srgb, var(--edt-found) 20%, var(--edt-box)); }
.edt-focus .edt-shape { stroke: var(--edt-accent); stroke-width: 2; stroke-dasharray: 3 2; }
.edt-selected .edt-shape { stroke: var(--edt-accent); stroke-width: 3; stroke-dasharray: none; }
.edt-title { font-size: 12.5px; font-weight: 600; fill: var(--edt-text); }
.edt-sub { font-size: 11px; fill: var(--edt-muted); }
.edt-foot { font-size: 11px; fill: var(--edt-muted); }
.node[data-grad="1"] .edt-foot { fill: var(--edt-grad); font-weight: 600; }
.node[data-bad] .edt-foot { fill: var(--edt-bad); font-weight: 600; }
${families()}
.frame .edt-shape { fill: var(--edt-frame); pointer-events: none; }
.frame .edt-header { fill: transparent; cursor: pointer; }
.frame .edt-title { font-size: 12px; fill: var(--edt-muted); pointer-events: none;
  paint-order: stroke; stroke: var(--edt-bg); stroke-width: 3px; stroke-linejoin: round; }
.frame:hover .edt-title { fill: var(--edt-accent); }
.edt-line { fill: none; stroke: var(--edt-line); stroke-width: 1.25; }
.edt-line[data-grad="1"] { stroke: var(--edt-grad); stroke-width: 2; }
.edt-line[data-long] { opacity: .35; stroke-dasharray: 5 4; }
.edt-line.edt-hot { stroke-width: 3; opacity: 1; }
.edt-tip-value { fill: var(--edt-line); }
.edt-tip-grad { fill: var(--edt-grad); }
.edt-tip-back { fill: none; stroke: var(--edt-grad); stroke-width: 1.6; }
.edt-legend { display: flex; flex-wrap: wrap; gap: 2px 16px; padding: 4px 12px 5px; font-size: 11.5px;
  color: var(--edt-muted); border-top: 1px solid var(--edt-grid); }
.edt-legend > * { white-space: nowrap; }
.edt-age { margin-left: auto; }
.edt-legend b { font-weight: 600; color: var(--edt-grad); }
.edt-stage:has(+ .edt-map:not([hidden])) { border-right: 1px solid var(--edt-border); }
[data-direction="right"] > .edt-stage:has(+ .edt-map:not([hidden])) { border: 0 solid var(--edt-border); border-bottom-width: 1px; }
[data-direction="right"] > .edt-map { margin: 6px 10px; align-self: center; }
.edt-map { flex: none; margin: 10px; border-radius: 6px; cursor: pointer;
  background: var(--edt-bg); border: 1px solid var(--edt-border); }
.edt-detail { width: 330px; max-width: 60%; overflow: auto; padding: 10px 14px 14px; flex: none;
  background: var(--edt-panel); border-left: 1px solid var(--edt-grid); }
.edt-detail header { display: flex; align-items: center; gap: 8px; margin-bottom: 6px; }
.edt-detail h3 { margin: 0; font-size: 14px; font-weight: 650; flex: 1; min-width: 0;
  overflow-wrap: anywhere; color: inherit; }
.edt-detail h4 { margin: 12px 0 4px; font-size: 11px; font-weight: 650; letter-spacing: .05em;
  text-transform: uppercase; color: var(--edt-muted); }
.edt-detail dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 12px; margin: 0;
  font-size: 12.5px; }
.edutorch dt { float: none; width: auto; margin: 0; padding: 0; font-weight: 400; color: var(--edt-muted);
  white-space: nowrap; }
.edutorch dd { float: none; width: auto; padding: 0; }
.edt-detail dd { margin: 0; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
.edutorch .edt-link { font: inherit; font-size: 12px; padding: 0; border: 0; background: none; cursor: pointer;
  color: var(--edt-accent); text-decoration: underline; text-underline-offset: 2px;
  overflow-wrap: anywhere; text-align: left; }
.edutorch .edt-detail pre { margin: 4px 0 0; padding: 7px 9px; white-space: pre-wrap; word-break: normal; overflow-wrap: anywhere; border-radius: 6px;
  color: var(--edt-text); background: var(--edt-bg); border: 1px solid var(--edt-grid); }
.edt-chip { font-size: 11px; padding: 1px 8px; border-radius: 20px; color: var(--edt-muted);
  border: 1px solid var(--edt-border); }
.edutorch[data-narrow] .edt-tools, .edutorch[data-narrow] .edt-find { flex: 1 1 120px; }
.edutorch[data-narrow] .edt-tools { flex-basis: 100%; }
.edutorch[data-narrow] .edt-body { flex-direction: column; }
.edutorch[data-narrow] .edt-detail { width: auto; max-width: none; flex: 0 0 46%; border-left: 0;
  border-top: 1px solid var(--edt-grid); }
@media (prefers-reduced-motion: reduce) {
  .node, .node .edt-shape, .frame, .edt-new { transition: none; animation: none; } }
`;

/** Where and how large a view is shown: a low strip, or the side of the notebook. */
const PLACES = `
.edutorch[data-compact], .edt-side > :is(.edutorch-graph, .edutorch-stepper) { display: flex; flex-direction: column; }
.edutorch[data-tight] > .edt-bar > .edt-tools { order: 10; flex-basis: 100%; }
.edutorch[data-compact] { height: 184px; overflow: hidden auto;
  & > * { flex-shrink: 0; }
  & > .edt-bar { flex: none; flex-wrap: nowrap; padding: 3px 8px; }
  & > .edt-bar > *, & > .edt-bar > .edt-tools { flex: none; flex-wrap: nowrap; order: 0; }
  & > .edt-bar > .edt-space { flex: 1; }
  & > .edt-bar > :is(.edt-info, .edt-pace) { flex-shrink: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  & > .edt-readout { position: sticky; bottom: 0; flex: none; min-height: 22px; padding: 1px 12px 3px;
    background: var(--edt-bg); white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
  & :is(.edt-legend, .edt-facts, .edt-origin, .edt-find, [aria-label="Modules"], [data-testid="table"]) { display: none; }
  & .edt-chart { flex: none; min-height: 128px; padding: 2px 10px 0; }
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

const CHART = `
.edt-chart { position: relative; padding: 8px 10px 2px; }
.edutorch .edt-chart:focus-visible { outline-offset: -2px; border-radius: 6px; }
.edt-chart svg { display: block; width: 100%; }
.edt-chart text { font-family: inherit; font-size: 11px; fill: var(--edt-muted); }
.edt-chart .edt-ink { fill: var(--edt-text); }
.edt-axis { stroke: var(--edt-border); fill: none; }
.edt-gridline { stroke: var(--edt-grid); fill: none; }
.edt-subhead { display: flex; flex-wrap: wrap; align-items: center; gap: 6px 14px;
  padding: 6px 12px 0; font-size: 13px; }
.edt-subhead[hidden] { display: none; }
.edt-readout { min-height: 26px; padding: 3px 12px 7px; font-size: 12px;
  font-variant-numeric: tabular-nums; }
.edt-backdrop { fill: var(--edt-panel); }
.edt-broken { fill: var(--edt-bad); fill-opacity: .28; }
[data-mark="vanishing"] { --edt-alert: var(--edt-accent); }
[data-mark="exploding"] { --edt-alert: var(--edt-grad); }
.edt-chart .edt-mark { fill: var(--edt-alert, var(--edt-bad)); font-weight: 700; font-size: 12px; paint-order: stroke;
  stroke: var(--edt-bg); stroke-width: 3px; pointer-events: none; }
.edt-level { stroke: var(--edt-text); stroke-width: 1; fill: none; }
.edt-chart .edt-halo { paint-order: stroke; stroke: var(--edt-bg); stroke-width: 3.5px;
  font-weight: 600; }
.edt-keys { display: flex; flex-wrap: wrap; gap: 4px 16px; padding: 2px 12px 9px; margin: 0;
  list-style: none; font-size: 12px; font-variant-numeric: tabular-nums; }
.edt-keys li { display: inline-flex; align-items: center; gap: 6px; margin: 0; }
.edt-keys svg { width: 26px; height: 13px; flex: none; }
.edutorch .edt-ramp { white-space: nowrap; max-width: 100%; }
.edt-keys .edt-ramp svg { flex: 0 1 168px; width: 168px; min-width: 40px; }
.edt-cursor { stroke: var(--edt-text); stroke-width: 1.5; fill: none; pointer-events: none; }
.edt-marks { margin: 0; padding: 0 12px 9px; list-style: none; font-size: 12px; overflow-wrap: anywhere; }
.edt-marks li { margin: 1px 0; }
.edutorch .edt-marks .edt-button { margin-top: 5px; }
.edt-sign { font-weight: 700; color: var(--edt-alert, var(--edt-bad)); white-space: nowrap; }
.edutorch .edt-facts { display: flex; flex-wrap: wrap; gap: 6px 22px; padding: 8px 12px 0; margin: 0; }
.edutorch .edt-facts div { display: flex; flex-direction: column; }
.edutorch .edt-facts dt { font-size: 11px; color: var(--edt-muted); }
.edutorch .edt-facts dd { margin: 0; font-size: 16px; font-weight: 600; font-variant-numeric: tabular-nums; }
.edt-dot { width: 9px; height: 9px; border-radius: 50%; background: var(--edt-const); flex: none; }
.edt-dot[data-mode="running"] { background: var(--edt-pointwise); }
.edt-dot[data-mode="paused"] { background: var(--edt-activation); border-radius: 2px; }
`;

const OWNERS = `
.edt-owners { display: flex; flex-wrap: wrap; gap: 0 4px; align-items: flex-start; }
.edt-owners > .edt-chart { flex: 3 1 380px; min-width: 0; padding-bottom: 8px; }
.edt-owners > .edt-table { flex: 2 1 280px; max-height: 332px; margin: 8px 10px; }
.edutorch:fullscreen .edt-owners > .edt-table { max-height: none; }
.edutorch .edt-owners td, .edutorch .edt-owners th { padding: 3px 6px; }
.edutorch .edt-owners th[scope="row"] { font-weight: 400; white-space: normal; overflow-wrap: anywhere; text-align: left; }
.edutorch .edt-owners td, .edutorch .edt-owners th + th { text-align: right; }
.edt-subhead:has(label) { align-items: end; }
.edt-subhead label { display: flex; flex-direction: column; gap: 2px; font-size: 11px; color: var(--edt-muted); }
.edutorch[data-narrow] .edt-subhead label { flex: 1 1 90px; min-width: 0; }
.edutorch[data-narrow] > .edt-bar { column-gap: 4px; }
.edutorch select { font: inherit; font-size: 13px; padding: 3px; max-width: 170px; min-width: 0; color: var(--edt-text);
  background: var(--edt-box); border: 1px solid var(--edt-border); border-radius: 7px; }
.edt-crumbs { display: flex; flex-wrap: wrap; gap: 2px 6px; padding: 8px 12px 0; overflow-wrap: anywhere; }
.edt-tile { cursor: pointer; --edt-tile: var(--edt-line); }
.edt-tile rect { fill: var(--edt-frame); stroke: var(--edt-tile); }
.edt-tile[data-tint] rect { fill: color-mix(in srgb, var(--edt-tile) 34%, var(--edt-box)); }
.edt-tile[data-tint="less"] rect { stroke-dasharray: 4 2; }
[data-tint="more"] { --edt-tile: var(--edt-grad); }
[data-tint="less"] { --edt-tile: var(--edt-accent); }
.edt-chart .edt-tile text { fill: var(--edt-text); pointer-events: none; }
.edt-picked { fill: none; stroke: var(--edt-accent); stroke-width: 3; visibility: hidden; pointer-events: none; }
.edt-chart:focus .edt-picked { visibility: visible; }
.edutorch .edt-tinted { color: var(--edt-tile); font-weight: 600; }
`;

const TENSOR = `
.edt-origin { display: flex; flex-wrap: wrap; gap: 4px 8px; padding: 8px 12px 0; }
.edt-panels { display: flex; flex-wrap: wrap; gap: 4px 28px; padding: 8px 12px; }
.edt-panel { flex: 0 1 340px; min-width: 0; }
.edt-panel header { display: flex; align-items: center; gap: 10px; min-height: 28px; }
.edutorch .edt-panel h4 { margin: 0; font-size: 13px; font-weight: 650; color: inherit; }
.edt-panel .edt-readout, .edt-panel .edt-chart { padding-left: 0; padding-right: 0; }
.edutorch .edt-panel .edt-facts { padding: 2px 0 0; gap: 4px 12px; }
.edutorch .edt-panel .edt-facts dd { font-size: 13px; }
.edutorch dd.edt-nonfinite { color: var(--edt-bad); }
.edt-slicer { display: flex; flex-wrap: wrap; gap: 2px 16px; padding-bottom: 4px; font-size: 12px; }
.edt-slicer label { display: inline-flex; align-items: center; gap: 6px; }
.edt-slicer input { width: 110px; accent-color: var(--edt-accent); }
.edt-slicer output { color: var(--edt-muted); font-variant-numeric: tabular-nums; }
.edt-cells { position: relative; width: max-content; max-width: 100%; line-height: 0;
  border: 1px solid var(--edt-border); overflow: hidden; }
.edt-cells canvas { image-rendering: pixelated; display: block; }
.edt-tiles { margin-bottom: 8px; cursor: pointer; background: var(--edt-panel); }
.edt-cells svg { position: absolute; inset: 0; }
.edt-cells text { font-family: inherit; font-size: 10px; }
.edt-bin { fill: #7d93b8; }
.edt-memory { padding: 2px 12px 10px; }
.edutorch .edt-memory p { margin: 0 0 4px; font-size: 12px; }
.edt-memory-row { display: flex; align-items: center; gap: 10px; margin: 3px 0; }
.edt-memory-row span { flex: 0 0 130px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.edt-memory-row svg { flex: 1; height: 16px; min-width: 0; }
.edt-seen { fill: var(--edt-accent); }
.edt-unseen { fill: var(--edt-grid); }
`;

const NAN = `
.edutorch .edt-verdict { margin: 0; padding: 10px 12px 4px; font-size: 14px; font-weight: 600; }
.edutorch .edt-verdict + p { margin: 0; padding: 0 12px 6px; font-size: 12px; color: var(--edt-muted); }
.edutorch .edt-trail { list-style: none; margin: 0; padding: 6px 12px 12px; max-height: 560px; overflow: auto; }
.edutorch .edt-trail:focus-visible { outline-offset: -2px; border-radius: 6px; }
.edutorch:fullscreen .edt-trail { max-height: none; }
.edutorch .edt-trail li { position: relative; margin: 0 0 22px; padding: 7px 12px; border-radius: 7px; cursor: pointer;
  max-width: 860px; background: var(--edt-box); border: 1px solid var(--edt-border); box-shadow: var(--edt-shadow); }
.edutorch .edt-trail li:last-child { margin-bottom: 0; }
.edt-trail li:not(:last-child)::after { content: "▼"; position: absolute; left: 22px; bottom: -20px; font-size: 12px;
  line-height: 18px; color: var(--edt-bad); }
.edutorch .edt-trail li[data-root] { border: 2px solid var(--edt-bad);
  background: color-mix(in srgb, var(--edt-bad) 9%, var(--edt-box)); }
.edutorch .edt-trail li[aria-selected="true"] { outline: 2px solid var(--edt-accent); outline-offset: 2px; }
.edt-trail header { display: flex; flex-wrap: wrap; gap: 2px 12px; justify-content: space-between; }
.edt-trail header b { overflow-wrap: anywhere; }
.edt-trail .edt-code { margin: 3px 0 0; overflow-wrap: anywhere; white-space: pre-wrap; }
.edutorch .edt-trail table { margin-top: 5px; width: auto; }
.edutorch .edt-trail td, .edutorch .edt-trail th { padding: 2px 12px 2px 0; border: 0; white-space: normal;
  overflow-wrap: anywhere; font-weight: 400; vertical-align: top; }
.edutorch .edt-trail th { font-weight: 600; }
`;

const ERROR = `
.edutorch.edutorch-error { border-left: 4px solid var(--edt-bad); }
.edutorch-error .edt-frozen { display: none; }
.edt-error { padding: 8px 12px 10px; }
.edutorch .edt-rule { margin: 0 0 6px; font-size: 14px; font-weight: 650; color: var(--edt-bad); }
.edt-operands { overflow-x: auto; }
.edutorch .edt-operands table { border-collapse: separate; border-spacing: 4px 4px; margin: 0 0 4px -4px;
  border: 0; font-size: 13px; table-layout: auto; width: max-content; }
.edutorch .edt-operands tr, .edutorch .edt-operands tr:hover { background: none; }
.edutorch .edt-operands th { text-align: left; font-weight: 400; padding: 3px 10px 3px 0; background: none; border: 0;
  max-width: 260px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.edutorch .edt-operands td { padding: 3px 4px; border: 0; white-space: nowrap; text-align: left; }
.edutorch .edt-operands td.edt-size { min-width: 46px; text-align: center; border: 1px solid var(--edt-border);
  border-radius: 5px; font-variant-numeric: tabular-nums; }
.edutorch .edt-operands td.edt-size[data-wrong] { border: 2px solid var(--edt-bad); color: var(--edt-bad); font-weight: 700;
  background: color-mix(in srgb, var(--edt-bad) 12%, transparent); text-decoration: underline; }
.edutorch .edt-operands td.edt-kind { color: var(--edt-muted); font-size: 12px; padding-left: 8px; }
.edutorch .edt-operands td.edt-kind[data-wrong] { color: var(--edt-bad); font-weight: 700; text-decoration: underline; }
.edutorch .edt-error code { font: 12px/1.4 var(--jp-code-font-family, monospace); color: inherit; background: none;
  padding: 0; overflow-wrap: anywhere; }
.edutorch .edt-why { display: grid; grid-template-columns: max-content 1fr; gap: 2px 12px; margin: 4px 0 0; font-size: 12.5px; }
.edutorch .edt-why dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
.edt-error-graph { padding: 0 8px 8px; }
.edt-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.edutorch[data-narrow] .edt-operands th { max-width: 120px; }
`;

const RUN = `
.edt-progress { height: 8px; margin: 10px 12px 0; border-radius: 4px; overflow: hidden;
  background: var(--edt-grid); }
.edt-progress div { height: 100%; background: var(--edt-accent); }
.edt-metric { font-weight: 600; }
.edutorch-run .edt-series { fill: none; stroke-width: 1.5; }
.edutorch-run .edt-series[data-run="0"] { stroke-width: 2; }
.edutorch-run .edt-run svg { flex: none; }
.edutorch .edt-run { display: inline-flex; align-items: center; gap: 7px; max-width: 100%;
  overflow: hidden; text-overflow: ellipsis; color: var(--edt-text); background: none; }
.edutorch .edt-run[aria-pressed="false"] { opacity: .5; text-decoration: line-through; }
.edutorch .edt-run[aria-pressed="true"] { color: var(--edt-text); background: var(--edt-box); }
.edt-rules { padding: 0 12px 9px; font-size: 12px; color: var(--edt-muted); }
.edt-rules summary { cursor: pointer; }
.edt-rules .edt-marks { padding: 4px 0 0 14px; }
`;

const TIMELINE = `
.edt-strip-all { display: block; margin: 8px 0 0; cursor: pointer; border-bottom: 1px solid var(--edt-grid); touch-action: none; }
.edt-bars { max-height: 440px; overflow: hidden auto; cursor: grab; touch-action: pan-y;
  border-bottom: 1px solid var(--edt-grid); }
.edt-bars:active { cursor: grabbing; }
.edutorch .edt-bars:focus-visible { outline-offset: -2px; }
.edt-bars canvas { display: block; }
.edutorch:fullscreen .edt-bars { max-height: 60vh; flex: none; }
.edutorch-timeline .edt-readout { min-height: 42px; padding-top: 6px; overflow-wrap: anywhere; }
.edt-totals { border-top: 1px solid var(--edt-grid); padding-bottom: 4px; }
.edt-totals .edt-table { max-height: 250px; margin-top: 6px; }
.edutorch:fullscreen .edt-totals { flex: 1; min-height: 160px; overflow: auto; }
.edutorch:fullscreen .edt-totals .edt-table { max-height: none; }
.edutorch .edt-totals td { text-align: right; width: 84px; }
.edutorch .edt-totals thead th:not(:first-child) { text-align: right; }
.edutorch .edt-totals th[scope="row"] { font-weight: 400; white-space: normal; overflow-wrap: anywhere; min-width: 96px; }
.edutorch[data-narrow] .edt-totals :is(td, th):nth-child(4) { display: none; }
.edutorch[data-narrow] .edt-totals :is(td, th) { padding: 3px 6px; }
.edutorch[data-narrow] .edt-totals td { width: auto; }
.edutorch .edt-totals td.edt-share { background: linear-gradient(to right,
  color-mix(in srgb, var(--edt-linear) 26%, transparent) var(--edt-share), transparent 0); }
`;

const LANES = `
.edt-chart.edt-lanes { padding: 0; touch-action: pan-y; }
.edt-swatch { width: 13px; height: 13px; border-radius: 2px; }
.edt-tick { width: 2px; height: 9px; margin: 0 5px; background: var(--edt-text); }
.edt-chart .edt-on-work { fill: #10141a; pointer-events: none; }
.edt-phase { fill: color-mix(in srgb, var(--edt-module) 26%, transparent); }
.edt-move { stroke: var(--edt-text); stroke-width: 1.3; fill: var(--edt-text); }
.edt-full { stroke: var(--edt-bad); stroke-width: 3; }
`;

const LEAKS = `
.edutorch-leaks .edt-verdict[data-bad] { color: var(--edt-bad); }
.edutorch-leaks .edt-chart { padding-top: 4px; }
.edutorch .edt-lines { list-style: none; margin: 0 10px; padding: 2px; max-height: 300px; overflow: auto;
  border: 1px solid var(--edt-grid); border-radius: 7px; }
.edutorch:fullscreen .edt-lines { max-height: none; flex: none; }
.edutorch .edt-lines li { display: flex; gap: 9px; align-items: baseline; margin: 0; padding: 5px 8px; border-radius: 5px;
  cursor: pointer; font-size: 12px; font-variant-numeric: tabular-nums; }
.edt-lines li > div { min-width: 0; overflow-wrap: anywhere; }
.edt-lines svg { flex: none; width: 26px; height: 12px; }
.edutorch .edt-lines li[aria-selected="true"] { background: color-mix(in srgb, var(--edt-accent) 14%, transparent);
  box-shadow: inset 3px 0 var(--edt-accent); }
.edutorch .edt-lines .edt-code { margin: 0; padding: 0; background: none; border: 0; }
.edt-lines [data-state="leak"] { color: var(--edt-bad); }
.edutorch .edt-hint { margin: 0; padding: 5px 12px 8px; font-size: 12px; }
.edt-answers { padding: 0 10px 10px; }
.edutorch .edt-answers article { margin-top: 8px; padding: 8px 12px; font-size: 12.5px; background: var(--edt-box);
  border: 1px solid var(--edt-border); border-radius: 7px; overflow-wrap: anywhere; }
.edutorch .edt-answers p { margin: 6px 0 0; }
.edutorch .edt-answers code { padding: 0; background: none; color: inherit; font-size: 12px; white-space: pre-wrap;
  font-family: var(--jp-code-font-family, monospace); }
.edutorch .edt-path { display: flex; flex-wrap: wrap; gap: 5px 0; list-style: none; margin: 7px 0 0; padding: 0; }
.edutorch .edt-path li { position: relative; display: flex; flex-direction: column; margin: 0; padding: 2px 9px;
  background: var(--edt-panel); border: 1px solid var(--edt-border); border-radius: 6px; }
.edutorch .edt-path li + li { margin-left: 22px; }
.edt-path li + li::before { content: "→"; position: absolute; left: -18px; top: 3px; color: var(--edt-muted); }
.edt-path small { font-size: 11px; color: var(--edt-muted); }
.edt-change { margin-top: 6px; border-left: 3px solid var(--edt-accent); padding-left: 9px; }
.edt-change div { display: flex; flex-wrap: wrap; gap: 0 10px; align-items: baseline; padding: 1px 0; }
.edt-change span { flex: 0 0 116px; font-size: 11.5px; color: var(--edt-muted); }
.edt-change [data-new] code { font-weight: 700; }
`;

function families(): string {
  const names: Family[] = [
    "linear",
    "activation",
    "pointwise",
    "reduce",
    "shape",
    "loss",
    "param",
    "input",
    "const",
    "module",
  ];
  return names
    .map((n) => `.node[data-family="${n}"] .edt-strip { fill: var(--edt-${n}); }`)
    .join("\n");
}

export const STYLE =
  HOSTS +
  BASE +
  GRAPH +
  PLACES +
  CHART +
  OWNERS +
  TENSOR +
  NAN +
  ERROR +
  RUN +
  TIMELINE +
  STEPPER +
  LANES +
  LEAKS;

/** Read the colours an element has now. */
export function coloursOf(element: Element) {
  const style = getComputedStyle(element);
  const read = (name: string) =>
    style.getPropertyValue(`--edt-${name}`).trim() || "#888";
  return {
    bg: read("bg"),
    box: read("box"),
    panel: read("panel"),
    frame: read("frame"),
    text: read("text"),
    muted: read("muted"),
    line: read("line"),
    border: read("border"),
    accent: read("accent"),
    grad: read("grad"),
    bad: read("bad"),
    found: read("found"),
    font: style.fontFamily || "sans-serif",
    family: (family: Family) => read(family),
  };
}

/** The theme's colours as canvas wants them. */
export type Colours = ReturnType<typeof coloursOf>;
