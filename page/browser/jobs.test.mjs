// The jobs of the guides, in the fewest steps; each step is a click, a key, or a line that is typed.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { test } from "node:test";
import { command, entryOf, number, ready, role, rows, samples, serveLocally, shot, take, throughEach } from "./harness.mjs";

throughEach((at) => {
  const folder = mkdtempSync(join(tmpdir(), "spelunk-jobs-"));

  /** Does a job on files in a folder of their own, the first of them open, and holds how many steps it takes. */
  async function does(name, steps, files, job) {
    const server = at.transport === "local" ? await serveLocally(folder) : undefined;
    let count = 0;
    try {
      await at.look(
        `job-${name}`,
        async (page) => {
          if (server === undefined) await take(page, ...files);
          else await page.locator('[data-role="files"] .list button', { hasText: basename(files[0]) }).click();
          await ready(page);
          const step = async (work) => {
            count += 1;
            await work;
            await ready(page);
          };
          const view = (title) => page.locator("nav button", { hasText: title }).click();
          await job(page, step, view);
        },
        server?.url,
      );
    } finally {
      await server?.close();
    }
    assert.equal(count, steps);
  }

  /** A sample under another name in the folder. */
  function copy(sample, name = sample) {
    copyFileSync(join(samples, sample), join(folder, name));
    return join(folder, name);
  }

  /** What was saved by `Ctrl S`. */
  async function saved(page, step, path) {
    if (at.transport === "local") {
      await step(page.keyboard.press("Control+s"));
      return path;
    }
    const download = page.waitForEvent("download");
    await step(page.keyboard.press("Control+s"));
    const file = join(mkdtempSync(join(tmpdir(), "spelunk-")), basename(path));
    writeFileSync(file, readFileSync(await (await download).path()));
    return file;
  }

  const inspector = (page) => role(page, "inspector");
  const entry = (page, text) => page.locator('[data-role="entries"] .entry', { hasText: text }).first();

  test("a level is seen, recoloured, given another texture, and saved", async () => {
    const path = copy("level.nmo");
    const picture = join(folder, "picture.png");
    execFileSync(command, ["export", join(samples, "textures.snpak"), "textures/rgba8", "-o", picture, "--force"], { stdio: "ignore" });
    await does("level", 7, [path], async (page, step, view) => {
      await step(view("Scene"));
      await page.waitForSelector('[data-role="scene"]:not([data-triangles="0"])', { timeout: 60_000 });
      await step(entry(page, "CKMaterial").click());
      await step(inspector(page).locator("tr", { has: page.getByRole("rowheader", { name: "material.diffuse", exact: true }) }).locator("button.value").click());
      await step(inspector(page).locator('input[type="color"]').fill("#3060ff"));
      await step(inspector(page).locator(".references .link", { hasText: "Wood_Texture" }).first().click());
      await step(inspector(page).getByLabel("New content").setInputFiles(picture));
      await page.waitForSelector('[data-role="scene"]:not([data-triangles="0"])');
      await shot(page, `${at.transport}-job-level-scene`);
      const file = await saved(page, step, path);
      const field = rows("show", file, "CKMaterial/Wood")[0].fields.find((it) => it.path === "material.diffuse");
      assert.equal(field.value, "0xff3060ff");
      const again = join(folder, "again.png");
      execFileSync(command, ["export", file, "CKTexture/Wood_Texture", "-o", again, "--force"], { stdio: "ignore" });
      assert.deepEqual([readFileSync(again).readUInt32BE(16), readFileSync(again).readUInt32BE(20)], [readFileSync(picture).readUInt32BE(16), readFileSync(picture).readUInt32BE(20)]);
      assert.equal(rows("verify", file, "--roundtrip")[0].roundtrip.identical, true);
    });
  });

  test("the sender of a message is found", async () => {
    await does("message", 5, [copy("gameplay.nmo")], async (page, step, view) => {
      await page.keyboard.press("/");
      await step(page.keyboard.type("Lit"));
      await step(page.locator(".hits button", { hasText: "Call" }).first().click());
      await step(page.locator(".references .link", { hasText: "Message" }).first().click());
      await step(page.locator(".references .link", { hasText: "Send Message" }).first().click());
      await step(view("Scripts"));
      await page.waitForSelector('[data-role="script"]:not([data-nodes="0"])');
      assert.equal(entryOf(page), "#3");
      assert.match(await inspector(page).innerText(), /Send Message/);
    });
  });

  test("a price is changed, with what refers to the item in sight", async () => {
    const path = copy("GameData.cff");
    await does("price", 5, [path], async (page, step, view) => {
      await step(view("Table"));
      await step(page.locator('[data-role="table"] select').first().selectOption("2003"));
      const head = await page.locator('[data-role="table"] .grid-head .cell').allInnerTexts();
      const cells = page.locator('[data-role="table"] .virtual .cells').first().locator(".cell");
      await step(cells.nth(head.findIndex((name) => name.startsWith("buy_value"))).dblclick());
      const item = entryOf(page);
      const expected = rows("refs", path, item).filter((row) => row.relation === "referred_by").length;
      assert.equal(await number(page.locator(".references"), "to"), expected);
      await step(page.keyboard.type("4321").then(() => page.keyboard.press("Enter")));
      const file = await saved(page, step, path);
      assert.equal(rows("show", file, item)[0].fields.find((it) => it.path === "buy_value").value, 4321);
    });
  });

  test("two levels are compared", async () => {
    const old = copy("level.nmo", "old.nmo");
    const now = join(folder, "new.nmo");
    execFileSync(command, ["set", old, "CK3dObject/Cube/entity.position=9,0,0", "CKMaterial/Wood/material.diffuse=#00ff00", "-o", now, "--force"], { stdio: "ignore" });
    await does("compare", 3, [now, old], async (page, step, view) => {
      await step(view("Differences"));
      const names = await page.getByLabel("Old file").locator("option").evaluateAll((options) => options.map((it) => it.value));
      await step(page.getByLabel("Old file").selectOption(names.find((name) => name.endsWith("old.nmo"))));
      await page.waitForSelector('[data-role="diff"]:not([data-rows="0"])');
      await shot(page, `${at.transport}-job-compare-rows`);
      await step(role(page, "diff").getByRole("button", { name: "Scene" }).first().click());
      await page.waitForSelector('[data-role="diff-scene"][data-drawn="true"]', { timeout: 60_000 });
      assert.equal(await number(role(page, "diff"), "rows"), 2);
    });
  });

  test("a broken file says where it is broken", async () => {
    const bytes = readFileSync(join(samples, "level.nmo"));
    bytes[8] ^= 0xff;
    const path = join(folder, "broken.nmo");
    writeFileSync(path, bytes);
    await does("broken", 2, [path], async (page, step, view) => {
      await step(view("Findings"));
      await shot(page, `${at.transport}-job-broken-findings`);
      await step(page.locator('[data-role="findings"] button.finding').first().click());
      assert.match(page.url(), /view=hex&at=/);
    });
  });
});
