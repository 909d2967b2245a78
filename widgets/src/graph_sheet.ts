/** Style sheet of graphs and of the panel beside them. */
import type { Family } from "./box_style";

export const GRAPH = `
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
.node, .frame, .edt-ground { transition: transform .35s ease; }
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
.frame .edt-title { font-size: 12px; fill: var(--edt-muted); pointer-events: none; }
.edt-ground { fill: var(--edt-bg); pointer-events: none; }
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
.edt-detail dd { margin: 0; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
.edt-chip { font-size: 11px; padding: 1px 8px; border-radius: 20px; color: var(--edt-muted);
  border: 1px solid var(--edt-border); }
.edutorch[data-narrow] .edt-tools, .edutorch[data-narrow] .edt-find { flex: 1 1 120px; }
.edutorch[data-narrow] .edt-body { flex-direction: column; }
.edutorch[data-narrow] .edt-detail { width: auto; max-width: none; flex: 0 0 46%; border-left: 0;
  border-top: 1px solid var(--edt-grid); }
@media (prefers-reduced-motion: reduce) {
  .node, .node .edt-shape, .frame, .edt-ground, .edt-new { transition: none; animation: none; } }
.edutorch {
  & dt { float: none; width: auto; margin: 0; padding: 0; font-weight: 400; color: var(--edt-muted);
    white-space: nowrap; }
  & dd { float: none; width: auto; padding: 0; }
  .edt-link { font: inherit; font-size: 12px; padding: 0; border: 0; background: none; cursor: pointer;
    color: var(--edt-accent); text-decoration: underline; text-underline-offset: 2px;
    overflow-wrap: anywhere; text-align: left; }
  .edt-detail pre { margin: 4px 0 0; padding: 7px 9px; white-space: pre-wrap; word-break: normal; overflow-wrap: anywhere; border-radius: 6px;
    color: var(--edt-text); background: var(--edt-bg); border: 1px solid var(--edt-grid); }
}
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
