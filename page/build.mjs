// Bundles the page: `node build.mjs --wasm FOLDER [--out FOLDER] [--limits]`. The first FOLDER holds what wasm-bindgen made for the web. With
// `--limits` it fails where the page, packed, is larger than it is to be.
import { build } from "esbuild";
import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";

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

/** Bytes that a browser loads, packed by brotli, and the most that they may be. */
const packed = (is) =>
  readdirSync(out)
    .filter((name) => is(name) && !name.endsWith(".txt") && !name.endsWith(".map"))
    .reduce((sum, name) => sum + brotliCompressSync(readFileSync(join(out, name))).length, 0);
if (process.argv.includes("--limits")) {
  for (const [what, size, most] of [
    ["the page", packed((name) => !name.endsWith(".wasm")), 450_000],
    ["the verbs", packed((name) => name.endsWith(".wasm")), 2_300_000],
  ]) {
    console.log(`${what}, packed: ${size} bytes of ${most}`);
    if (size > most) throw new Error(`${what} is too large`);
  }
}
