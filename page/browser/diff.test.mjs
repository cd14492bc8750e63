// What differs between two files, in a browser: run as `page.test.mjs` is.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { command, isReadable, number, ready, role, samples, shown, take, throughEach } from "./harness.mjs";

const made = mkdtempSync(join(tmpdir(), "spelunk-"));
const sample = (name) => join(samples, name);

/** The rows of a comparison by the command, which ends with 1 where files differ. */
function diff(...args) {
  const run = () => execFileSync(command, ["diff", ...args, "--json"], { encoding: "utf8", maxBuffer: 1 << 30, stdio: ["ignore", "pipe", "ignore"] });
  let text;
  try {
    text = run();
  } catch (error) {
    assert.equal(error.status, 1);
    text = error.stdout;
  }
  return text === "" ? [] : text.trimEnd().split("\n").map((line) => JSON.parse(line));
}

/** A copy of a sample that the command changed. */
function changed(name, to, ...changes) {
  const path = join(made, to);
  execFileSync(command, ["set", sample(name), ...changes, "-o", path, "--force"], { stdio: "ignore" });
  return path;
}

const list = (page) => page.locator(".diff-list");
const lines = (page) => page.locator(".diff-fields tbody tr").allInnerTexts();

/** Holds that the page counts what the command counts, kind by kind. */
async function holdsRows(page, rows) {
  assert.equal(await number(role(page, "diff"), "rows"), rows.length);
  for (const kind of new Set(rows.map((it) => it.change))) {
    assert.equal(await number(page.locator(`.diff-kinds [data-kind="${kind}"]`), "count"), rows.filter((it) => it.change === kind).length, kind);
  }
}

