/** Builds what the Python package holds; `npm run build` calls it. */
import { readFile } from "node:fs/promises";
import { build } from "esbuild";

/** Style sheets stand in template strings, which esbuild leaves as they are. */
const shortStyles = {
  name: "short styles",
  setup({ onLoad }) {
    onLoad({ filter: /(theme|_style)\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8");
      const contents = text.replace(/`[^`]*[{;][^`]*`/g, (sheet) =>
        sheet.replace(/\s+/g, " ").replace(/ ?([{};]) /g, "$1"),
      );
      return { contents, loader: "ts" };
    });
  },
};

await build({
  entryPoints: {
    widgets: "src/index.ts", // draws the views
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
  plugins: [shortStyles],
});
