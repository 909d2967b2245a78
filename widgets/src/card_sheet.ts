/** Style sheet of views made of text and tables: tensors, nan, errors, leaks. */

export const TENSOR = `
.edt-origin { display: flex; flex-wrap: wrap; gap: 4px 8px; padding: 8px 12px 0; }
.edt-panels { display: flex; flex-wrap: wrap; gap: 4px 28px; padding: 8px 12px; }
.edt-panel { flex: 0 1 340px; min-width: 0; }
.edt-panel:has(+ [hidden]) { flex: 1 1 100% !important; display: flex; flex-wrap: wrap; gap: 0 28px;
  & > :is(header, .edt-slicer) { flex: 0 0 100%; } & > div { min-width: 0; } & > :last-child { flex-grow: 1; } }
.edt-panel header { display: flex; align-items: center; gap: 10px; min-height: 28px; }
.edt-panel .edt-readout, .edt-panel .edt-chart { padding-left: 0; padding-right: 0; }
.edt-slicer { display: flex; flex-wrap: wrap; gap: 2px 16px; padding-bottom: 4px; font-size: 12px;
  & label { display: inline-flex; align-items: center; gap: 6px; }
  & input { width: 110px; accent-color: var(--edt-accent); }
  & output { color: var(--edt-muted); font-variant-numeric: tabular-nums; } }
.edt-cells { position: relative; width: max-content; max-width: 100%; line-height: 0;
  border: 1px solid var(--edt-border); overflow: hidden;
  & canvas { image-rendering: pixelated; display: block; }
  & svg { position: absolute; inset: 0; }
  & text { font-family: inherit; font-size: 10px; } }
.edt-tiles { margin-bottom: 8px; cursor: pointer; background: var(--edt-panel); }
.edt-bin { fill: #7d93b8; }
.edt-memory { padding: 2px 12px 10px; }
.edt-memory-row { display: flex; align-items: center; gap: 10px; margin: 3px 0;
  & span { flex: 0 0 130px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  & svg { flex: 1; height: 16px; min-width: 0; } }
.edt-seen { fill: var(--edt-accent); }
.edt-unseen { fill: var(--edt-grid); }
.edutorch {
  .edt-panel h4 { margin: 0; font-size: 13px; font-weight: 650; color: inherit; }
  .edt-panel .edt-facts { padding: 2px 0 0; gap: 4px 12px; }
  .edt-panel .edt-facts dd { font-size: 13px; }
  & dd.edt-nonfinite { color: var(--edt-bad); }
  .edt-memory p { margin: 0 0 4px; font-size: 12px; }
}
`;

export const NAN = `
.edutorch:fullscreen .edt-trail { max-height: none; }
.edutorch-nan:fullscreen > :not(.edt-bar), .edutorch-error:fullscreen > .edt-error { zoom: 1.5; }
.edutorch-nan:fullscreen .edt-trail li { max-width: none; }
.edt-trail li:not(:last-child)::after { content: "▼"; position: absolute; left: 22px; bottom: -20px; font-size: 12px;
  line-height: 18px; color: var(--edt-bad); }
.edt-trail header { display: flex; flex-wrap: wrap; gap: 2px 12px; justify-content: space-between; }
.edt-trail header b { overflow-wrap: anywhere; }
.edt-trail .edt-code { margin: 3px 0 0; overflow-wrap: anywhere; white-space: pre-wrap; }
.edutorch {
  .edt-verdict { margin: 0; padding: 10px 12px 4px; font-size: 14px; font-weight: 600; }
  .edt-verdict + p { margin: 0; padding: 0 12px 6px; font-size: 12px; color: var(--edt-muted); }
  .edt-trail { list-style: none; margin: 0; padding: 6px 12px 12px; max-height: 560px; overflow: auto; }
  .edt-trail:focus-visible { outline-offset: -2px; border-radius: 6px; }
  .edt-trail li { position: relative; margin: 0 0 22px; padding: 7px 12px; border-radius: 7px; cursor: pointer;
    max-width: 860px; background: var(--edt-box); border: 1px solid var(--edt-border); box-shadow: var(--edt-shadow); }
  .edt-trail li:last-child { margin-bottom: 0; }
  .edt-trail li[data-root] { border: 2px solid var(--edt-bad);
    background: color-mix(in srgb, var(--edt-bad) 9%, var(--edt-box)); }
  .edt-trail li[aria-selected="true"] { outline: 2px solid var(--edt-accent); outline-offset: 2px; }
  .edt-trail table { margin-top: 5px; width: auto; }
  .edt-trail td, .edt-trail th { padding: 2px 12px 2px 0; border: 0; white-space: normal;
    overflow-wrap: anywhere; font-weight: 400; vertical-align: top; }
  .edt-trail th { font-weight: 600; }
}
`;

