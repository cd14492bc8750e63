// A server for the page as it is shipped, and a browser that looks at it.
import { createReadStream, existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { chromium } from "playwright-core";

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
export async function visit(browser, url) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
  const page = await context.newPage();
  const seen = { errors: [], origins: new Set() };
  page.on("pageerror", (error) => seen.errors.push(String(error)));
  page.on("console", (message) => message.type() === "error" && seen.errors.push(message.text()));
  page.on("request", (request) => /^https?:/.test(request.url()) && seen.origins.add(new URL(request.url()).origin));
  await page.goto(url);
  await ready(page);
  return { page, seen, close: () => context.close() };
}

/** Waits until the page has nothing left to do. */
export async function ready(page) {
  // What a key or a click began has to have begun.
  await page.waitForTimeout(300);
  // Between a step and the one that follows from it the page is not busy, for a moment.
  await page.waitForFunction(
    () => {
      const now = performance.now();
      if (document.documentElement.dataset.state === "busy") window.busyUntil = now;
      return now - (window.busyUntil ??= now) > 150;
    },
    undefined,
    { timeout: 60_000, polling: 25 },
  );
}

/** Takes a file in, as the button does. */
export async function take(page, ...paths) {
  const files = paths.map((path) => ({ name: path.replace(/.*\//, ""), mimeType: "application/octet-stream", buffer: readFileSync(path) }));
  await page.locator('input[type="file"]').first().setInputFiles(files);
  await ready(page);
}

export const role = (page, name) => page.locator(`[data-role="${name}"]`);
export const number = async (locator, name) => Number(await locator.getAttribute(`data-${name}`));
