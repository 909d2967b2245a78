/**
 * Gives private members short names in what is built: esbuild shortens variables alone.
 *
 * TypeScript's `private` members are read in their own file alone, and here always from
 * `this`. `check_short_names.mjs` has the compiler check that none was missed.
 */

/** what renamed members begin with, for esbuild's `mangleProps` */
export const SHORTENED = /^\$_/;

const DECLARED = /\bprivate (?:(?:static|async|readonly|get|set) )*(\w+)/g;
const CONSTRUCTOR =
  /\bconstructor\((?:[^\n]*|[\s\S]*?\n {2})\) \{(\}|[\s\S]*?\n {2}\})/g;

const declaredIn = (text) => [...text.matchAll(DECLARED)].map(([, name]) => name);

/** The source of one file, its private members renamed. */
export function shortenPrivates(source) {
  const names = declaredIn(source);
  if (names.length === 0) return source;
  const any = `(${[...new Set(names)].join("|")})\\b`;
  return source
    .replace(CONSTRUCTOR, keepParameters)
    .replace(
      new RegExp(`(\\bprivate (?:(?:static|async|readonly|get|set) )*)${any}`, "g"),
      "$1$$_$2",
    )
    .replace(new RegExp(`(\\bthis\\??\\.)${any}`, "g"), "$1$$_$2")
    .replace(/\{([\w,\s]*)\}( = this;)/g, (_, inner, end) => {
      const renamed = inner.replace(new RegExp(`\\b${any}`, "g"), "$$_$1: $1");
      return `{${renamed}}${end}`;
    });
}

/** Give a constructor's body the parameters that are members under their old names. */
function keepParameters(text, body) {
  const head = text.slice(0, text.length - body.length);
  const read = declaredIn(head).filter((name) =>
    new RegExp(`(?<![.\\w])${name}\\b(?!:)`).test(body),
  );
  const lines = read.map((name) => `\n    const ${name} = $_${name};`);
  return head + lines.join("") + body;
}
