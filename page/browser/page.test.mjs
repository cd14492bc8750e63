// Every pane, through both transports: `node --test browser/`, with SPELUNK_PAGE for the folder of the page, SPELUNK_SAMPLES for the samples,
// SPELUNK_COMMAND for the command, and SPELUNK_CORPUS for real files, where there are any.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { command, corpus, isReadable, number, ready, role, rows, samples, shown, take, throughEach } from "./harness.mjs";

throughEach((at) => {
  const { look } = at;

  test("every sample opens, with all of its entries and no error", async () => {
    for (const name of ["level.nmo", "forest.snpak", "GameData.cff", "liannon.map", "sf22.pak", "pakdata.dat"]) {
      await look(`sample-${name}`, async (page) => {
        await take(page, join(samples, name));
        assert.equal(await page.locator("html").getAttribute("data-state"), "ready", await page.locator(".failure").allInnerTexts());
        assert.equal(await number(role(page, "entries"), "rows"), rows("ls", join(samples, name)).length, name);
        assert.ok((await number(role(page, "inspector"), "rows")) > 2, name);
        assert.equal(await number(role(page, "hex"), "length"), readFileSync(join(samples, name)).length, name);
      });
    }
  });

  test("an entry shows its fields, and references lead on", async () => {
    await look("entry", async (page) => {
      await take(page, join(samples, "level.nmo"));
      await page.locator('[data-role="entries"] .entry', { hasText: "Cube" }).first().click();
      await ready(page);
      const path = decodeURIComponent(/entry=([^&]*)/.exec(page.url())[1]);
      const [shown] = rows("show", join(samples, "level.nmo"), path);
      assert.equal(await number(role(page, "inspector"), "rows"), shown.fields.length);
      const link = page.locator(".references .link").first();
      await link.click();
      await ready(page);
      assert.notEqual(decodeURIComponent(/entry=([^&]*)/.exec(page.url())[1]), path);
      await page.goBack();
      await ready(page);
      assert.equal(decodeURIComponent(/entry=([^&]*)/.exec(page.url())[1]), path);
    });
  });

  test("bytes and fields mark each other, in inflated spaces too", async () => {
    await look("hex", async (page) => {
      await take(page, join(samples, "level.nmo"));
      await page.locator('[data-role="entries"] .entry', { hasText: "Cube" }).first().click();
      await ready(page);
      await page.locator('[data-role="inspector"] .place', { hasText: "header1:" }).first().click();
      await ready(page);
      assert.equal(await role(page, "hex").getAttribute("data-space"), "header1");
      const [explained] = rows("explain", join(samples, "level.nmo"), /at=([^&]*)/.exec(page.url())[1]);
      assert.match(await role(page, "byte").innerText(), new RegExp(explained.path.replace(/[[\].]/g, "\\$&")));
      assert.ok((await page.locator('[data-role="inspector"] tr.marked').count()) > 0);
    });
  });

  test("an address opens what it names once the file is there again", async () => {
    await look("address", async (page) => {
      await take(page, join(samples, "level.nmo"));
      await page.evaluate((file) => (location.hash = `#file=${file}&entry=CKMesh/Cube_Mesh&view=hex&at=header1:16`), shown(page));
      await ready(page);
      await page.reload();
      if (at.transport === "browser") await take(page, join(samples, "level.nmo"));
      await ready(page);
      assert.equal(await role(page, "hex").getAttribute("data-space"), "header1");
      assert.match(await role(page, "inspector").locator("h2").innerText(), /Cube_Mesh/);
    });
  });

  test("another file of a name takes the place of the first", async () => {
    await look("replaced", async (page) => {
      await take(page, join(samples, "level.nmo"));
      const buffer = readFileSync(join(samples, "gameplay.nmo"));
      await page.locator('[data-role="files"] input[type="file"]').first().setInputFiles([{ name: "level.nmo", mimeType: "application/octet-stream", buffer }]);
      await ready(page);
      assert.equal(await number(role(page, "hex"), "length"), buffer.length);
      assert.equal(await number(role(page, "entries"), "rows"), rows("ls", join(samples, "gameplay.nmo")).length);
    });
  });

  test("search finds as one types", async () => {
    await look("search", async (page) => {
      await take(page, join(samples, "level.nmo"));
      await page.keyboard.press("/");
      await page.keyboard.type("Cube");
      await ready(page);
      assert.equal(await number(role(page, "search"), "rows"), rows("find", "Cube", join(samples, "level.nmo")).length);
      await page.locator(".hits button").first().click();
      await ready(page);
      assert.match(page.url(), /entry=/);
    });
  });

  test("a damaged file shows its findings, which lead to their places", async () => {
    await look("damaged", async (page) => {
      const bytes = readFileSync(join(samples, "level.nmo"));
      bytes[8] ^= 0xff;
      await page.locator('[data-role="files"] input[type="file"]').first().setInputFiles([{ name: "bad.nmo", mimeType: "application/octet-stream", buffer: bytes }]);
      await ready(page);
      await page.locator("nav button", { hasText: "Findings" }).click();
      await ready(page);
      assert.ok((await number(role(page, "findings"), "rows")) > 0);
      await page.locator('[data-role="findings"] button.finding').first().click();
      await ready(page);
      assert.match(page.url(), /view=hex&at=/);
    });
  });

  test("a level is drawn, and an entity of it is chosen by pointing at it", async () => {
    await look("scene", async (page) => {
      await take(page, join(samples, "level.nmo"));
      await page.locator("nav button", { hasText: "Scene" }).click();
      await page.waitForSelector('[data-role="scene"][data-triangles]:not([data-triangles="0"])', { timeout: 60_000 });
      await ready(page);
      assert.ok((await number(role(page, "scene"), "objects")) > 0);
      const box = await page.locator(".stage canvas").boundingBox();
      const pixels = await page.locator(".stage canvas").evaluate((canvas) => {
        const copy = document.createElement("canvas");
        [copy.width, copy.height] = [canvas.width, canvas.height];
        const context = copy.getContext("2d");
        context.drawImage(canvas, 0, 0);
        const { data } = context.getImageData(0, 0, copy.width, copy.height);
        return new Set(Array.from({ length: data.length / 4 }, (_, nth) => (data[nth * 4] << 16) | (data[nth * 4 + 1] << 8) | data[nth * 4 + 2])).size;
      });
      assert.ok(pixels > 2, `${pixels} colours`);
      await page.mouse.dblclick(box.x + box.width / 2, box.y + box.height / 2);
      await ready(page);
    });
  });

  test("a texture has the pixels that are exported, and each says what it is", async () => {
    const file = join(samples, "textures.snpak");
    await look("texture", async (page) => {
      await take(page, file);
      const path = "textures/rgba8";
      const out = join(mkdtempSync(join(tmpdir(), "spelunk-")), "texture.png");
      execFileSync(command, ["export", file, path, "-o", out, "--to", "png"], { stdio: "ignore" });
      await page.evaluate(([file, path]) => (location.hash = `#file=${file}&view=texture&entry=${path}`), [shown(page), path]);
      await page.waitForSelector('[data-role="texture"]:not([data-width="0"])');
      await ready(page);
      // The header of a PNG file has the size, at 16.
      const png = readFileSync(out);
      const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
      assert.equal(await number(role(page, "texture"), "width"), width);
      assert.equal(await number(role(page, "texture"), "height"), height);
      const box = await page.locator(".picture canvas").boundingBox();
      await page.mouse.move(box.x + box.width / width / 2, box.y + box.height / height / 2);
      await ready(page);
      const first = await page.evaluate(async (base64) => {
        const bytes = Uint8Array.from(atob(base64), (it) => it.charCodeAt(0));
        const bitmap = await createImageBitmap(new Blob([bytes]), { premultiplyAlpha: "none", colorSpaceConversion: "none" });
        const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
        context.drawImage(bitmap, 0, 0);
        return [...context.getImageData(0, 0, 1, 1).data].join(" ");
      }, png.toString("base64"));
      assert.ok((await role(page, "pixel").innerText()).startsWith(`0, 0: ${first} `), `${await role(page, "pixel").innerText()} and ${first}`);
    });
  });

  test("a script is a graph, whose boxes and links are entries", async () => {
    await look("script", async (page) => {
      await take(page, join(samples, "gameplay.nmo"));
      await page.locator("nav button", { hasText: "Scripts" }).click();
      await page.waitForSelector('[data-role="script"]:not([data-nodes="0"])');
      // A script with an entry and two blocks; a link to the first one, and one between them.
      assert.equal(await number(role(page, "script"), "nodes"), 3);
      assert.equal(await number(role(page, "script"), "links"), 2);
      const wait = page.locator('[data-role="script"] .box', { hasText: "Wait" });
      assert.match(await wait.textContent(), /Duration: 2\.5/);
      await wait.click();
      await ready(page);
      assert.match(page.url(), /entry=%232(&|$)/);
      assert.match(await role(page, "inspector").locator("header").innerText(), /CKBehavior/);
    });
  });

  test("a category is a table, sorted as one wishes, and a row is an entry", async () => {
    const file = join(samples, "GameData.cff");
    await look("table", async (page) => {
      await take(page, file);
      await page.locator("nav button", { hasText: "Table" }).click();
      await ready(page);
      await page.locator('[data-role="table"] select').selectOption("2003");
      await ready(page);
      const all = rows("ls", file, "2003/*");
      assert.equal(await number(role(page, "table"), "rows"), all.length);
      await page.locator('[data-role="table"] .head button', { hasText: "buy_value" }).click();
      await ready(page);
      const sorted = rows("ls", file, "2003/*", "--sort", "buy_value");
      await page.locator('[data-role="table"] .virtual .cells').first().click();
      await ready(page);
      assert.equal(decodeURIComponent(/entry=([^&]*)/.exec(page.url())[1]), sorted[0].path);
    });
  });

  test("a map is drawn from above, layer by layer", async () => {
    await look("map", async (page) => {
      await take(page, join(samples, "arena.map"));
      await page.locator("nav button", { hasText: "Map" }).click();
      await page.waitForSelector('[data-role="map"]:not([data-width="0"])');
      const width = await number(role(page, "map"), "width");
      await page.locator('[data-role="map"] select').selectOption("heights");
      await ready(page);
      assert.equal(await number(role(page, "map"), "width"), width);
      assert.equal(await number(role(page, "map"), "height"), width);
    });
  });

  test("everything works with the keyboard alone", async () => {
    await look("keyboard", async (page) => {
      await take(page, join(samples, "level.nmo"));
      await page.locator('[data-role="entries"] .virtual').focus();
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("ArrowDown");
      await ready(page);
      assert.equal(rows("ls", join(samples, "level.nmo"))[1].path, decodeURIComponent(/entry=([^&]*)/.exec(page.url())[1]));
      await page.keyboard.press("Alt+6");
      await ready(page);
      assert.match(page.url(), /view=findings/);
      await page.keyboard.press("Alt+1");
      await page.locator(".hex").focus();
      await page.keyboard.press("ArrowRight");
      await ready(page);
      assert.match(page.url(), /at=file:1/);
    });
  });

  test("nothing serious stands in the way of people with other ways to read", async () => {
    await look("axe", async (page) => {
      await take(page, join(samples, "level.nmo"));
      for (const key of ["Alt+1", "Alt+3", "Alt+4", "Alt+5", "Alt+6", "Alt+7", "Alt+9"]) {
        await page.keyboard.press(key);
        await ready(page);
        await isReadable(page, key);
      }
    });
  });

  test("real files open, each with all of its entries", { skip: !process.env.CI && (corpus === undefined || !existsSync(corpus)) }, async () => {
    for (const name of ["virtools/balls.nmo", "virtools/animtrafo.nmo"]) {
      await look(`real-${name.replace("/", "-")}`, async (page) => {
        await take(page, join(corpus, name));
        assert.equal(await number(role(page, "entries"), "rows"), rows("ls", join(corpus, name)).length, name);
        await page.locator("nav button", { hasText: "Scene" }).click();
        await page.waitForSelector('[data-role="scene"][data-triangles]:not([data-triangles="0"])', { timeout: 60_000 });
      });
    }
  });
});
