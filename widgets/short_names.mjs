/**
 * Gives private members short names in what is built: esbuild shortens variables alone.
 *
 * TypeScript's `private` members are read in their own file alone, and here always from
 * `this`. `check_short_names.mjs` has the compiler check that none was missed. Members
 * that a constructor takes as parameters keep their names.
 */

/** what renamed members begin with, for esbuild's `mangleProps` */
export const SHORTENED = /^\$_/;

const DECLARED = /\bprivate (?:(?:static|async|readonly|get|set) )*(\w+)/g;
const PARAMETERS = /\bconstructor\([\s\S]*?\n {2}\) \{|\bconstructor\([^\n]*\) \{/g;

/** The source of one file, its private members renamed. */
export function shortenPrivates(source) {
  const parameters = source.match(PARAMETERS)?.join("\n") ?? "";
  const namesIn = (text) => [...text.matchAll(DECLARED)].map(([, name]) => name);
  const kept = new Set(namesIn(parameters));
  const names = namesIn(source).filter((name) => !kept.has(name));
  if (names.length === 0) return source;
  const any = `(${[...new Set(names)].join("|")})\\b`;
  return source
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
