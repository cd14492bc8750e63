import { beforeAll, expect, test } from "vitest";

beforeAll(() => {
  Object.assign(globalThis, { location: { hash: "" }, addEventListener: () => {}, document: { documentElement: { dataset: {} } } });
});

test("the kind of a field is what it is in, and the section on it where that says little", async () => {
  const { kindOf } = await import("../src/overview");
  expect(kindOf("chunks[5].rows[3].name", "docs/gamedata.md#2016-texts")).toBe("chunks.rows: 2016 texts");
  expect(kindOf("header.magic", "docs/cff.md#1-file-header")).toBe("header.magic: file header");
  expect(kindOf("data[0]", null)).toBe("data");
  expect(kindOf("data.records[9].chunk.vertices.uv[3][0]", "docs/classes.md#1-notation")).toBe("data.records.chunk.vertices");
});

test("parts are looked at from afar first, each once", async () => {
  const { spread } = await import("../src/overview");
  for (const count of [0, 1, 7, 256]) expect(spread(count).toSorted((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, nth) => nth));
  expect(spread(8).slice(0, 4)).toEqual([0, 4, 2, 6]);
});

test("a field fills the parts whose middles it has, and no others", async () => {
  const { Overview } = await import("../src/overview");
  const overview = new Overview(0, "file", 2560);
  const part = { path: "a", kind: "a" };
  // Parts have 10 bytes; middles are at 5, 15, 25 ...
  overview.fill(4, part, 25, 31);
  expect(overview.parts.flatMap((it, nth) => (it === undefined ? [] : [nth]))).toEqual([2, 3, 4, 5]);
  expect(overview.part(2559)).toBe(255);
  expect(overview.start(1)).toBe(10);
});

test("a space of few bytes has a part for each of them, and an empty one has none", async () => {
  const { Overview } = await import("../src/overview");
  const small = new Overview(0, "file", 3);
  expect([0, 1, 2].map(small.middle)).toEqual([0, 1, 2]);
  expect(new Overview(0, "file", 0).parts).toEqual([]);
});
