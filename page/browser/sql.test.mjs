// SQL in a browser: variables as for `page.test.mjs`. With SPELUNK_VIEW_URL, the address that `spelunk view FOLDER` printed, statements are
// asked there, and the command is asked about the same files.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch, number, ready, role, serve, take } from "./harness.mjs";
import { entryOf, folder, look, print, rows, samples, shot } from "./looking.mjs";

const local = process.env.SPELUNK_VIEW_URL;

let server;
let browser;
before(async () => {
  server = await serve(folder);
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.close();
});

test("without the command, SQL says where it works", async () => {
  await look(browser, server.url, "sql-elsewhere", async (page) => {
    await take(page, join(samples, "level.nmo"));
    await page.locator("nav button", { hasText: "SQL" }).click();
    await page.locator(".sql-line code", { hasText: "spelunk view level.nmo" }).waitFor();
    assert.equal(await number(role(page, "sql"), "rows"), 0);
  });
});

test("SQL gives the rows of the command", { skip: local === undefined }, async () => {
  await look(browser, local, "sql", async (page) => {
    await page.waitForSelector('[data-role="files"] .list button');
    const names = await page.evaluate(() => [...document.querySelectorAll('[data-role="files"] .name')].map((it) => it.textContent));
    await page.locator('[data-role="files"] .list button').first().click();
    await ready(page);
    await page.locator("nav button", { hasText: "SQL" }).click();
    await ready(page);
    const area = page.getByLabel("Statement", { exact: true });
    const sql = role(page, "sql");
    const ask = async (text) => {
      await area.fill(text);
      await area.press("Control+Enter");
      await ready(page);
    };
    const file = decodeURIComponent(/file=([^&]*)/.exec(page.url())[1]);
    assert.equal(await number(page.locator(".sql-tables"), "rows"), rows("query", file, "--tables").length);
    const csv = async () => {
      const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save CSV" }).click()]);
      return readFileSync(await download.path(), "utf8");
    };

    const entries = "SELECT path, name, kind, size, file FROM entries ORDER BY size DESC, path";
    await ask(entries);
    assert.equal(await number(sql, "rows"), rows("query", file, entries).length);
    assert.equal(await csv(), print("query", file, entries, "--csv").toString());
    await shot(page, "sql-rows");

    await area.fill("SELECT name, nosuch\nFROM entries");
    await area.press("Control+Enter");
    await ready(page);
    assert.match(await page.locator("#sql-error").innerText(), /^Line 1, column 14: .*nosuch/);
    assert.equal(await area.evaluate((it) => it.selectionStart), 13);
    await shot(page, "sql-error");

    await area.press("Alt+ArrowUp");
    await area.press("Alt+ArrowUp");
    assert.equal(await area.inputValue(), entries);
    assert.equal(await number(sql, "rows"), 0);
    await area.press("Control+Enter");
    await ready(page);

    await page.locator(".grid .virtual .link").first().click();
    await ready(page);
    assert.equal(entryOf(page), rows("query", file, entries)[0].path);
    await page.locator(".grid .virtual").focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await ready(page);
    assert.equal(entryOf(page), rows("query", file, entries)[1].path);

    // All files at once, as bars.
    await page.locator('[data-role="sql"]').getByLabel("all files").check();
    const counts = "SELECT f.format, count(*) AS entries FROM entries e JOIN files f ON f.file = e.file GROUP BY 1 ORDER BY 2 DESC";
    await ask(counts);
    const expected = rows("query", ...names, counts);
    assert.equal(await number(sql, "rows"), expected.length);
    assert.equal(await csv(), print("query", ...names, counts, "--csv").toString());
    await page.getByRole("button", { name: "Chart" }).click();
    assert.equal(await page.locator(".chart rect").count(), expected.length);
    await shot(page, "sql-chart");
    await page.getByRole("button", { name: "Chart" }).click();

    // Thousands of rows, of which those in sight alone are there.
    const many = "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 50000) SELECT i, i * i AS square, 'row ' || i AS name FROM n";
    await ask(many);
    assert.equal(await number(sql, "rows"), 50000);
    await page.locator(".grid .virtual").focus();
    const begun = Date.now();
    await page.keyboard.press("End");
    await page.locator(".grid .cells.chosen", { hasText: "row 50000" }).waitFor();
    assert.ok(Date.now() - begun < 1000);
    assert.ok((await page.locator(".grid .virtual .cells").count()) < 100);
    await page.getByLabel("Rows at the most").selectOption("1000");
    await ask(many);
    assert.equal(await number(sql, "rows"), 1000);
    assert.match(await role(page, "sql-count").innerText(), /perhaps more/);
  });
});
