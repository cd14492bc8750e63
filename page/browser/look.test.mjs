// What the panes show beyond their first sight: bars, choices, groups, flights, levels, points.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { command, corpus, entryOf, goTo, isReadable, number, ready, role, rows, samples, shot, take, throughEach } from "./harness.mjs";
import { glowingSquare } from "./models.mjs";

const real = { skip: !process.env.CI && (corpus === undefined || !existsSync(corpus)) };

/** What the command exports, and the part of a GLB file that is text. */
const exported = (file, ...args) => {
  const out = join(mkdtempSync(join(tmpdir(), "spelunk-")), `it.${args.at(-1)}`);
  execFileSync(command, ["export", file, "-o", out, ...args.slice(0, -1), "--to", args.at(-1)], { stdio: "ignore" });
  return readFileSync(out);
};
const textOf = (glb) => JSON.parse(glb.subarray(20, 20 + glb.readUInt32LE(12)).toString());

const view = async (page, name) => {
  await page.locator("nav button", { hasText: name }).click();
  await ready(page);
};
const scene = async (page) => {
  await view(page, "Scene");
  await page.waitForSelector('[data-role="scene"]:not([data-triangles="0"])', { timeout: 60_000 });
  await ready(page);
};
const button = (page, name) => page.getByRole("button", { name, exact: true });

