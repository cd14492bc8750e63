// SQL: in the command, and where it is not.
import assert from "node:assert/strict";
import { copyFileSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { test } from "node:test";
import { entryOf, isReadable, number, print, ready, role, rows, samples, serveLocally, shot, take, throughEach } from "./harness.mjs";

throughEach((at) => {
  /** Visits the page, and holds that everybody can read what it shows at the end. */
  const look = (name, job, url) =>
    at.look(
      name,
      async (page) => {
        await job(page);
        await isReadable(page, name);
      },
      url,
    );

  test("without the command, SQL says where it works", { skip: at.transport !== "browser" }, async () => {
    await look("sql-elsewhere", async (page) => {
      await take(page, join(samples, "level.nmo"));
      await page.locator("nav button", { hasText: "SQL" }).click();
      await page.locator(".sql-line code", { hasText: "spelunk view level.nmo" }).waitFor();
      assert.equal(await number(role(page, "sql"), "rows"), 0);
    });
  });

  /** Visits the page over a folder of a few samples. */
  async function overFolder(job) {
    const folder = mkdtempSync(join(tmpdir(), "spelunk-sql-"));
    const names = ["GameData.cff", "forest.snpak", "level.nmo"].map((name) => join(folder, name));
    for (const name of names) copyFileSync(join(samples, basename(name)), name);
    const server = await serveLocally(folder);
    try {
      await look("sql", (page) => job(page, names), server.url);
    } finally {
      await server.close();
    }
  }

  test("SQL gives the rows of the command", { skip: at.transport !== "local" }, async () => {
    await overFolder(async (page, names) => {
      await page.waitForSelector('[data-role="files"] .list button');
      assert.equal(await number(role(page, "files"), "rows"), names.length);
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
});
