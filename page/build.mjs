// Bundles the page: `node build.mjs --wasm FOLDER [--out FOLDER]`. FOLDER holds what wasm-bindgen made for the web.
import { build } from "esbuild";
import { copyFileSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";

const option = (name, otherwise) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : process.argv[at + 1];
};
const out = option("out", "dist");
const wasm = option("wasm");
if (wasm === undefined) throw new Error("--wasm FOLDER is missing: `cargo xtask page` makes it");
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
await build({
  entryPoints: { page: "src/main.tsx", worker: "src/client/worker.ts" },
  outdir: out,
  bundle: true,
  splitting: true,
  format: "esm",
  target: "es2022",
  minify: !process.argv.includes("--plain"),
  sourcemap: process.argv.includes("--plain"),
  legalComments: "external",
  loader: { ".css": "css" },
  // What wasm-bindgen made stands beside the page and is loaded by the worker.
  external: ["./spelunk_wasm.js"],
});
copyFileSync("src/index.html", join(out, "index.html"));
copyFileSync("src/icon.svg", join(out, "icon.svg"));
for (const name of ["spelunk_wasm.js", "spelunk_wasm_bg.wasm"]) copyFileSync(join(wasm, name), join(out, name));