export const ERROR = `
.edutorch.edutorch-error { border-left: 4px solid var(--edt-bad); }
.edutorch-error .edt-frozen { display: none; }
.edt-error { padding: 8px 12px 10px; }
.edt-operands { overflow-x: auto; }
.edt-error-graph { padding: 0 8px 8px; }
.edutorch-error:fullscreen .edt-error-graph { flex: 1; display: grid; min-height: 320px;
  & > .edutorch { display: flex; flex-direction: column; }
  & .edt-body { flex: 1; } }
.edt-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.edutorch[data-narrow] .edt-operands {
  & th { max-width: 120px; white-space: normal; overflow-wrap: anywhere; }
  & .edt-size { min-width: 30px; } }
.edutorch {
  .edt-rule { margin: 0 0 6px; font-size: 14px; font-weight: 650; color: var(--edt-bad); }
  .edt-operands table { border-collapse: separate; border-spacing: 4px 4px; margin: 0 0 4px -4px;
    border: 0; font-size: 13px; table-layout: auto; width: max-content; }
  .edt-operands tr, .edt-operands tr:hover { background: none; }
  .edt-operands th { text-align: left; font-weight: 400; padding: 3px 10px 3px 0; background: none; border: 0;
    max-width: 260px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .edt-operands td { padding: 3px 4px; border: 0; white-space: nowrap; text-align: left; }
  .edt-operands td.edt-size { min-width: 46px; text-align: center; border: 1px solid var(--edt-border);
    border-radius: 5px; font-variant-numeric: tabular-nums; }
  .edt-operands td.edt-size[data-wrong] { border: 2px solid var(--edt-bad); color: var(--edt-bad); font-weight: 700;
    background: color-mix(in srgb, var(--edt-bad) 12%, transparent); text-decoration: underline; }
  .edt-operands td.edt-kind { color: var(--edt-muted); font-size: 12px; padding-left: 8px; }
  .edt-operands td.edt-kind[data-wrong] { color: var(--edt-bad); font-weight: 700; text-decoration: underline; }
  .edt-error code { font: 12px/1.4 var(--jp-code-font-family, monospace); color: inherit; background: none;
    padding: 0; overflow-wrap: anywhere; }
  .edt-why { display: grid; grid-template-columns: max-content 1fr; gap: 2px 12px; margin: 4px 0 0; font-size: 12.5px; }
  .edt-why dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
}
`;

export const LEAKS = `
.edutorch-leaks .edt-verdict[data-bad] { color: var(--edt-bad); }
.edutorch-leaks .edt-chart { padding-top: 4px; }
.edutorch:fullscreen .edt-lines { max-height: none; flex: none; }
.edt-lines li > div { min-width: 0; overflow-wrap: anywhere; }
.edt-lines svg { flex: none; width: 26px; height: 12px; }
.edt-lines [data-state="leak"] { color: var(--edt-bad); }
.edt-answers { padding: 0 10px 10px; }
.edt-path li + li::before { content: "→"; position: absolute; left: -18px; top: 3px; color: var(--edt-muted); }
.edt-path small { font-size: 11px; color: var(--edt-muted); }
.edt-change { margin-top: 6px; border-left: 3px solid var(--edt-accent); padding-left: 9px;
  & div { display: flex; flex-wrap: wrap; gap: 0 10px; align-items: baseline; padding: 1px 0; }
  & span { flex: 0 0 116px; font-size: 11.5px; color: var(--edt-muted); }
  & [data-new] code { font-weight: 700; } }
.edutorch {
  .edt-lines { list-style: none; margin: 0 10px 10px; padding: 2px; max-height: 300px; overflow: auto;
    border: 1px solid var(--edt-grid); border-radius: 7px; }
  .edt-lines li { display: flex; gap: 9px; align-items: baseline; margin: 0; padding: 5px 8px; border-radius: 5px;
    cursor: pointer; font-size: 12px; font-variant-numeric: tabular-nums; }
  .edt-lines li[aria-selected="true"] { background: color-mix(in srgb, var(--edt-accent) 14%, transparent);
    box-shadow: inset 3px 0 var(--edt-accent); }
  .edt-lines .edt-code { margin: 0; padding: 0; background: none; border: 0; }
  .edt-hint { margin: 0; padding: 5px 12px 8px; font-size: 12px; }
  .edt-answers article { margin-top: 8px; padding: 8px 12px; font-size: 12.5px; background: var(--edt-box);
    border: 1px solid var(--edt-border); border-radius: 7px; overflow-wrap: anywhere; }
  .edt-answers p { margin: 6px 0 0; }
  .edt-answers code { padding: 0; background: none; color: inherit; font-size: 12px; white-space: pre-wrap;
    font-family: var(--jp-code-font-family, monospace); }
  .edt-path { display: flex; flex-wrap: wrap; gap: 5px 0; list-style: none; margin: 7px 0 0; padding: 0; }
  .edt-path li { position: relative; display: flex; flex-direction: column; margin: 0; padding: 2px 9px;
    background: var(--edt-panel); border: 1px solid var(--edt-border); border-radius: 6px; }
  .edt-path li + li { margin-left: 22px; }
}
`;
