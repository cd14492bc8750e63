// How smoothly lists scroll: `SPELUNK_PAGE=FOLDER node browser/scrolling.mjs FILE`, best with a file of very many entries. It scrolls the
// entries and the bytes for some seconds each, and prints what a trace of the browser says about frames and long tasks.
import { launch, number, ready, role, serve, visit } from "./harness.mjs";

const SECONDS = 6;
const [file] = process.argv.slice(2);
if (file === undefined || process.env.SPELUNK_PAGE === undefined) throw new Error("SPELUNK_PAGE=FOLDER node browser/scrolling.mjs FILE");

/** Records what happens while something runs. */
async function traced(page, job) {
  const session = await page.context().newCDPSession(page);
  const events = [];
  session.on("Tracing.dataCollected", ({ value }) => events.push(...value));
  await session.send("Tracing.start", { traceConfig: { includedCategories: ["devtools.timeline", "disabled-by-default-devtools.timeline", "disabled-by-default-devtools.timeline.frame", "__metadata"] } });
  await job();
  const complete = new Promise((resolve) => session.once("Tracing.tracingComplete", resolve));
  await session.send("Tracing.end");
  await complete;
  await session.detach();
  return events;
}

/** Scrolls by as much as a hand does, and by jumps; gives the time between frames in milliseconds. */
const scroll = (page, selector, pixels) =>
  page.locator(selector).evaluate(
    (element, { pixels, seconds }) =>
      new Promise((resolve) => {
        const [begin, times] = [performance.now(), []];
        let before = begin;
        const step = (now) => {
          times.push(now - before);
          before = now;
          element.scrollTop += pixels;
          if (element.scrollTop + element.clientHeight >= element.scrollHeight - 1) element.scrollTop = 0;
          if (now - begin < seconds * 1000) requestAnimationFrame(step);
          else resolve(times.slice(1));
        };
        requestAnimationFrame(step);
      }),
    { pixels, seconds: SECONDS },
  );

const server = await serve(process.env.SPELUNK_PAGE);
const browser = await launch();
const { page } = await visit(browser, server.url);
await page.locator('input[type="file"]').first().setInputFiles(file);
await page.waitForSelector('[data-role="entries"]:not([data-rows="0"])', { timeout: 300_000 });
await page.waitForTimeout(5000);
await ready(page);
console.log(`${await number(role(page, "entries"), "rows")} entries, ${await number(role(page, "hex"), "length")} bytes`);
for (const [name, selector] of [["entries", '[data-role="entries"] .virtual'], ["bytes", ".hex"]]) {
  for (const pixels of [60, 3000]) {
    let times = [];
    const events = await traced(page, async () => {
      times = await scroll(page, selector, pixels);
    });
    const drawn = events.filter((it) => it.name === "DrawFrame").length;
    // What the page itself took of a processor, which says the same on a machine that has much else to do.
    const main = new Set(events.filter((it) => it.name === "thread_name" && it.args.name === "CrRendererMain").map((it) => `${it.pid} ${it.tid}`));
    const tasks = events.filter((it) => it.name === "RunTask" && main.has(`${it.pid} ${it.tid}`));
    const taken = tasks.reduce((sum, it) => sum + (it.tdur ?? 0), 0) / 1000 / times.length;
    const long = tasks.filter((it) => it.tdur > 50_000).length;
    const most = Math.max(...times);
    const sorted = times.toSorted((a, b) => a - b);
    const average = times.reduce((sum, it) => sum + it, 0) / times.length;
    console.log(
      `${name}, ${pixels} pixels a frame: ${(1000 / average).toFixed(1)} frames a second (${drawn} drawn in ${SECONDS} s), 95 of 100 within ${sorted[Math.floor(sorted.length * 0.95)].toFixed(1)} ms, the longest ${most.toFixed(1)} ms; ${taken.toFixed(1)} ms of the processor a frame, ${long} tasks above 50 ms`,
    );
  }
}
await browser.close();
await server.close();
