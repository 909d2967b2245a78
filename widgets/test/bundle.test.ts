/** The committed bundle: small, alone, and without ways to parse HTML. */
import { expect, test } from "vitest";
import bundle from "../../edutorch/widgets/static/widgets.js?raw";

test("bundle_is_below_220_kilobytes", () => {
  expect(new Blob([bundle]).size).toBeLessThan(220_000);
});

test("bundle_asks_for_nothing_and_parses_no_html", () => {
  for (const word of ["fetch(", "import(", "XMLHttpRequest", "WebSocket", "eval("])
    expect(bundle).not.toContain(word);
  for (const word of ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write"])
    expect(bundle).not.toContain(word);
  const addresses = bundle.match(/https?:\/\/[^"'`\s]+/g) ?? [];
  expect(new Set(addresses)).toEqual(new Set(["http://www.w3.org/2000/svg"]));
});
