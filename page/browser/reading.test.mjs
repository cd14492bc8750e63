// What entries hold, tables, search and history in a browser: variables as for `page.test.mjs`.
import assert from "node:assert/strict";
import { appendFileSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { corpus, entryOf, goTo, isReadable, number, print, ready, role, rows, samples, shot, take, throughEach } from "./harness.mjs";

/** Bytes of a file of which the page reads what it shows alone. */
const LARGE = 200 * 2 ** 20;

throughEach((at) => {
  /** Visits the page, and holds that everybody can read what it shows at the end. */
  const look = (name, job) =>
    at.look(name, async (page) => {
      await job(page);
      await isReadable(page, name);
    });

  test("texts are lines, and are saved byte for byte", async () => {
    const pak = join(samples, "sf22.pak");
    await look("content-text", async (page) => {
      await take(page, pak);
      for (const path of ["script/p10/empty.lua", "script/gdscommon.lua"]) {
        await goTo(page, `view=content&entry=${path}`);
        const bytes = print("cat", pak, path);
        assert.equal(await number(role(page, "content"), "size"), bytes.length, path);
        const kind = await role(page, "content").getAttribute("data-kind");
        if (path.endsWith("gdscommon.lua")) {
          assert.equal(kind, "text");
          const lines = bytes.toString().split(/\r\n|\r|\n/);
          assert.equal(await number(role(page, "lines"), "rows"), lines.length);
          assert.match(await page.locator(".text-line").first().textContent(), new RegExp(`1 ${lines[0].replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`));
        } else assert.equal(kind, "empty");
      }
      const [download] = await Promise.all([page.waitForEvent("download"), role(page, "content").getByRole("button", { name: "Save" }).click()]);
      assert.equal(download.suggestedFilename(), "gdscommon.lua");
      assert.deepEqual(readFileSync(await download.path()), print("cat", pak, "script/gdscommon.lua"));
    });
  });

  test("a file that is larger than what is read into memory is looked at where it is", async () => {
    const folder = mkdtempSync(join(tmpdir(), "spelunk-"));
    mkdirSync(join(folder, "in"));
    writeFileSync(join(folder, "in/first.txt"), "hello");
    const [large, pack] = [join(folder, "in/large.bin"), join(folder, "large.snpak")];
    writeFileSync(large, "begin");
    truncateSync(large, LARGE);
    appendFileSync(large, "the end");
    print("pack", join(folder, "in"), "-o", pack, "--compress", "none");
    rmSync(large);
    const { size } = statSync(pack);
    try {
      await at.look("large", async (page) => {
        await page.locator('[data-role="files"] input[type="file"]').first().setInputFiles(pack);
        await ready(page);
        assert.equal(await number(role(page, "entries"), "rows"), 2);
        assert.equal(await number(role(page, "hex"), "length"), size);
        // The end of the large payload, and some bytes before it.
        const [row] = rows("explain", pack, "--map").filter((it) => it.path.endsWith(".payload") && it.size > LARGE);
        const end = row.offset + row.size;
        await goTo(page, `view=hex&at=file:${end - 7}`);
        await page.locator(".hex").focus();
        for (let nth = 0; nth < 6; nth += 1) await page.keyboard.press("Shift+ArrowRight");
        await ready(page);
        assert.equal(await role(page, "digits").innerText(), Buffer.from("the end").toString("hex").replace(/..(?=.)/g, "$& "));
        await goTo(page, "view=content&entry=first.txt");
        assert.equal(await page.locator(".text-line").first().textContent(), "1 hello");
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("bytes that are nothing else are shown from their beginning", async () => {
    const level = join(samples, "level.nmo");
    await look("content-bytes", async (page) => {
      await take(page, level);
      await goTo(page, "view=content&entry=%232");
      assert.equal(await role(page, "content").getAttribute("data-kind"), "other");
      const bytes = print("cat", level, "#2");
      assert.equal(await number(role(page, "content"), "size"), bytes.length);
      assert.match(await page.locator(".notice pre").innerText(), new RegExp(`^0000  ${bytes.toString("hex").slice(0, 32).replace(/..(?!$)/g, "$& ")}`));
    });
  });

  test("files within a file are reached, and a picture that is none says so", async () => {
    await look("content-included", async (page) => {
      await take(page, join(samples, "menu.cmo"));
      await page.locator("nav button", { hasText: "Content" }).click();
      await ready(page);
      await page.getByLabel("Included files").selectOption("included/vtthumbnail.jpg");
      await ready(page);
      assert.equal(await role(page, "content").getAttribute("data-kind"), "picture");
      assert.equal(await number(role(page, "content"), "size"), print("cat", join(samples, "menu.cmo"), "included/vtthumbnail.jpg").length);
      await page.getByText("This browser cannot show this").waitFor();
    });
  });

  /** A WAV file of a tone. */
  function tone(seconds) {
    const [rate, count] = [8000, 8000 * seconds];
    const bytes = Buffer.alloc(44 + count * 2);
    bytes.write("RIFF", 0);
    bytes.writeUInt32LE(36 + count * 2, 4);
    bytes.write("WAVEfmt ", 8);
    for (const [at, value] of [[16, 16], [24, rate], [28, rate * 2], [40, count * 2]]) bytes.writeUInt32LE(value, at);
    for (const [at, value] of [[20, 1], [22, 1], [32, 2], [34, 16]]) bytes.writeUInt16LE(value, at);
    bytes.write("data", 36);
    for (let nth = 0; nth < count; nth += 1) bytes.writeInt16LE(Math.round(8000 * Math.sin(nth / 3)), 44 + nth * 2);
    return bytes;
  }

  test("a sound in an archive plays", async () => {
    const { file, path, bytes } = soundPack();
    await look("content-sound", async (page) => {
      await take(page, file);
      await goTo(page, `view=content&entry=${path}`);
      assert.equal(await role(page, "content").getAttribute("data-kind"), "sound");
      assert.equal(await number(role(page, "content"), "size"), bytes.length);
      const audio = page.locator('[data-role="content"] audio');
      await page.waitForFunction(() => document.querySelector('[data-role="content"] audio')?.readyState >= 1);
      assert.ok(Math.abs((await audio.evaluate((it) => it.duration)) - 2) < 0.01);
      await page.getByText("2.00 s").waitFor();
    });
  });

  /** A pack with a sound, made by the command. */
  function soundPack() {
    const folder = mkdtempSync(join(tmpdir(), "spelunk-"));
    const bytes = tone(2);
    const file = join(folder, "sounds.snpak");
    writeFileSync(join(folder, "tone.wav"), bytes);
    copyFileSync(join(samples, "forest.snpak"), file);
    print("replace", file, "sounds/wind", join(folder, "tone.wav"), "--in-place");
    return { file, path: "sounds/wind", bytes };
  }

  test("languages of texts stand side by side", async () => {
    const file = join(samples, "GameData.cff");
    await look("languages", async (page) => {
      await take(page, file);
      await goTo(page, "view=table&entry=2016");
      const all = rows("ls", file, "2016/**");
      assert.equal(await number(role(page, "table"), "rows"), all.length);
      await page.getByRole("button", { name: "Languages side by side" }).click();
      await ready(page);
      const texts = new Set(all.map((row) => row.text_id));
      assert.equal(await number(role(page, "table"), "rows"), texts.size);
      const names = rows("info", file)[0].details.languages.map((it) => it.name);
      assert.deepEqual((await page.locator(".grid-head .cell").allInnerTexts()).slice(1), names);
      const first = all.filter((row) => row.text_id === 1);
      const cells = await page.locator(".grid .virtual .cells").first().locator(".cell").allInnerTexts();
      assert.deepEqual(cells.slice(1).filter((it) => it !== "—"), first.map((row) => row.content));
      await page.getByLabel("with gaps only").check();
      assert.equal(await number(role(page, "table"), "rows"), [...texts].filter((id) => all.filter((row) => row.text_id === id).length < names.length).length);
      await page.locator(".grid").getByText("Wächter").click();
      await ready(page);
      assert.equal(entryOf(page), all.find((row) => row.content === "Wächter").path);
    });
  });

  test("history leads back, with the keyboard too, and outlasts a reload", async () => {
    await look("history", async (page) => {
      await take(page, join(samples, "level.nmo"), join(samples, "gameplay.nmo"));
      await goTo(page, "entry=%232&view=table");
      await goTo(page, "entry=%233&view=hex");
      await page.locator(".hex").focus();
      for (let nth = 0; nth < 5; nth += 1) await page.keyboard.press("ArrowRight");
      await ready(page);
      const shown = await number(role(page, "history"), "rows");
      // The file, the table, and the bytes; steps from byte to byte are none of their own.
      assert.equal(shown, 4);
      const toggle = role(page, "history").getByRole("button", { name: "History" });
      await toggle.focus();
      await page.keyboard.press("Enter");
      await ready(page);
      const texts = await page.locator(".visits button").allInnerTexts();
      assert.equal(texts.length, shown);
      assert.match(texts[0], /level\.nmo\s+#3 Cube, Bytes at 0x5/);
      assert.match(texts.join("\n"), /#2 Cube_Mesh, Table/);
      await shot(page, "history-open");
      await page.keyboard.press("End");
      await page.keyboard.press("ArrowUp");
      await page.keyboard.press("Enter");
      await ready(page);
      assert.match(page.url(), /view=table/);
      assert.equal(await page.locator(".visits").count(), 0);
      await page.reload();
      await ready(page);
      assert.equal(await number(role(page, "history"), "rows"), shown);
      await toggle.click();
      // What was in the memory of the page is gone; the server has it still.
      assert.equal(await page.locator(".visits button:disabled").count(), at.transport === "browser" ? shown : 0);
      await page.keyboard.press("Escape");
      assert.equal(await page.locator(".visits").count(), 0);
    });
  });

  test("search goes through all files, group by group, with the keyboard", async () => {
    const names = ["level.nmo", "GameData.cff", "menu.cmo", "sf22.pak"];
    await look("search-all", async (page) => {
      await take(page, ...names.map((name) => join(samples, name)));
      await page.getByLabel("all files").check();
      await page.keyboard.press("/");
      await page.keyboard.type("e");
      await ready(page);
      const expected = names.map((name) => [name, rows("find", "e", join(samples, name)).length]).filter(([, count]) => count > 0);
      const found = await page.locator(".hits ul").evaluateAll((all) => all.map((it) => [it.dataset.file.replace(/.*\//, ""), Number(it.dataset.rows)]));
      assert.deepEqual(Object.fromEntries(found), Object.fromEntries(expected));
      assert.equal(await number(role(page, "search"), "rows"), expected.reduce((sum, [, count]) => sum + count, 0));
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("ArrowDown");
      assert.equal(await page.evaluate(() => [...document.querySelectorAll(".hits button")].indexOf(document.activeElement)), 1);
      await page.keyboard.press("ArrowUp");
      await page.keyboard.press("ArrowUp");
      assert.equal(await page.evaluate(() => document.activeElement.type), "search");
      await shot(page, "search-open");
      await page.keyboard.press("Escape");
      assert.equal(await page.locator(".hits").count(), 0);
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await ready(page);
      assert.match(page.url(), /entry=/);
      assert.equal(await page.locator(".hits").count(), 0);
    });
  });

  const isCorpus = corpus !== undefined && existsSync(corpus);

  test("arrays of data are tables", { skip: !process.env.CI && !isCorpus }, async () => {
    const file = join(corpus, "virtools/language.nmo");
    await look("arrays", async (page) => {
      await take(page, file);
      await page.locator("nav button", { hasText: "Table" }).click();
      await ready(page);
      const lines = print("export", file, "#0", "--to", "csv", "-o", "-").toString().trimEnd().split(/\r?\n/);
      assert.equal(await number(role(page, "table"), "rows"), lines.length - 1);
      assert.deepEqual(await page.locator(".grid-head .cell").allInnerTexts(), lines[0].split(","));
      assert.equal(await page.locator('[data-role="table"] select option').count(), rows("ls", file, "CKDataArray/*").length);
    });
  });

  test("hundreds of hits are shown, and more when they are asked for", { skip: !process.env.CI && !isCorpus }, async () => {
    const file = join(corpus, "virtools/gameplay.nmo");
    await look("search-many", async (page) => {
      await take(page, file);
      await page.keyboard.press("/");
      // The older question is of no use when one types on.
      await page.keyboard.type("a", { delay: 250 });
      await page.keyboard.type("me");
      await ready(page);
      const { length } = rows("find", "ame", file);
      assert.ok(length > 500);
      assert.equal(await number(role(page, "search"), "rows"), length);
      assert.equal(await page.locator(".hits li button").count(), 500);
      await page.locator(".hits .more").click();
      assert.equal(await page.locator(".hits li button").count(), Math.min(length, 1000));
    });
  });

  test("a real picture within a file is shown", { skip: !process.env.CI && !isCorpus }, async () => {
    await look("content-picture", async (page) => {
      await take(page, join(corpus, "virtools/base_v3.5.cmo"));
      await goTo(page, "view=content&entry=included/vtthumbnail.jpg");
      await page.waitForFunction(() => document.querySelector('[data-role="content"] img')?.naturalWidth > 0);
      assert.equal(await role(page, "content").getAttribute("data-kind"), "picture");
    });
  });
});
