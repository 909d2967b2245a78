/** Style sheet of views with charts: gradients, memory, runs, timelines, devices. */

export const CHART = `
.edt-chart { position: relative; padding: 8px 10px 2px; }
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
.edt-keys .edt-ramp svg { flex: 0 1 168px; width: 168px; min-width: 40px; }
.edt-cursor { stroke: var(--edt-text); stroke-width: 1.5; fill: none; pointer-events: none; }
.edt-marks { margin: 0; padding: 0 12px 9px; list-style: none; font-size: 12px; overflow-wrap: anywhere; }
.edt-marks li { margin: 1px 0; }
.edt-sign { font-weight: 700; color: var(--edt-alert, var(--edt-bad)); white-space: nowrap; }
.edt-dot { width: 9px; height: 9px; border-radius: 50%; background: var(--edt-const); flex: none; }
.edt-dot[data-mode="running"] { background: var(--edt-pointwise); }
.edt-dot[data-mode="paused"] { background: var(--edt-activation); border-radius: 2px; }
.edutorch {
  .edt-chart:focus-visible { outline-offset: -2px; border-radius: 6px; }
  .edt-ramp { white-space: nowrap; max-width: 100%; }
  .edt-marks .edt-button { margin-top: 5px; }
  .edt-facts { display: flex; flex-wrap: wrap; gap: 6px 22px; padding: 8px 12px 0; margin: 0; }
  .edt-facts div { display: flex; flex-direction: column; }
  .edt-facts dt { font-size: 11px; color: var(--edt-muted); }
  .edt-facts dd { margin: 0; font-size: 16px; font-weight: 600; font-variant-numeric: tabular-nums; }
  & caption { caption-side: bottom; padding: 4px 10px; text-align: left; color: var(--edt-muted); }
}
`;

export const OWNERS = `
.edt-owners { display: flex; flex-wrap: wrap; gap: 0 4px; align-items: flex-start; }
.edt-owners > .edt-chart { flex: 3 1 380px; min-width: 0; padding-bottom: 8px; }
.edt-owners > .edt-table { flex: 2 1 280px; max-height: 332px; margin: 8px 10px; }
.edutorch:fullscreen .edt-owners > .edt-table { max-height: none; }
.edt-subhead:has(label) { align-items: end; }
.edt-subhead label { display: flex; flex-direction: column; gap: 2px; font-size: 11px; color: var(--edt-muted); }
.edutorch[data-narrow] { & .edt-subhead label { flex: 1 1 90px; min-width: 0; } & > .edt-bar { column-gap: 4px; } }
.edt-crumbs { display: flex; flex-wrap: wrap; gap: 2px 6px; padding: 8px 12px 0; overflow-wrap: anywhere; }
.edt-tile { cursor: pointer; --edt-tile: var(--edt-line); }
.edt-tile rect { fill: var(--edt-frame); stroke: var(--edt-tile); }
.edt-tile[data-tint] rect { fill: color-mix(in srgb, var(--edt-tile) 34%, var(--edt-box)); }
.edt-tile[data-tint="less"] rect { stroke-dasharray: 4 2; }
[data-tint="more"] { --edt-tile: var(--edt-grad); }
[data-tint="less"] { --edt-tile: var(--edt-accent); }
.edt-chart .edt-tile text { fill: var(--edt-text); pointer-events: none; }
.edt-chart .edt-tile .edt-low { font-size: 9px; }
.edt-picked { fill: none; stroke: var(--edt-accent); stroke-width: 3; visibility: hidden; pointer-events: none; }
.edt-chart:focus .edt-picked { visibility: visible; }
.edutorch {
  .edt-owners td, .edt-owners th { padding: 3px 6px; }
  .edt-owners th[scope="row"] { font-weight: 400; white-space: normal; overflow-wrap: anywhere; text-align: left; }
  .edt-owners td, .edt-owners th + th { text-align: right; }
  & select { font: inherit; font-size: 13px; padding: 3px; max-width: 170px; min-width: 0; color: var(--edt-text);
    background: var(--edt-box); border: 1px solid var(--edt-border); border-radius: 7px; }
  .edt-tinted { color: var(--edt-tile); font-weight: 600; }
}
`;

export const RUN = `
.edt-progress { height: 8px; margin: 10px 12px 0; border-radius: 4px; overflow: hidden;
  background: var(--edt-grid); }
.edt-progress div { height: 100%; background: var(--edt-accent); }
.edt-metric { font-weight: 600; }
.edutorch-run { & .edt-series { fill: none; stroke-width: 1.5; &[data-run="0"] { stroke-width: 2; } } & .edt-run svg { flex: none; } }
.edt-rules { padding: 0 12px 9px; font-size: 12px; color: var(--edt-muted); }
.edt-rules summary { cursor: pointer; }
.edt-rules .edt-marks { padding: 4px 0 0 14px; }
.edutorch {
  .edt-run { display: inline-flex; align-items: center; gap: 7px; max-width: 100%; text-align: left;
    overflow: hidden; text-overflow: ellipsis; color: var(--edt-text); background: none; }
  .edt-run[aria-pressed="false"] { opacity: .5; text-decoration: line-through; }
  .edt-run[aria-pressed="true"] { color: var(--edt-text); background: var(--edt-box); }
}
`;

export const TIMELINE = `
.edt-strip-all { display: block; margin: 8px 0 0; cursor: pointer; border-bottom: 1px solid var(--edt-grid); touch-action: none; }
.edt-bars { max-height: 440px; overflow: hidden auto; cursor: grab; touch-action: pan-y;
  border-bottom: 1px solid var(--edt-grid); }
.edt-bars:active { cursor: grabbing; }
.edt-bars canvas { display: block; }
.edutorch:fullscreen .edt-bars { max-height: 60vh; flex: none; }
.edutorch-timeline .edt-readout { min-height: 42px; padding-top: 6px; overflow-wrap: anywhere; }
.edt-totals { border-top: 1px solid var(--edt-grid); padding-bottom: 4px; }
.edt-totals .edt-table { max-height: 250px; margin-top: 6px; }
.edutorch:fullscreen .edt-totals { flex: 1; min-height: 160px; overflow: auto; & .edt-table { max-height: none; } }
.edutorch[data-narrow] .edt-totals { & :is(td, th) { padding: 3px 6px; &:nth-child(4) { display: none; } } & td { width: auto; } }
.edutorch {
  .edt-bars:focus-visible { outline-offset: -2px; }
  .edt-totals table { max-width: 900px; }
  .edt-totals td { text-align: right; width: 84px; }
  .edt-totals thead th:not(:first-child) { text-align: right; }
  .edt-totals th[scope="row"] { font-weight: 400; white-space: normal; overflow-wrap: anywhere; min-width: 96px; }
  .edt-totals td.edt-share { background: linear-gradient(to right,
    color-mix(in srgb, var(--edt-linear) 26%, transparent) var(--edt-share), transparent 0); }
}
`;

export const LANES = `
.edt-chart.edt-lanes { padding: 0; touch-action: pan-y; }
.edt-swatch { width: 13px; height: 13px; border-radius: 2px; }
.edt-tick { width: 2px; height: 9px; margin: 0 5px; background: var(--edt-text); }
.edt-chart .edt-on-work { fill: #10141a; pointer-events: none; }
.edt-phase { fill: color-mix(in srgb, var(--edt-module) 26%, transparent); }
.edt-move { stroke: var(--edt-text); stroke-width: 1.3; fill: var(--edt-text); }
polygon.edt-move { stroke: var(--edt-bg); stroke-width: 1; }
.edt-full { stroke: var(--edt-bad); stroke-width: 3; }
`;
