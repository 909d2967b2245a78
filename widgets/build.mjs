/** Builds the bundles in `edutorch/widgets/static/`; `npm run build` calls it. */
import { readFile, writeFile } from "node:fs/promises";
import { build } from "esbuild";
import { minify } from "terser";
import { SHORTENED, shortenPrivates } from "./short_names.mjs";

/**
 * Style sheets stand in template strings, which esbuild leaves as they are. Spaces around
 * `+` stay, since sums in `calc()` need them.
 */
function shortenStyles(text) {
  return text.replace(/`[^`]*[{;][^`]*`/g, (sheet) =>
    sheet
      .replace(/\s+/g, " ")
      .replace(/ ?([{};>]) /g, "$1")
      .replace(/([:,]) /g, "$1")
      .replaceAll(";}", "}")
      .replace(/^` | `$/g, "`"),
  );
}

const shortened = {
  name: "shortened",
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const text = shortenPrivates(await readFile(path, "utf8"));
      const sheet = /(\/theme|_sheet)\.ts$/.test(path);
      const contents = (sheet ? shortenStyles(text) : text).replaceAll(
        "--edt-",
        "--e-",
      );
      return { contents, loader: "ts" };
    });
  },
};

/**
 * esbuild alone leaves 2 % more: a bundle is kept in each notebook that shows views.
 * `unsafe` relies on built-in functions, such as `String`, being those of the language.
 */
const smaller = {
  module: true,
  ecma: 2020,
  compress: { passes: 3, unsafe: true, unsafe_arrows: true },
};

const { metafile } = await build({
  entryPoints: {
    widgets: "src/index.ts", // draws the views
    course: "src/course/index.ts", // draws the course's interactions
    loader: "src/loader.ts", // what each view of a notebook holds: finds the former
    served_page: "src/served_page.ts", // follows a program that runs
  },
  outdir: "../edutorch/widgets/static",
  bundle: true,
  format: "esm",
  minify: true,
  charset: "utf8",
  target: "es2022",
  legalComments: "inline",
  logLevel: "warning",
  plugins: [shortened],
  mangleProps: SHORTENED,
  metafile: true,
});
for (const path of Object.keys(metafile.outputs)) {
  const { code } = await minify(await readFile(path, "utf8"), smaller);
  await writeFile(path, `${code}\n`);
}
