// Servers of the page, as files that any server can have and as the command has it, and a browser that looks at it.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { createReadStream, existsSync, mkdtempSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";
import { createInterface } from "node:readline";
import { after, before, describe } from "node:test";
import { chromium } from "playwright-core";

const need = (name) => process.env[name] ?? assert.fail(`${name} is not set`);
export const [folder, samples, command] = ["SPELUNK_PAGE", "SPELUNK_SAMPLES", "SPELUNK_COMMAND"].map(need);
export const corpus = process.env.SPELUNK_CORPUS;
const shots = process.env.SPELUNK_SHOTS;

/** What the command prints. */
export const print = (...args) => execFileSync(command, args, { maxBuffer: 1 << 30, stdio: ["ignore", "pipe", "ignore"] });

/** Its rows. */
export function rows(...args) {
  const text = print(...args, "--json").toString().trimEnd();
  return text === "" ? [] : text.split("\n").map((line) => JSON.parse(line));
}

/** Takes a picture, where pictures are wanted. */
export const shot = (page, name) => shots && page.screenshot({ path: join(shots, `${name}.png`) });

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Holds that nothing serious stands in the way of people with other ways to read what the page shows. */
export async function isReadable(page, what) {
  // Through the protocol, which no policy of the page stands against.
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run());
  const serious = violations.filter((it) => ["serious", "critical"].includes(it.impact));
  assert.deepEqual(serious.map((it) => `${it.id}: ${it.nodes.map((node) => node.html).slice(0, 3).join(" ")}`), [], what);
}

/** Goes to an address within the file that is shown. */
export async function goTo(page, rest) {
  await page.evaluate((fragment) => (location.hash = fragment), `#file=${shown(page)}&${rest}`);
  await ready(page);
}

/** The entry of the page's address. */
export const entryOf = (page) => decodeURIComponent(/entry=([^&]*)/.exec(page.url())[1]);

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".wasm": "application/wasm" };

/** Serves a folder as any server of static files does, with the policy that the page is to work under. */
export async function serve(folder) {
  const server = createServer((request, response) => {
    const name = normalize(decodeURIComponent(new URL(request.url, "http://page").pathname)).replace(/\/$/, "/index.html");
    const path = join(folder, name);
    if (!existsSync(path)) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, {
      "Content-Type": TYPES[extname(path)] ?? "application/octet-stream",
      "Content-Security-Policy":
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' blob: data:; connect-src 'self' blob:; worker-src 'self'; media-src blob:; base-uri 'none'; form-action 'none'",
    });
    createReadStream(path).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => new Promise((resolve) => server.close(resolve)) };
}

/** The command as it serves the page over a file or a folder; over an empty one, where none is named. */
export async function serveLocally(subject = mkdtempSync(join(tmpdir(), "spelunk-view-")), options = []) {
  const view = spawn(command, ["view", subject, "--no-open", ...options], { stdio: ["ignore", "pipe", "inherit"] });
  const lines = createInterface({ input: view.stdout });
  const url = await new Promise((resolve, reject) => {
    lines.once("line", resolve);
    view.once("exit", (code) => reject(new Error(`the command ended with ${code}`)));
  });
  const ended = new Promise((resolve) => view.once("exit", resolve));
  return {
    url,
    subject,
    close: () => {
      view.kill("SIGINT");
      return ended;
    },
  };
}

/** Debian's browser, drawing 3D without a graphics card. */
export const launch = () =>
  chromium.launch({
    executablePath: process.env.SPELUNK_CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--use-angle=swiftshader",
      "--enable-unsafe-swiftshader",
      "--ignore-gpu-blocklist",
      "--no-sandbox",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--disable-quic",
      "--no-first-run",
    ],
  });

/** The page, and all that it asked for, printed, and failed at. */
export async function visit(browser, url, device = { viewport: { width: 1280, height: 720 } }) {
  const context = await browser.newContext(device);
  const page = await context.newPage();
  const seen = { errors: [], origins: new Set() };
  page.on("pageerror", (error) => seen.errors.push(String(error)));
  page.on("console", (message) => message.type() === "error" && seen.errors.push(message.text()));
  page.on("request", (request) => /^https?:/.test(request.url()) && seen.origins.add(new URL(request.url()).origin));
  await page.goto(url);
  await ready(page);
  return { page, seen, close: () => context.close() };
}

/** Where the verbs run: in the browser, or in the command. */
const TRANSPORTS = { browser: () => serve(folder), local: () => serveLocally() };

/** Defines tests that are made through each transport. `look` visits the page, and holds that it asked nobody else and failed at nothing. */
export function throughEach(define) {
  for (const [transport, begin] of Object.entries(TRANSPORTS)) {
    describe(transport, () => {
      let browser;
      before(async () => {
        browser = await launch();
      });
      after(() => browser?.close());
      const look = async (name, job, url, device) => {
        // A server of its own: what is handed in stays there.
        const server = url === undefined ? await begin() : undefined;
        const { page, seen, close } = await visit(browser, url ?? server.url, device);
        try {
          await job(page, seen);
          await shot(page, `${transport}-${name}`);
        } catch (error) {
          await shot(page, `${transport}-${name}-failed`);
          throw new Error(`${error.message}\n${seen.errors.join("\n")}`, { cause: error });
        } finally {
          await close();
          await server?.close();
        }
        assert.deepEqual([...seen.origins], [new URL(url ?? server.url).origin]);
        assert.deepEqual(seen.errors, []);
      };
      define({ transport, look });
    });
  }
}

/** Waits until the page has nothing left to do. */
export async function ready(page) {
  // What a key or a click began has to have begun.
  await page.waitForTimeout(300);
  // Between a step and the one that follows from it the page is not busy, for a moment. Looks are counted and not their time: each waits for
  // its turn behind what the page has to do, however slow the machine is.
  await page.evaluate(() => (window.quietLooks = 0));
  await page.waitForFunction(
    () => {
      window.quietLooks = document.documentElement.dataset.state === "busy" ? 0 : window.quietLooks + 1;
      return window.quietLooks > 12;
    },
    undefined,
    { timeout: 120_000, polling: 25 },
  );
}

/** Takes a file in, as the button does. */
export async function take(page, ...paths) {
  const files = paths.map((path) => ({ name: path.replace(/.*\//, ""), mimeType: "application/octet-stream", buffer: readFileSync(path) }));
  await page.locator('[data-role="files"] input[type="file"]').first().setInputFiles(files);
  await ready(page);
}

/** What the page calls the file that it shows. */
export const shown = (page) => decodeURIComponent(/[#&]file=([^&]*)/.exec(page.url())?.[1] ?? "");

export const role = (page, name) => page.locator(`[data-role="${name}"]`);
export const number = async (locator, name) => Number(await locator.getAttribute(`data-${name}`));
