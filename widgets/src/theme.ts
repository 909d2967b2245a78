/** Colours: from JupyterLab's theme if there is one, otherwise light or dark. */
import type { Family } from "./box_style";

/**
 * Hues follow Okabe and Ito's palette, distinguishable with any kind of colour blindness;
 * text and shape always carry the same information as the colour.
 */
export const LIGHT = `
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

export const DARK = `
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

/** Read an element's current colours. */
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

/** The theme's colours in a form for canvas. */
export type Colours = ReturnType<typeof coloursOf>;
