// Changes: made, taken back, saved, and judged by the command.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { command, number, ready, role, rows, samples, serveLocally, take, throughEach } from "./harness.mjs";

const changes = (page) => page.locator(".changes");
const button = (page, name) => changes(page).getByRole("button", { name, exact: true });

/** Chooses an entry by the text that it has in the list. */
async function choose(page, text) {
  await page.locator('[data-role="entries"] .entry', { hasText: text }).first().click();
  await ready(page);
}

/** The row of a field, its editor open. */
async function edit(page, path) {
  const row = page.locator('[data-role="inspector"] tr', { has: page.getByRole("rowheader", { name: path, exact: true }) });
  await row.locator("button.value").click();
  return row;
}

/** The file as it is saved: the bytes that the browser hands out, or those on the disk. */
async function saved(page, at, path) {
  if (at.transport === "local") {
    await button(page, "Save").click();
    await ready(page);
    return readFileSync(path);
  }
  const [download] = await Promise.all([page.waitForEvent("download"), button(page, "Save and download").click()]);
  await ready(page);
  return readFileSync(await download.path());
}

throughEach((at) => {
  /** Opens a copy of a sample: dropped in the browser, in its folder by the command. */
  async function withCopy(name, sample, job) {
    const folder = mkdtempSync(join(tmpdir(), "spelunk-edit-"));
    const path = join(folder, sample);
    copyFileSync(join(samples, sample), path);
    const server = at.transport === "local" ? await serveLocally(path) : undefined;
    try {
      await at.look(
        name,
        async (page) => {
          if (server === undefined) await take(page, path);
          await ready(page);
          await job(page, path);
        },
        server?.url,
      );
    } finally {
      await server?.close();
    }
  }

  test("a file is closed, after a question where its changes would be lost", async () => {
    await withCopy("close", "level.nmo", async (page) => {
      await choose(page, "CKMaterial");
      const row = await edit(page, "material.diffuse");
      await row.locator('input[type="color"]').fill("#ff0000");
      await ready(page);
      const close = page.locator('[data-role="files"] .close');
      const asked = [];
      const answer = (isAgreed) => page.once("dialog", (dialog) => (asked.push(dialog.message()), isAgreed ? dialog.accept() : dialog.dismiss()));
      answer(false);
      await close.click();
      await ready(page);
      assert.equal(await number(changes(page), "changes"), 1);
      answer(true);
      await close.click();
      await ready(page);
      assert.equal(asked.length, 2);
      assert.match(asked[0], /lose its changes/);
      assert.equal(await close.count(), 0);
      assert.equal(await page.locator(".welcome").count(), 1);
    });
  });

  test("a colour is changed, taken back to the first byte, made again and saved", async () => {
    await withCopy("edit-colour", "level.nmo", async (page, path) => {
      const before = readFileSync(path);
      await choose(page, "CKMaterial");
      const row = await edit(page, "material.diffuse");
      await row.locator('input[type="color"]').fill("#ff0000");
      await ready(page);
      assert.equal(await number(changes(page), "changes"), 1);
      assert.match(await row.innerText(), /0xffff0000/);
      await button(page, "Patch").click();
      await ready(page);
      assert.match(await changes(page).locator("pre").innerText(), /"old": "0xffffffff", "new": "0xffff0000"/);
      await page.keyboard.press("Control+z");
      await ready(page);
      assert.match(await row.innerText(), /0xffffffff/);
      assert.equal(await changes(page).getAttribute("data-unsaved"), "false");
      await page.keyboard.press("Control+Shift+z");
      await ready(page);
      assert.match(await row.innerText(), /0xffff0000/);
      const bytes = await saved(page, at, path);
      assert.match(await changes(page).getByRole("status").innerText(), /saved: read again it is what is open/);
      const out = join(mkdtempSync(join(tmpdir(), "spelunk-")), "saved.nmo");
      const expected = join(mkdtempSync(join(tmpdir(), "spelunk-")), "expected.nmo");
      writeFileSync(out, bytes);
      assert.equal(rows("verify", out, "--roundtrip")[0].roundtrip.identical, true);
      execFileSync(command, ["set", join(samples, "level.nmo"), "CKMaterial/Wood/material.diffuse=#ff0000", "-o", expected], { stdio: "ignore" });
      assert.deepEqual(rows("show", out, "CKMaterial/Wood")[0].fields, rows("show", expected, "CKMaterial/Wood")[0].fields);
      if (at.transport === "local") {
        assert.deepEqual(readFileSync(`${path}.bak`), before);
        // Back again, and saved: the first byte and the last one.
        await page.keyboard.press("Control+z");
        await ready(page);
        assert.deepEqual(await saved(page, at, path), before);
      }
    });
  });

  test("flags have boxes, choices their names, and references those of entries", async () => {
    await withCopy("edit-flags", "level.nmo", async (page) => {
      await choose(page, "CKMaterial");
      const flags = await edit(page, "material.flags");
      const sides = flags.getByRole("checkbox", { name: "material.flags two sided" });
      assert.equal(await sides.isChecked(), true);
      // A click alone: the box is gone as soon as the value is taken, so that its state cannot be asked for behind it.
      await sides.click();
      await ready(page);
      const modes = await edit(page, "material.modes");
      await modes.getByRole("combobox", { name: "material.modes fill" }).selectOption("wireframe");
      await ready(page);
      const texture = await edit(page, "material.texture");
      await texture.getByRole("combobox").fill("none");
      await texture.getByRole("combobox").press("Enter");
      await ready(page);
      const inspector = await role(page, "inspector").innerText();
      assert.match(inspector, /fill: wireframe/);
      assert.doesNotMatch(inspector, /two sided/);
      assert.doesNotMatch(inspector, /CKTexture\/Wood_Texture/);
      assert.equal(await number(changes(page), "changes"), 3);
      for (let nth = 0; nth < 3; nth += 1) await page.keyboard.press("Control+z");
      await ready(page);
      assert.match(await role(page, "inspector").innerText(), /CKTexture\/Wood_Texture/);
      assert.equal(await changes(page).getAttribute("data-unsaved"), "false");
    });
  });

  test("a value that does not fit is refused with what would fit, and nothing is changed", async () => {
    await withCopy("edit-refused", "level.nmo", async (page) => {
      await choose(page, "CKMaterial");
      const row = await edit(page, "material.specular_power");
      await row.getByRole("textbox").fill("much");
      await row.getByRole("textbox").press("Enter");
      await ready(page);
      assert.match(await page.locator(".failure").innerText(), /expected a number, found .*much/);
      assert.equal(await number(changes(page), "changes"), 0);
    });
  });

  test("entries are renamed, removed and given the content of a picture", async () => {
    await withCopy("edit-entries", "level.nmo", async (page, path) => {
      const inspector = role(page, "inspector");
      await choose(page, "CKTexture");
      await inspector.getByRole("button", { name: "Rename" }).first().click();
      await inspector.getByLabel("New name").fill("Holz");
      await inspector.getByLabel("New name").press("Enter");
      await ready(page);
      assert.match(await role(page, "entries").innerText(), /Holz/);
      // A picture of 4 by 2 pixels, as the command exports one.
      const picture = join(mkdtempSync(join(tmpdir(), "spelunk-")), "picture.png");
      execFileSync(command, ["export", join(samples, "textures.snpak"), "textures/rgba8", "-o", picture], { stdio: "ignore" });
      const size = (png) => [png.readUInt32BE(16), png.readUInt32BE(20)];
      await inspector.getByLabel("New content").setInputFiles(picture);
      await ready(page);
      await page.locator("nav button", { hasText: "Texture" }).click();
      await page.waitForSelector('[data-role="texture"]:not([data-width="0"])');
      assert.deepEqual([await number(role(page, "texture"), "width"), await number(role(page, "texture"), "height")], size(readFileSync(picture)));
      await choose(page, "CKGroup");
      await inspector.getByRole("button", { name: "Remove" }).first().click();
      await ready(page);
      await inspector.getByRole("button", { name: "Remove it" }).click();
      await ready(page);
      const left = rows("ls", join(samples, "level.nmo")).length - 1;
      await page.waitForSelector(`[data-role="entries"][data-rows="${left}"]`);
      const out = join(mkdtempSync(join(tmpdir(), "spelunk-")), "saved.nmo");
      writeFileSync(out, await saved(page, at, path));
      assert.deepEqual(rows("ls", out).map((row) => row.name).filter((name) => name === "Holz"), ["Holz"]);
      assert.equal(rows("verify", out, "--roundtrip")[0].ok, true);
    });
  });

  test("a price is changed in a table of rows", async () => {
    await withCopy("edit-price", "GameData.cff", async (page, path) => {
      await page.locator("nav button", { hasText: "Table" }).click();
      await ready(page);
      await page.locator('[data-role="table"] select').first().selectOption("2003");
      await ready(page);
      const head = await page.locator('[data-role="table"] .grid-head .cell').allInnerTexts();
      const cells = page.locator('[data-role="table"] .virtual .cells').first().locator(".cell");
      await cells.nth(head.findIndex((name) => name.startsWith("buy_value"))).dblclick();
      await ready(page);
      const entry = decodeURIComponent(/entry=([^&]*)/.exec(page.url())[1]);
      const row = page.locator('[data-role="inspector"] tr', { has: page.getByRole("rowheader", { name: "buy_value", exact: true }) });
      await row.getByRole("textbox").fill("777");
      await row.getByRole("textbox").press("Enter");
      await ready(page);
      const out = join(mkdtempSync(join(tmpdir(), "spelunk-")), "saved.cff");
      writeFileSync(out, await saved(page, at, path));
      const field = rows("show", out, entry)[0].fields.find((it) => it.path === "buy_value");
      assert.equal(field.value, 777);
    });
  });

  if (at.transport === "local") {
    test("read-only, a changed file is downloaded and the old one stays", async () => {
      const path = join(mkdtempSync(join(tmpdir(), "spelunk-edit-")), "level.nmo");
      copyFileSync(join(samples, "level.nmo"), path);
      const server = await serveLocally(path, ["--read-only"]);
      try {
        await at.look(
          "read-only",
          async (page) => {
            await choose(page, "CKMaterial");
            const row = await edit(page, "material.specular_power");
            await row.getByRole("textbox").fill("3");
            await row.getByRole("textbox").press("Enter");
            await ready(page);
            const [download] = await Promise.all([page.waitForEvent("download"), button(page, "Save and download").click()]);
            await ready(page);
            const field = rows("show", await download.path(), "CKMaterial/Wood")[0].fields.find((it) => it.path === "material.specular_power");
            assert.equal(field.value, 3);
            assert.deepEqual(readFileSync(path), readFileSync(join(samples, "level.nmo")));
            assert.equal(await number(role(page, "files"), "rows"), 1);
          },
          server.url,
        );
      } finally {
        await server.close();
      }
    });

    test("a file that another program writes to is noticed", async () => {
      await withCopy("outdated", "level.nmo", async (page, path) => {
        assert.equal(await number(role(page, "entries"), "rows"), rows("ls", join(samples, "level.nmo")).length);
        copyFileSync(join(samples, "gameplay.nmo"), path);
        await page.waitForSelector(".outdated", { timeout: 20_000 });
        await page.getByRole("button", { name: "Read again" }).click();
        await ready(page);
        assert.equal(await number(role(page, "entries"), "rows"), rows("ls", join(samples, "gameplay.nmo")).length);
      });
    });

    test("a copy is saved beside the file, and over another one only when that is said", async () => {
      await withCopy("save-as", "level.nmo", async (page, path) => {
        const other = path.replace("level.nmo", "other.nmo");
        copyFileSync(join(samples, "gameplay.nmo"), other);
        const saveAs = async (name, answer) => {
          const onDialog = (dialog) => (answer ? dialog.accept() : dialog.dismiss());
          page.on("dialog", onDialog);
          await button(page, "Save as…").click();
          await page.getByLabel("Name of the new file").fill(name);
          await page.getByLabel("Name of the new file").press("Enter");
          await ready(page);
          page.off("dialog", onDialog);
        };
        await saveAs(path.replace("level.nmo", "new.nmo"), false);
        assert.deepEqual(readFileSync(path.replace("level.nmo", "new.nmo")), readFileSync(path));
        await saveAs(other, false);
        assert.deepEqual(readFileSync(other), readFileSync(join(samples, "gameplay.nmo")));
        await page.locator(".failure button").click();
        await saveAs(other, true);
        assert.deepEqual(readFileSync(other), readFileSync(path));
        assert.ok(existsSync(`${other}.bak`));
        await saveAs(join(tmpdir(), "spelunk-outside.nmo"), true);
        assert.match(await page.locator(".failure").innerText(), /expected a file in/);
        assert.ok(!existsSync(join(tmpdir(), "spelunk-outside.nmo")));
      });
    });
  }
});
