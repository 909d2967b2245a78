/**
 * Creates elements. All text is set through `textContent`, so that a name that looks like
 * HTML is shown as it is; nothing in this bundle parses HTML.
 */

type Attributes = Record<string, string | number | boolean | null | undefined>;
type Child = Node | string | null | undefined | false;

const SVG = "http://www.w3.org/2000/svg";

/** Set or (null, undefined, false) remove attributes. */
export function attr(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false)
      element.removeAttribute(name);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

export function html<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  attr(element, attributes);
  for (const child of children) if (child) element.append(child);
  return element;
}

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS(SVG, tag) as SVGElementTagNameMap[K];
  attr(element, attributes);
  for (const child of children) if (child) element.append(child);
  return element;
}

/** A push button; `face` is its label on screen, `label` its action. */
export function button(face: string, label: string, attributes: Attributes = {}) {
  return html(
    "button",
    {
      type: "button",
      class: "edt-button",
      title: label,
      "aria-label": spoken(face, label),
      ...attributes,
    },
    face,
  );
}

/** An accessible name that contains the visible text, as voice control needs. */
function spoken(face: string, label: string): string {
  const words = face.replace(/[^\p{L}\p{N} ]/gu, "").trim();
  if (label.toLowerCase().includes(words.toLowerCase())) return label;
  return `${words}: ${label}`;
}

/**
 * Replace the children of `element`, reusing those of the same form, so that the
 * reader's selection and what is under the pointer are kept.
 */
export function refill(element: Element, ...children: Node[]): void {
  if (children.length !== element.childNodes.length) {
    element.replaceChildren(...children);
    return;
  }
  children.forEach((child, i) => {
    patch(element.childNodes[i], child);
  });
}

function patch(old: ChildNode, next: Node): void {
  if (old.nodeName !== next.nodeName) old.replaceWith(next);
  else if (old instanceof Element && next instanceof Element) {
    for (const { name, value } of next.attributes) old.setAttribute(name, value);
    for (const name of old.getAttributeNames())
      if (!next.hasAttribute(name)) old.removeAttribute(name);
    refill(old, ...next.childNodes);
  } else if (old.nodeValue !== next.nodeValue) old.nodeValue = next.nodeValue;
}

/** Change text only if it differs, to avoid needless redraws. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** The view has handled an event: neither the browser nor the notebook acts on it. */
export function consume(event: Event): void {
  event.preventDefault();
  event.stopPropagation();
}
