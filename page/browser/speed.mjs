// How fast files open: `SPELUNK_PAGE=FOLDER SPELUNK_COMMAND=COMMAND SPELUNK_SAMPLES=FOLDER node browser/speed.mjs LEVEL... -- FILE...`, with a
// page and a command that are built for release. Levels are opened to a drawn scene, beside what `spelunk export` and reading the
// model take; other files to their first rows.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { command, folder, launch, number, ready, role, samples, serve, serveLocally, visit } from "./harness.mjs";

const ROUNDS = 5;
const at = process.argv.indexOf("--");
const levels = process.argv.slice(2, at < 0 ? undefined : at);
const others = at < 0 ? [] : process.argv.slice(at + 1);
const median = (times) => times.toSorted((a, b) => a - b)[times.length >> 1];
const browser = await launch();

/** Memory of a page in bytes: what its renderer holds. */
async function memory(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const { metrics } = await session.send("Performance.enable").then(() => session.send("Performance.getMetrics"));
  return metrics.find((it) => it.name === "JSHeapUsedSize").value;
}

/** Opens a file, and gives the milliseconds until something is there. */
async function opened(page, path, isLocal, selector) {
  const begun = await page.evaluate(() => performance.now());
  if (isLocal) await page.locator('[data-role="files"] .list button', { hasText: basename(path) }).first().click();
  else await page.locator('[data-role="files"] input[type="file"]').first().setInputFiles(path);
  await page.waitForSelector(selector, { timeout: 300_000 });
  return (await page.evaluate(() => performance.now())) - begun;
}

for (const path of levels) {
  const out = join(mkdtempSync(join(tmpdir(), "spelunk-")), "level.glb");
  const exports = Array.from({ length: ROUNDS }, () => {
    const begun = performance.now();
    execFileSync(command, ["export", path, "-o", out, "--force", "--quiet"], { stdio: "ignore" });
    return performance.now() - begun;
  });
  for (const transport of ["browser", "local"]) {
    const [first, next, parses] = [[], [], []];
    const visited = async (job) => {
      const server = transport === "local" ? await serveLocally(dirname(path)) : await serve(folder);
      const { page, close } = await visit(browser, server.url);
      await page.evaluate(() => {
        // What a hand does begins it, and the driver of the browser takes its time on either side of it.
        for (const what of ["click", "change"]) addEventListener(what, () => (window.begun = performance.now()), true);
      });
      await job(page);
      parses.push(await page.evaluate(() => performance.getEntriesByName("model read").at(-1).duration));
      await close();
      await server.close();
    };
    const choose = async (page) => {
      if (transport === "local") await page.locator('[data-role="files"] .list button', { hasText: basename(path) }).first().click();
      else await page.locator('[data-role="files"] input[type="file"]').first().setInputFiles(path);
    };
    const scene = (page) => page.locator("nav button", { hasText: "Scene" }).click();
    const drawn = async (page, count) => {
      await page.waitForFunction((count) => performance.getEntriesByName("drawn").length === count, count, { timeout: 60_000 });
      return page.evaluate(() => performance.getEntriesByName("drawn").at(-1).startTime - window.begun);
    };
    for (let round = 0; round < ROUNDS; round += 1) {
      // The first file of a page that was just loaded.
      await visited(async (page) => {
        const entries = await opened(page, path, transport === "local", '[data-role="entries"] .entry');
        await scene(page);
        first.push(entries + (await drawn(page, 1)));
      });
      // Another one where a scene is shown.
      await visited(async (page) => {
        await page.locator('[data-role="files"] input[type="file"]').first().setInputFiles(join(samples, "level.nmo"));
        await ready(page);
        await scene(page);
        await drawn(page, 1);
        await ready(page);
        await choose(page);
        next.push(await drawn(page, 2));
      });
    }
    const least = median(exports) + median(parses);
    const said = (times) => `${median(times).toFixed(0)} ms, ${(median(times) / least).toFixed(2)}`;
    console.log(
      `${basename(path)}, ${transport}: drawn after ${said(first)} where it is the first, ${said(next)} after another; export ${median(exports).toFixed(0)} ms + reading ${median(parses).toFixed(0)} ms`,
    );
  }
}
for (const path of others) {
  for (const transport of ["browser", "local"]) {
    const server = transport === "local" ? await serveLocally(path) : await serve(folder);
    const { page, close } = await visit(browser, transport === "local" ? server.url.replace(/&file=.*/, "") : server.url);
    const time = await opened(page, path, transport === "local", '[data-role="entries"] .entry');
    const rows = await number(role(page, "entries"), "rows");
    await page.waitForTimeout(1000);
    console.log(`${basename(path)} (${readFileSync(path).length} bytes), ${transport}: first of ${rows} rows after ${time.toFixed(0)} ms, ${((await memory(page)) / 1e6).toFixed(0)} MB of JavaScript`);
    await close();
    await server.close();
  }
}
await browser.close();