throughEach((at) => {
  /** Visits the page with files, and compares the first one with the second one. */
  const look = (name, paths, job, rest = "") =>
    at.look(`diff-${name}`, async (page) => {
      const names = [];
      for (const path of paths) {
        await take(page, path);
        names.push(shown(page));
      }
      const [old, now] = [names[0], names[1] ?? names[0]];
      await page.evaluate((hash) => (location.hash = hash), `#file=${now}&view=diff&with=${old}${rest}`);
      await page.waitForSelector('[data-role="diff"][aria-busy="false"]');
      await ready(page);
      await job(page);
    });

  test("files of two versions differ as a whole", async () => {
    const pair = [sample("level.nmo"), sample("version9.nmo")];
    await look("versions", pair, async (page) => {
      const rows = diff(...pair);
      await holdsRows(page, rows);
      await list(page).locator(".entry").first().click();
      await ready(page);
      const [field] = rows[0].fields;
      assert.match((await lines(page)).join("\n"), new RegExp(`${field.path}\\s+${field.old}\\s+${field.new}`));
    });
  });

  test("packs have what was added and what changed, filtered by kind", async () => {
    const pair = [sample("forest.snpak"), sample("forest-appended.snpak")];
    await look("packs", pair, async (page) => {
      const rows = diff(...pair);
      await holdsRows(page, rows);
      await page.locator('.diff-kinds [data-kind="added"]').click();
      assert.equal(await number(list(page), "shown"), rows.filter((it) => it.change === "added").length);
      await page.locator('.diff-kinds [data-kind="changed"]').click();
      await list(page).locator(".entry").first().click();
      await ready(page);
      const one = rows.find((it) => it.change === "changed");
      assert.equal(decodeURIComponent(/entry=([^&]*)/.exec(page.url())[1]), one.new.path);
      assert.equal((await lines(page)).length, one.fields.length);
      await page.locator(".diff-details header button", { hasText: "Bytes" }).click();
      await ready(page);
      const [old, now] = [pair[0], pair[1]].map((path, nth) => execFileSync(command, ["cat", path, [one.old, one.new][nth].path], { stdio: ["ignore", "pipe", "ignore"] }));
      assert.match(await page.locator(".diff-bytes p").innerText(), new RegExp(`the old entry has ${old.length}, the new one ${now.length}`));
    });
  });

  test("a generation is compared with another one of the same file", async () => {
    const pack = sample("forest-appended.snpak");
    await look("generations", [pack], async (page) => {
      const rows = diff(pack, pack, "--old-generation", "1");
      assert.ok(rows.length > 0);
      // As it was saved, it is what it is.
      assert.equal(await number(role(page, "diff"), "rows"), 0);
      assert.match(await role(page, "diff").innerText(), /has the same content as/);
      await page.getByLabel("Generation of the old file").selectOption("1");
      await ready(page);
      assert.match(page.url(), /generations=:1/);
      await holdsRows(page, rows);
      await page.getByRole("button", { name: "Swap" }).click();
      await ready(page);
      assert.match(page.url(), /generations=1:/);
      await holdsRows(page, diff(pack, pack, "--new-generation", "1"));
      await list(page).locator(".diff-removed").first().click();
      await ready(page);
      assert.ok((await lines(page)).length > 1);
    });
  });

  test("a value of a table stands beside the one that it had, and in the bytes", async () => {
    const pair = [sample("GameData.cff"), changed("GameData.cff", "changed.cff", "2003/1/buy_value=77")];
    await look("table", pair, async (page) => {
      await holdsRows(page, diff(...pair));
      await list(page).locator(".virtual").focus();
      await page.keyboard.press("ArrowDown");
      await ready(page);
      assert.match((await lines(page)).join("\n"), /buy_value\s+100 copper\s+77 copper/);
      await page.locator(".diff-details header button", { hasText: "Bytes" }).click();
      await ready(page);
      assert.equal(await number(page.locator(".diff-bytes"), "differing"), 1);
      assert.equal(await number(page.locator(".diff-bytes"), "length"), 22);
      assert.equal((await page.locator(".diff-line .diff-old").first().innerText()).trim(), "64");
      assert.equal((await page.locator(".diff-line .diff-new").first().innerText()).trim(), "4d");
      await page.getByRole("button", { name: "Go to it in the old file" }).click();
      await ready(page);
      assert.match(page.url(), /[=/]GameData\.cff&entry=2003\/1$/);
    });
  });

  test("an object that moved is found in the scene, and hopped to", async () => {
    const pair = [sample("level.nmo"), changed("level.nmo", "moved.nmo", "#3/entity.position=1,2,3")];
    await look("moved", pair, async (page) => {
      await holdsRows(page, diff(...pair));
      await page.getByRole("button", { name: "Scene" }).last().click();
      await page.waitForSelector('[data-role="diff-scene"][data-drawn="true"]', { timeout: 60_000 });
      await ready(page);
      assert.equal(await number(role(page, "diff-scene"), "rows"), 1);
      assert.equal(await number(role(page, "diff-scene"), "moved"), 1);
      // Both are there: one in the colour of the old side, one in that of the new one.
      const tints = await page.locator(".stage canvas").evaluate((canvas) => {
        const copy = document.createElement("canvas");
        [copy.width, copy.height] = [canvas.width, canvas.height];
        const context = copy.getContext("2d");
        context.drawImage(canvas, 0, 0);
        const { data } = context.getImageData(0, 0, copy.width, copy.height);
        let [orange, blue] = [0, 0];
        for (let at = 0; at < data.length; at += 4) {
          if (data[at] > data[at + 2] + 30) orange += 1;
          if (data[at + 2] > data[at] + 30) blue += 1;
        }
        return { orange, blue };
      });
      assert.ok(tints.orange > 500 && tints.blue > 500, JSON.stringify(tints));
      await page.locator(".diff-nodes .virtual").focus();
      await page.keyboard.press("ArrowDown");
      await ready(page);
      assert.match(await page.locator(".diff-nodes .chosen").innerText(), /Cube\s+moved by 3\.162/);
      assert.match(page.url(), /entry=%233(&|$)/);
    });
  });

  test("a colour is another look in the scene, and a colour among the fields", async () => {
    const pair = [sample("level.nmo"), changed("level.nmo", "colour.nmo", "#1/material.diffuse=#ff0000", "#3/entry.name=Box")];
    await look("colour", pair, async (page) => {
      await holdsRows(page, diff(...pair));
      await page.getByRole("button", { name: "Scene" }).last().click();
      await page.waitForSelector('[data-role="diff-scene"][data-drawn="true"]', { timeout: 60_000 });
      assert.match(await page.locator(".diff-nodes").innerText(), /Cube → Box\s+another look/);
      // The new side alone, in its own colours: the cube is red.
      await page.getByLabel("tinted").uncheck();
      await page.getByLabel("From old to new").fill("1");
      await ready(page);
      const [red, , blue] = await page.locator(".stage canvas").evaluate((canvas) => {
        const context = Object.assign(document.createElement("canvas"), { width: canvas.width, height: canvas.height }).getContext("2d");
        context.drawImage(canvas, 0, 0);
        return [...context.getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data];
      });
      assert.ok(red > 60 && blue < red / 2, `${red} and ${blue}`);
      await page.getByRole("button", { name: "Entries", exact: true }).click();
      await list(page).locator(".entry", { hasText: "Wood" }).click();
      await ready(page);
      assert.match((await lines(page)).join("\n"), /material\.diffuse\s+0xffffffff.*\s+0xffff0000/);
      const colours = await page.locator(".diff-fields .color").evaluateAll((all) => all.map((it) => it.style.background));
      assert.deepEqual(colours, ["rgb(255, 255, 255)", "rgb(255, 0, 0)"]);
    });
  });

  test("a picture that was replaced differs pixel by pixel", async () => {
    const level = "textures/rgba8#1/0";
    const bytes = execFileSync(command, ["cat", sample("textures.snpak"), level], { stdio: ["ignore", "pipe", "ignore"] });
    const other = Buffer.from(bytes);
    // Eight lines of a picture that is 48 pixels wide.
    let differing = 0;
    for (let at = 0; at < 48 * 4 * 8; at += 4) {
      other[at] = bytes[at] < 128 ? 255 : 0;
      differing += 1;
    }
    const [part, path] = [join(made, "level.bin"), join(made, "replaced.snpak")];
    writeFileSync(part, other);
    execFileSync(command, ["replace", sample("textures.snpak"), level, part, "-o", path, "--force"], { stdio: "ignore" });
    await look("picture", [sample("textures.snpak"), path], async (page) => {
      await holdsRows(page, diff(sample("textures.snpak"), path));
      await list(page).locator(".entry").first().click();
      await page.locator(".diff-details header button", { hasText: "Picture" }).click();
      await page.waitForSelector(".diff-picture");
      await ready(page);
      assert.equal(await number(page.locator(".diff-picture"), "differing"), differing);
      assert.match(await page.locator(".diff-picture p").first().innerText(), new RegExp(`${differing} of ${48 * 40} pixels differ`));
      assert.equal(await page.locator(".diff-pictures canvas").count(), 3);
      await page.locator(".diff-pictures canvas").first().hover({ position: { x: 1, y: 1 } });
      const text = await role(page, "diff-pixel").innerText();
      assert.ok(text.includes(`old ${[...bytes.subarray(0, 4)].join(" ")} #`) && text.includes(`new ${[...other.subarray(0, 4)].join(" ")} #`), text);
    });
  });

  test("of very many changes those in sight alone are in the page", async () => {
    const count = 20_000;
    const [many, few] = ["many", "few"].map((name) => join(made, at.transport, name));
    for (const [folder, files] of [[many, count], [few, 1]]) {
      mkdirSync(folder, { recursive: true });
      for (let nth = 0; nth < files; nth += 1) writeFileSync(join(folder, `a${nth}`), String(nth));
      execFileSync(command, ["pack", folder, "-o", `${folder}.snpak`], { stdio: "ignore" });
    }
    await look("many", [`${few}.snpak`, `${many}.snpak`], async (page) => {
      assert.equal(await number(role(page, "diff"), "rows"), diff(`${few}.snpak`, `${many}.snpak`).length);
      await list(page).locator(".virtual").focus();
      await page.keyboard.press("End");
      await page.waitForSelector(".diff-list .chosen");
      await ready(page);
      assert.ok((await list(page).locator(".entry").count()) < 60);
      assert.match(await page.locator(".diff-details h3").innerText(), /^a\d+\s+added$/);
    });
  });

  test("equal files say so, files of two formats that they cannot be compared", async () => {
    const copy = join(made, "copy.nmo");
    copyFileSync(sample("level.nmo"), copy);
    await look("equal", [sample("level.nmo"), copy], async (page) => {
      assert.equal(await number(role(page, "diff"), "rows"), 0);
      assert.match(await role(page, "diff").innerText(), /copy\.nmo has the same content as level\.nmo/);
    });
    await look("formats", [sample("level.nmo"), sample("forest.snpak")], async (page) => {
      assert.match(await role(page, "diff").getByRole("alert").innerText(), /cannot be compared/);
      assert.equal(await page.locator("html").getAttribute("data-state"), "ready");
    });
  });

  test("the other file is opened when an address names it, and one that is not there is asked for", async () => {
    await look("missing", [sample("level.nmo"), sample("version9.nmo")], async (page) => {
      const other = decodeURIComponent(/with=([^&]*)/.exec(page.url())[1]).replace("level.nmo", "version9.nmo");
      await page.evaluate((file) => (location.hash = `#file=${file}&view=diff&with=gone.nmo`), other.replace("version9.nmo", "level.nmo"));
      await ready(page);
      assert.match(await role(page, "diff").innerText(), /There is no file gone\.nmo on this page/);
      await page.getByLabel("Old file").selectOption(other);
      await page.waitForSelector('[data-role="diff"]:not([data-rows="0"])');
      assert.match(page.url(), /with=[^&]*version9\.nmo/);
      await page.goBack();
      await ready(page);
      assert.match(page.url(), /with=gone\.nmo/);
    });
  });

  test("nothing serious stands in the way of people with other ways to read the changes", async () => {
    const pair = [sample("level.nmo"), changed("level.nmo", "axe.nmo", "#1/material.diffuse=#ff0000", "#3/entity.position=1,2,3")];
    for (const scheme of ["light", "dark"]) {
      await look(`axe-${scheme}`, pair, async (page) => {
        await page.emulateMedia({ colorScheme: scheme });
        const holds = (what) => isReadable(page, what);
        await list(page).locator(".entry").first().click();
        for (const part of ["Fields", "Bytes", "Picture"]) {
          await page.locator(".diff-details header button", { hasText: part }).click();
          await ready(page);
          await holds(part);
        }
        await page.getByRole("button", { name: "Scene" }).last().click();
        await page.waitForSelector('[data-role="diff-scene"][data-drawn="true"]', { timeout: 60_000 });
        await holds("Scene");
      });
    }
  });
});
