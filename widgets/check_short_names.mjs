/** Has the compiler check the sources as `short_names.mjs` renames them. */
import { execFileSync } from "node:child_process";
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { shortenPrivates } from "./short_names.mjs";

const folder = await mkdtemp(join(import.meta.dirname, "renamed-"));
const compiler = join(import.meta.dirname, "node_modules/typescript/bin/tsc");
try {
  await cp(join(import.meta.dirname, "src"), folder, { recursive: true });
  for (const name of await readdir(folder)) {
    if (!name.endsWith(".ts")) continue;
    const path = join(folder, name);
    await writeFile(path, shortenPrivates(await readFile(path, "utf8")));
  }
  const settings = { extends: "../tsconfig.json", include: ["*.ts"] };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(settings));
  execFileSync(process.execPath, [compiler, "--noEmit", "-p", folder], {
    stdio: "inherit",
  });
} catch (error) {
  console.error(`The sources with short names do not compile: ${error.message}`);
  process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true });
}
