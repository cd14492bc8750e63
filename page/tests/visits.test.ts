import { beforeAll, expect, test } from "vitest";
import type { Address } from "../src/address";

// The state of the page looks at the address bar.
beforeAll(() => {
  Object.assign(globalThis, { location: { hash: "" }, addEventListener: () => {}, document: { documentElement: { dataset: {} } } });
});

test("visits are kept once, the newest first, and those without a file not at all", async () => {
  const { visited } = await import("../src/visits");
  const [a, b]: Address[] = [{ file: "a" }, { file: "a", entry: "#1", view: "scene" }] as [Address, Address];
  let visits: Address[] = [];
  for (const to of [a, b, {}, a]) visits = visited(visits, to as Address);
  expect(visits).toEqual([a, b]);
  for (let nth = 0; nth < 300; nth += 1) visits = visited(visits, { file: `${nth}` });
  expect(visits).toHaveLength(200);
  expect(visits[0]).toEqual({ file: "299" });
});

test("steps from byte to byte are one visit", async () => {
  const { visited } = await import("../src/visits");
  const at = (offset: number): Address => ({ file: "a", view: "hex", at: { space: "file", offset } });
  let visits: Address[] = [{ file: "a", view: "hex" }];
  for (const offset of [1, 2, 3]) visits = visited(visits, at(offset));
  expect(visits).toEqual([at(3), { file: "a", view: "hex" }]);
  expect(visited(visits, { file: "a", view: "scene" })).toHaveLength(3);
});

test("visits read as words", async () => {
  const { wordsOf } = await import("../src/visits");
  const title = (view: string) => view.toUpperCase();
  expect(wordsOf({ file: "a" }, title)).toBe("HEX");
  expect(wordsOf({ file: "a", entry: "#1", view: "scene" }, title)).toBe("#1, SCENE");
  expect(wordsOf({ file: "a", entry: "#1" }, title, "Cube")).toBe("#1 Cube, HEX");
  expect(wordsOf({ file: "a", entry: "mesh/tower.msb" }, title, "tower.msb")).toBe("mesh/tower.msb, HEX");
  expect(wordsOf({ file: "a", at: { space: "header1", offset: 32 } }, title)).toBe("HEX at header1:0x20");
});

test("a path is a glob of itself", async () => {
  const { globOf } = await import("../src/visits");
  expect(globOf("a[1]/{b}*?")).toBe("a[[]1[]]/[{]b[}][*][?]");
});
