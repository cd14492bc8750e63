// What tests of the page share beside the browser: rows of the command, and a look at a page that has to please everybody.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { ready, visit } from "./harness.mjs";

const need = (name) => process.env[name] ?? assert.fail(`${name} is not set`);
export const [folder, samples, command] = ["SPELUNK_PAGE", "SPELUNK_SAMPLES", "SPELUNK_COMMAND"].map(need);
const { SPELUNK_SHOTS: shots } = process.env;
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What the command prints. */
export const print = (...args) => execFileSync(command, args, { maxBuffer: 1 << 30, stdio: ["ignore", "pipe", "ignore"] });

/** Its rows. */
export function rows(...args) {
  const text = print(...args, "--json").toString().trimEnd();
  return text === "" ? [] : text.split("\n").map((line) => JSON.parse(line));
}

/** Takes a picture, where pictures are wanted. */
export const shot = (page, name) => shots && page.screenshot({ path: join(shots, `${name}.png`) });

/** Visits a page; it may ask nobody else, fail at nothing, and keep nobody out. */
export async function look(browser, url, name, job) {
  const { page, seen, close } = await visit(browser, url);
  try {
    await job(page);
    await shot(page, name);
    // Through the protocol, which no policy of the page stands against.
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => window.axe.run());
    const serious = violations.filter((it) => ["serious", "critical"].includes(it.impact));
    assert.deepEqual(serious.map((it) => `${it.id}: ${it.nodes.map((node) => node.html).slice(0, 3).join(" ")}`), []);
  } catch (error) {
    await shot(page, `${name}-failed`);
    throw new Error(`${error.message}\n${seen.errors.join("\n")}`, { cause: error });
  } finally {
    await close();
  }
  assert.deepEqual([...seen.origins], [new URL(url).origin]);
  assert.deepEqual(seen.errors, []);
}

/** Goes to an address. */
export async function goTo(page, fragment) {
  await page.evaluate((fragment) => (location.hash = fragment), fragment);
  await ready(page);
}

/** The entry of the page's address. */
export const entryOf = (page) => decodeURIComponent(/entry=([^&]*)/.exec(page.url())[1]);