throughEach((at) => {
  const { look } = at;

  test("the map of a file names the field of each of its parts, and leads there", async () => {
    const file = join(samples, "liannon.map");
    await look("overview", async (page) => {
      await take(page, file);
      await page.waitForFunction(() => {
        const { filled, parts } = document.querySelector('[data-role="overview"]').dataset;
        return parts !== "0" && filled === parts;
      });
      const bar = role(page, "overview");
      const [length, parts] = [readFileSync(file).length, await number(bar, "parts")];
      const box = await bar.boundingBox();
      for (const nth of [0, Math.floor(parts / 3), Math.floor(parts * 0.8), parts - 1]) {
        await page.mouse.move(box.x + ((nth + 0.5) / parts) * box.width, box.y + 12);
        await ready(page);
        const [row] = rows("explain", file, `file:${Math.floor(((nth + 0.5) * length) / parts)}`);
        assert.equal(await bar.getAttribute("data-part"), row.path);
      }
      await page.mouse.click(box.x + box.width - 3, box.y + 12);
      await ready(page);
      const seen = await page.locator(".hex").evaluate((it) => it.scrollTop + it.clientHeight >= it.scrollHeight - 20);
      assert.ok(seen, "the end is in sight");
    });
  });

  test("bytes are chosen with keys and by dragging, and said as digits, text and numbers", async () => {
    const file = join(samples, "GameData.cff");
    const bytes = readFileSync(file);
    await look("selection", async (page) => {
      await take(page, file);
      await goTo(page, "view=hex&at=file:32");
      await page.locator(".hex").focus();
      for (let nth = 0; nth < 7; nth += 1) await page.keyboard.press("Shift+ArrowRight");
      await ready(page);
      const strip = role(page, "selection");
      assert.equal(await number(strip, "start"), 32);
      assert.equal(await number(strip, "size"), 8);
      assert.equal(await role(page, "digits").innerText(), bytes.subarray(32, 40).toString("hex").replace(/..(?=.)/g, "$& "));
      const said = async (type) => (await strip.locator(`[data-type="${type}"]`).innerText()).replace(/^\S+\s+/, "");
      assert.equal(await said("u32"), String(bytes.readUInt32LE(32)));
      assert.equal(await said("i64"), String(bytes.readBigInt64LE(32)));
      await strip.getByRole("checkbox").check();
      assert.equal(await said("u32"), String(bytes.readUInt32BE(32)));
      assert.equal(await said("f64"), String(bytes.readDoubleBE(32)));
      // The file says that it has texts of these code pages.
      const pages = rows("info", file)[0].details.languages.map((it) => it.code_page);
      const options = await strip.locator("option").allInnerTexts();
      for (const it of pages) assert.ok(options.includes(it), it);
      const canvas = await page.locator(".hex canvas").boundingBox();
      const before = await number(strip, "start");
      const [x, y] = [canvas.x + 90, canvas.y + 110];
      await page.mouse.move(x, y);
      await page.mouse.down();
      await page.mouse.move(x + 25.3 * 3, y, { steps: 4 });
      await page.mouse.up();
      await ready(page);
      assert.notEqual(await number(strip, "start"), before);
      assert.equal(await number(strip, "size"), 4);
    });
  });

  test("a byte under the pointer tells its field and what it says", async () => {
    const file = join(samples, "level.nmo");
    await look("hover", async (page) => {
      await take(page, file);
      const canvas = await page.locator(".hex canvas").boundingBox();
      // The 24th byte: the second row, the ninth column.
      await page.mouse.move(canvas.x + 84 + 8 * 25.3 + 6, canvas.y + 30);
      await ready(page);
      const [row] = rows("explain", file, "24");
      const text = await role(page, "byte").innerText();
      assert.ok(text.includes(row.path) && text.includes(row.meaning), `${text}; ${row.path} ${row.meaning}`);
    });
  });

  test("entities of a scene are listed, hidden by group, and shown alone", real, async () => {
    const file = join(corpus, "virtools/balls.nmo");
    const model = textOf(exported(file, "glb"));
    await look("entities", async (page) => {
      await take(page, file);
      await scene(page);
      await button(page, "Entities").click();
      const list = role(page, "entities");
      assert.equal(await number(list, "rows"), model.nodes.length);
      const primitives = (nodes) => nodes.reduce((sum, it) => sum + (it.mesh === undefined ? 0 : model.meshes[it.mesh].primitives.length), 0);
      assert.equal(await number(role(page, "scene"), "objects"), primitives(model.nodes));
      const [group] = model.extras.groups;
      await list.getByLabel(`Show ${group.name}`).uncheck();
      await ready(page);
      assert.equal(await number(list, "hidden"), group.nodes.length);
      assert.equal(await number(role(page, "scene"), "objects"), primitives(model.nodes.filter((_, nth) => !group.nodes.includes(nth))));
      await list.getByLabel("Filter entities").fill("Ball_Stone");
      await list.locator(".entry").first().click();
      await ready(page);
      const chosen = model.nodes.find((it) => it.name.includes("Ball_Stone"));
      assert.equal(entryOf(page), `#${chosen.extras.virtools.index}`);
      await page.getByLabel("chosen entry alone").check();
      await ready(page);
      assert.equal(await number(role(page, "scene"), "objects"), primitives([chosen]));
      await button(page, "Its mesh").click();
      await ready(page);
      assert.equal(entryOf(page), `#${model.meshes[chosen.mesh].extras.virtools.index}`);
      assert.equal(await number(role(page, "scene"), "objects"), primitives([chosen]));
    });
  });

  test("a scene has the colours of its materials, and what is behind them shines through", async () => {
    const folder = mkdtempSync(join(tmpdir(), "spelunk-"));
    await look("colours", async (page) => {
      const middle = async (alpha) => {
        const [model, file] = [join(folder, `${alpha}.gltf`), join(folder, `${alpha}-${at.transport}.nmo`)];
        writeFileSync(model, glowingSquare(alpha));
        execFileSync(command, ["import", model, "-o", file, "--force"], { stdio: "ignore" });
        await take(page, file);
        await scene(page);
        return page.locator(".stage canvas").evaluate((canvas) => {
          const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d");
          copy.drawImage(canvas, 0, 0);
          const [middle, corner] = [[canvas.width / 2, canvas.height / 2], [2, 2]];
          return [middle, corner].map(([x, y]) => [...copy.getImageData(Math.floor(x), Math.floor(y), 1, 1).data.slice(0, 3)]);
        });
      };
      const is = (found, expected, what) => assert.ok(found.every((it, nth) => Math.abs(it - expected[nth]) <= 12), `${what}: ${found} and not ${expected}`);
      const [red] = await middle(255);
      // A little of the sun is reflected.
      is(red, [255, 10, 10], "opaque");
      for (const alpha of [64, 128]) {
        const [color, ground] = await middle(alpha);
        is(color, ground.map((it, nth) => (red[nth] * alpha + it * (255 - alpha)) / 255), `alpha ${alpha}`);
      }
    });
  });

  test("a picture that was missing is found when it is opened later", async () => {
    const file = join(samples, "level.nmo");
    const model = textOf(exported(file, "glb"));
    const missing = model.images.filter((it) => it.extras.virtools.missing).map((it) => it.extras.virtools.file);
    await look("missing", async (page) => {
      await take(page, file);
      await scene(page);
      assert.equal(await number(role(page, "scene"), "missing"), missing.length);
      assert.match(await role(page, "missing").innerText(), new RegExp(missing[0]));
      await button(page, "Statistics").click();
      assert.equal(await number(role(page, "facts"), "textures"), 0);
      // A picture of 2 by 2 pixels.
      const bitmap = Buffer.alloc(70);
      bitmap.write("BM");
      for (const [at, value] of [[2, 70], [10, 54], [14, 40], [18, 2], [22, 2], [34, 16]]) bitmap.writeUInt32LE(value, at);
      bitmap.writeUInt16LE(1, 26);
      bitmap.writeUInt16LE(24, 28);
      const buffer = bitmap;
      await page.locator('[data-role="files"] input[type="file"]').first().setInputFiles([{ name: missing[0], mimeType: "image/bmp", buffer }]);
      await page.waitForSelector('[data-role="scene"][data-missing="0"]');
      await ready(page);
      assert.equal(await number(role(page, "facts"), "textures"), 1);
      assert.match(await role(page, "facts").innerText(), /2 × 2/);
      assert.match(page.url(), /file=[^&]*level\.nmo/);
    });
  });

  test("one flies through a scene with keys, until Escape", async () => {
    await look("fly", async (page) => {
      await take(page, join(samples, "level.nmo"));
      await scene(page);
      const picture = () => page.locator(".stage canvas").evaluate((canvas) => canvas.toDataURL());
      const before = await picture();
      await button(page, "Fly").click();
      await page.keyboard.down("w");
      await page.waitForTimeout(500);
      await page.keyboard.up("w");
      assert.notEqual(await picture(), before);
      await page.keyboard.press("Escape");
      await ready(page);
      assert.equal(await button(page, "Fly").count(), 1);
    });
  });

  test("an animation is chosen and shown at a time of it", real, async () => {
    const file = join(corpus, "virtools/ph_pe_balloon_v3.5.nmo");
    const model = textOf(exported(file, "glb"));
    await look("clips", async (page) => {
      await take(page, file);
      await scene(page);
      assert.equal(await number(role(page, "clips"), "rows"), model.animations.length);
      const longest = (nth) => Math.max(...model.animations[nth].samplers.map((it) => model.accessors[it.input].max[0]));
      await page.getByLabel("Animation").selectOption("2");
      await ready(page);
      assert.ok(Math.abs(Number(await page.getByLabel("Time").getAttribute("max")) - longest(2)) < 1e-3);
      await page.getByLabel("Animation").selectOption("");
      await ready(page);
      const picture = () => page.locator(".stage canvas").evaluate((canvas) => canvas.toDataURL());
      const before = await picture();
      await page.getByLabel("Time").focus();
      await page.keyboard.press("End");
      await ready(page);
      assert.notEqual(await picture(), before);
    });
  });

  test("what stands on a map is an entity of its model, without a shape", async () => {
    const file = join(samples, "arena.map");
    await look("map-scene", async (page) => {
      await take(page, file);
      await scene(page);
      await button(page, "Entities").click();
      assert.equal(await number(role(page, "entities"), "rows"), textOf(exported(file, "glb")).nodes.filter((it) => it.children === undefined).length);
      await role(page, "entities").locator(".entry", { hasText: "units[0]" }).click();
      await ready(page);
      assert.equal(entryOf(page), "units[0]");
      assert.equal(await number(role(page, "inspector"), "rows"), rows("show", file, "units[0]")[0].fields.length);
    });
  });

  test("all textures of a file are there in small, and one shows its levels", async () => {
    const file = join(samples, "textures.snpak");
    await look("textures", async (page) => {
      await take(page, file);
      await view(page, "Texture");
      assert.equal(await number(role(page, "textures"), "rows"), rows("ls", file).filter((it) => /Texture/.test(it.kind_name)).length);
      await page.waitForFunction(() => document.querySelectorAll('.small[data-state="drawn"]').length >= 15);
      await page.locator(".thumb", { hasText: "textures/rgba8" }).click();
      await ready(page);
      assert.equal(entryOf(page), "textures/rgba8");
      await button(page, "Levels").click();
      await page.waitForSelector('[data-role="levels"]:not([data-rows="0"])');
      const count = rows("tree", file, "--flat").filter((it) => it.path?.startsWith("textures/rgba8#")).length;
      assert.equal(await number(role(page, "levels"), "rows"), count);
      const width = await number(role(page, "texture"), "width");
      await role(page, "levels").locator("button").nth(1).click();
      await ready(page);
      assert.equal(await number(role(page, "texture"), "width"), Math.floor(width / 2));
    });
  });

  test("slots of a texture are looked at one by one", async () => {
    const folder = mkdtempSync(join(tmpdir(), "spelunk-"));
    const [model, file, document] = ["it.gltf", `slots-${at.transport}.nmo`, "it.json"].map((it) => join(folder, it));
    writeFileSync(model, glowingSquare(128));
    execFileSync(command, ["import", model, "-o", file], { stdio: "ignore" });
    execFileSync(command, ["export", file, "-o", document], { stdio: "ignore" });
    const content = JSON.parse(readFileSync(document));
    const { raw_images } = content.objects.find((it) => it.class === "CKTexture").value;
    raw_images.slot_count = 2;
    raw_images.images.push({ ...raw_images.images[0], red: "07", green: "08", blue: "09", alpha: "ff" });
    writeFileSync(document, JSON.stringify(content));
    execFileSync(command, ["import", document, "-o", file, "--force"], { stdio: "ignore" });
    const path = rows("ls", file).find((it) => it.class === "CKTexture").path;
    await look("slots", async (page) => {
      await take(page, file);
      await goTo(page, `view=texture&entry=${encodeURIComponent(path)}`);
      await button(page, "Levels").click();
      await page.waitForSelector('[data-role="levels"][data-kind="slots"]');
      assert.equal(await number(role(page, "levels"), "rows"), 2);
      const said = async () => {
        await page.locator(".picture canvas").hover();
        return (await role(page, "pixel").innerText()).replace(/^\d+, \d+: /, "");
      };
      assert.match(await said(), /^0 0 0 128 /);
      await role(page, "levels").locator("button").nth(1).click();
      await ready(page);
      await page.mouse.move(0, 0);
      assert.match(await said(), /^7 8 9 255 /);
    });
  });

  test("a level of a texture has the pixels that are exported of it", async () => {
    const file = join(samples, "textures.snpak");
    const out = mkdtempSync(join(tmpdir(), "spelunk-"));
    execFileSync(command, ["export", file, "textures/bc3", "-o", out, "--to", "png", "--mips", "--force"], { stdio: "ignore" });
    const png = readFileSync(join(out, "textures/bc3.mip1.png")).toString("base64");
    await look("level", async (page) => {
      await take(page, file);
      await goTo(page, "view=texture&entry=textures/bc3");
      await button(page, "Levels").click();
      await page.waitForSelector('[data-role="levels"]:not([data-rows="0"])');
      await role(page, "levels").locator("button").nth(1).click();
      await ready(page);
      const [mine, exported] = await page.evaluate(async (base64) => {
        const pixels = (source) => {
          const context = new OffscreenCanvas(source.width, source.height).getContext("2d");
          context.drawImage(source, 0, 0);
          return [...context.getImageData(0, 0, source.width, source.height).data];
        };
        const bytes = Uint8Array.from(atob(base64), (it) => it.charCodeAt(0));
        const bitmap = await createImageBitmap(new Blob([bytes]), { premultiplyAlpha: "none", colorSpaceConversion: "none" });
        return [pixels(document.querySelector(".picture canvas")), pixels(bitmap)];
      }, png);
      assert.equal(mine.length, exported.length);
      // Cards may round blocks in their own way.
      const most = Math.max(...mine.map((it, nth) => Math.abs(it - exported[nth])));
      assert.ok(most <= 8, `${most} of 255 apart`);
    });
  });

  test("points on a map are named under the pointer, chosen by a click, and stay under it when one comes closer", async () => {
    const file = join(samples, "arena.map");
    const places = JSON.parse(exported(file, "json").toString());
    const points = places.features.filter((it) => it.geometry.type === "Point");
    await look("points", async (page) => {
      await take(page, file);
      await view(page, "Map");
      await page.waitForSelector('[data-role="map"]:not([data-scale="0"])');
      const map = role(page, "map");
      assert.equal(await number(map, "points"), points.length);
      assert.equal(await number(map, "side"), places.map.size);
      const [x, y] = points.find((it) => it.properties.kind === "buildings").geometry.coordinates;
      const where = async () => {
        const box = await page.locator(".chart canvas").boundingBox();
        const scale = await number(map, "scale");
        return { x: box.x + (x + 0.5 - (await number(map, "x"))) * scale, y: box.y + (y + 0.5 - (await number(map, "y"))) * scale, scale };
      };
      const at = await where();
      await page.mouse.move(at.x, at.y);
      await ready(page);
      assert.match(await role(page, "cell").innerText(), new RegExp(`${x}, ${y}.*buildings\\[0\\]`));
      await page.mouse.wheel(0, -100);
      await ready(page);
      const closer = await where();
      assert.ok(closer.scale > at.scale && Math.abs(closer.x - at.x) < 1 && Math.abs(closer.y - at.y) < 1);
      await page.mouse.click(closer.x, closer.y);
      await ready(page);
      assert.equal(entryOf(page), "buildings[0]");
      await page.mouse.move(closer.x, closer.y);
      await page.mouse.down();
      await page.mouse.move(closer.x - 40, closer.y + 30, { steps: 4 });
      await page.mouse.up();
      const moved = await where();
      assert.ok(Math.abs(moved.x - closer.x + 40) < 1 && Math.abs(moved.y - closer.y - 30) < 1);
      await button(page, "List").click();
      assert.equal(await number(role(page, "points"), "rows"), points.length);
    });
  });

  test("on a tablet panes fold away, and fingers find what they press", async () => {
    const tablet = { viewport: { width: 1024, height: 768 }, hasTouch: true, isMobile: true };
    const onTablet = async (page) => {
      await take(page, join(samples, "level.nmo"));
      for (const name of ["Bytes", "Scene", "Texture", "Scripts", "Findings"]) {
        await view(page, name);
        await page.waitForTimeout(500);
        const small = await page.evaluate(() =>
          [...document.querySelectorAll("button, select, input:not([hidden]), [role=option]")]
            .map((it) => ({ it, box: (it.closest("label") ?? it).getBoundingClientRect() }))
            .filter(({ box }) => box.width > 0 && (box.height < 39.5 || box.width < 39.5))
            .map(({ it, box }) => `${it.outerHTML.slice(0, 80)} ${box.width} ${box.height}`),
        );
        assert.deepEqual(small, [], name);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(wide <= 0, `${name} is ${wide} too wide`);
        await shot(page, `${at.transport}-tablet-${name}`);
      }
      assert.ok(!(await role(page, "inspector").isVisible()));
      await page.getByRole("button", { name: "Inspector" }).tap();
      assert.ok(await role(page, "inspector").isVisible());
      await page.getByRole("button", { name: "Files and entries" }).tap();
      assert.ok(!(await role(page, "files").isVisible()));
    };
    await look("tablet", onTablet, undefined, tablet);
  });

  test("nothing serious stands in the way in what unfolds", async () => {
    const check = async (page, what) => {
      await ready(page);
      await isReadable(page, what);
    };
    await look("axe-look", async (page) => {
      await take(page, join(samples, "level.nmo"), join(samples, "arena.map"), join(samples, "textures.snpak"));
      await goTo(page, "view=hex&at=file:16");
      await role(page, "overview").focus();
      await page.keyboard.press("ArrowRight");
      await check(page, "bytes");
      await scene(page);
      await button(page, "Entities").click();
      await check(page, "entities");
      await button(page, "Statistics").click();
      await check(page, "statistics");
      await page.locator('[data-role="files"] button', { hasText: "arena.map" }).click();
      await ready(page);
      await view(page, "Map");
      await button(page, "List").click();
      await check(page, "map");
      await page.locator('[data-role="files"] button', { hasText: "textures.snpak" }).click();
      await ready(page);
      await view(page, "Texture");
      await page.waitForTimeout(1000);
      await check(page, "textures");
      await page.locator(".thumb").first().click();
      await button(page, "Levels").click();
      await check(page, "levels");
    });
  });
});
