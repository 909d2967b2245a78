/** The Stepper's style sheet; colours are `theme.ts`'s. */
export const STEPPER = `
.edt-left { flex: 0 0 40%; min-width: 0; display: flex; flex-direction: column; border-right: 1px solid var(--edt-grid); }
.edt-file { padding: 5px 12px 3px; font-size: 11.5px; }
.edt-source, .edt-rows { overflow: auto; position: relative; white-space: pre; padding: 3px 0; }
.edt-source { flex: 0 1 auto; max-height: 46%; line-height: 18px; border-bottom: 1px solid var(--edt-grid); }
.edt-rows { flex: 1; min-height: 60px; font-size: 12.5px; }
.edt-source div, .edt-rows div { width: max-content; min-width: 100%; padding: 1px 10px 1px 0; border-left: 3px solid transparent; }
.edt-rows div { cursor: pointer; font-variant-numeric: tabular-nums; }
.edt-rows div:hover { background: var(--edt-panel); }
.edt-source span { display: inline-block; width: 42px; padding-right: 12px; text-align: right; color: var(--edt-muted); user-select: none; }
.edt-source [data-gap] { border-top: 1px dotted var(--edt-border); }
.edutorch-stepper :is([aria-current], [aria-selected]) { border-left-color: var(--edt-accent);
  background: color-mix(in srgb, var(--edt-accent) 16%, transparent); }
.edt-source [aria-current] { font-weight: 600; }
.edt-rows [data-kind="call"] { font-weight: 600; color: var(--edt-module); }
.edt-rows :is([data-kind="bwd"], [data-kind="leaf"]) { color: var(--edt-grad); }
.edt-right { flex: 1; min-width: 0; display: flex; flex-direction: column; }
.edt-right .edt-stage { flex: 0 0 216px; border-bottom: 1px solid var(--edt-grid); --edt-here: var(--edt-accent);
  &[data-backward] { --edt-here: var(--edt-grad); }
  & .edt-line[data-grad="1"] { marker-end: none; }
  & .edt-now .edt-shape { stroke: var(--edt-here); fill: color-mix(in srgb, var(--edt-here) 16%, var(--edt-box)); } }
.edutorch:fullscreen .edt-right .edt-stage { flex-basis: 36%; }
.edt-step header { flex-wrap: wrap; }
.edt-near, .edt-near span, .edt-values { display: flex; flex-wrap: wrap; gap: 2px 12px; font-size: 12px; }
.edt-near i { color: var(--edt-muted); font-style: normal; }
.edt-values { align-items: center; max-width: 100%; }
span.edt-values { flex-wrap: nowrap; }
.edt-value figcaption { display: flex; gap: 8px; font-size: 11.5px; white-space: nowrap; }
.edt-value canvas { image-rendering: pixelated; border: 1px solid var(--edt-border); display: block; }
.edt-numbers { display: inline-grid; gap: 1px; font-variant-numeric: tabular-nums; }
.edt-numbers span { min-width: 44px; padding: 2px 6px; text-align: right; outline: 1px solid var(--edt-grid); outline-offset: -1px; }
.edt-numbers[data-pick] span { cursor: pointer; }
.edt-numbers [data-lit] { outline: 2px solid var(--edt-found); outline-offset: -2px; }
.edt-numbers [data-chosen] { outline: 2.5px solid var(--edt-accent); outline-offset: -2px; }
.edt-op { font-size: 17px; color: var(--edt-muted); }
.edutorch-stepper .edt-legend { margin: 0; display: block; white-space: normal; }
.edutorch-stepper[data-narrow] {
  & .edt-body { height: 790px; }
  & .edt-hint { display: none; }
  & .edt-right { flex: 66 1 0; min-height: 0; }
  & .edt-right .edt-stage { flex-basis: 190px; }
  & .edt-step { flex: 1; }
  & .edt-left { flex: 34 1 0; min-height: 0; border-right: 0; border-bottom: 1px solid var(--edt-grid); }
  &[data-compact] :is(.edt-file, .edt-right) { display: none; } }
.edutorch {
  .edt-rows:focus-visible { outline-offset: -2px; }
  .edt-step { flex: 1; min-height: 0; width: auto; max-width: none; border: 0; background: none; }
  .edt-step h3 { flex: 0 1 auto; }
  .edt-step h4 { text-transform: none; letter-spacing: 0; font-size: 12px; margin: 14px 0 2px;
    padding-top: 8px; border-top: 1px solid var(--edt-grid); }
  .edt-step p { margin: 2px 0 4px; }
  .edt-formula { font-size: 15px; }
  .edt-sum { font-size: 13px; padding: 4px 8px; border-radius: 6px; overflow-wrap: anywhere;
    background: color-mix(in srgb, var(--edt-found) 13%, transparent); }
  .edt-value { margin: 2px 0; max-width: 100%; overflow-x: auto; padding: 2px; }
  .edt-value p { font-size: 11.5px; max-width: 250px; }
}
`;
