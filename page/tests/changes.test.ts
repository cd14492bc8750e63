import { expect, test } from "vitest";
import { type Change, countKinds, fieldLines, filterChanges, hasMore, titleOf } from "../src/diff/changes";

const entry = (path: string, name: string | null = null, type = "thing") => ({ path, name, type, size: 4 });
const CHANGES: Change[] = [
  { change: "summary", fields: [] },
  { change: "renumbered", count: 3 },
  { change: "changed", old: entry("#1", "Wood"), new: entry("#2", "Wood"), fields: [] },
  { change: "renamed", old: entry("#3", "Cube"), new: entry("#3", "Box"), fields: [] },
  { change: "removed", old: entry("sounds/wind") },
  { change: "changed", old: entry("#9", null, "mesh"), new: entry("#9", null, "mesh"), fields: [] },
  { change: "transmuted", new: entry("x") },
];

test("changes are counted by kind, one that is not known too", () => {
  expect(countKinds(CHANGES)).toEqual([
    ["removed", 1],
    ["changed", 2],
    ["renamed", 1],
    ["summary", 1],
    ["renumbered", 1],
    ["transmuted", 1],
  ]);
});

test("changes are chosen by kind and by what they hold", () => {
  expect(filterChanges(CHANGES, undefined, "")).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(filterChanges(CHANGES, "changed", "")).toEqual([2, 5]);
  expect(filterChanges(CHANGES, undefined, " CUBE ")).toEqual([3]);
  expect(filterChanges(CHANGES, undefined, "box")).toEqual([3]);
  expect(filterChanges(CHANGES, "changed", "mesh")).toEqual([5]);
});

test("a change has the name of its entry, and both where it has another one", () => {
  expect(CHANGES.map(titleOf)).toEqual([
    "The file as a whole",
    "3 entries have other ids and are the same otherwise",
    "Wood",
    "Cube → Box",
    "sounds/wind",
    "#9",
    "x",
  ]);
});

test("values stand beside each other as people read them", () => {
  expect(
    fieldLines([
      { path: "a", type: "u32", old: 100, new: 77, unit: "copper" },
      { path: "b", type: "word", old: "0xffffffff", new: "0xffff0000", old_shown: "0xffffffff argb (#ffffff)", new_shown: "0xffff0000 argb (#ff0000)" },
      { path: "c", type: "u8", new: 0, new_meaning: "default" },
      { path: "d", type: "word", old: 1, new: 2, bits: ["+x", "-y"] },
      { path: "e", type: "text", old: "q", new: "q", old_shown: '"q"', new_shown: '"q"', old_bytes: "7100", new_bytes: "7101" },
    ]),
  ).toEqual([
    { path: "a", depth: 0, old: "100 copper", new: "77 copper" },
    { path: "b", depth: 0, old: "0xffffffff argb (#ffffff)", new: "0xffff0000 argb (#ff0000)" },
    { path: "c", depth: 0, new: "0 (default)" },
    { path: "d", depth: 0, old: "1", new: "2", note: "+x, -y" },
    { path: "e", depth: 0, old: '"q", stored as 7100', new: '"q", stored as 7101' },
  ]);
});

test("items of a list stand below it, with their places where those differ", () => {
  const value = (path: string) => ({ path, type: "f32", old: 0, new: 1 });
  const list = { path: "p", type: "list", old_count: 3, new_count: 4, changed: 2, added: 1, removed: 0, items: [
    { old_index: 0, new_index: 0, fields: [value("p[0]")] },
    { old_index: 1, new_index: 2, fields: [value("p[2]")] },
    { old_index: null, new_index: 3, fields: [] },
  ] };
  expect(fieldLines([list])).toEqual([
    { path: "p", depth: 0, old: "3 items", new: "4 items", note: "2 changed, 1 added" },
    { path: "p[0]", depth: 1, old: "0", new: "1" },
    { path: "p", depth: 1, old: "[1]", new: "[2]" },
    { path: "p[2]", depth: 2, old: "0", new: "1" },
    { path: "p", depth: 1, new: "[3]" },
  ]);
  expect(hasMore([list])).toBe(false);
  const cut = { ...list, changed: 12 };
  expect(fieldLines([cut])[0]?.note).toBe("12 changed, 1 added, 10 of them not shown");
  expect(hasMore([cut])).toBe(true);
  expect(hasMore([{ ...list, items: [{ old_index: 0, new_index: 0, fields: [cut] }] }])).toBe(true);
});

test("bytes say where they differ, groups how many fields they have", () => {
  expect(
    fieldLines([
      { path: "content", type: "bytes", old_size: 900, new_size: 500, start: 16, old_length: 3, new_length: 2, old_part: "010203", new_part: "0405" },
      { path: "g", type: "group", old_count: 0, new_count: 30, fields: [{ path: "g.a", type: "u8", new: 1 }] },
    ]),
  ).toEqual([
    { path: "content", depth: 0, old: "010203 (3 of 900 B from 0x10)", new: "0405 (2 of 500 B from 0x10)", note: "bytes that differ" },
    { path: "g", depth: 0, new: "30 fields", note: "30 fields, the first 1 of them here" },
    { path: "g.a", depth: 1, new: "1" },
  ]);
});
