import { beforeAll, expect, test } from "vitest";

// The state of the page looks at the address bar.
beforeAll(() => {
  Object.assign(globalThis, { location: { hash: "" }, addEventListener: () => {}, document: { documentElement: { dataset: {} } } });
});

test("the bytes of fields become a block, from its start to its end", async () => {
  const { BLOCK, blockOf } = await import("../src/bytes");
  const rows = [
    { path: "a", offset: BLOCK - 2, size: 4, bytes: "0304", bytes_offset: BLOCK },
    { path: "b", offset: BLOCK + 2, size: 2, bytes: "ff00", bytes_offset: BLOCK + 2 },
    { path: "c", offset: BLOCK * 2 - 1, size: 2, bytes: "aa", bytes_offset: BLOCK * 2 - 1 },
  ];
  const block = blockOf(rows, BLOCK);
  expect([...block.bytes.subarray(0, 4)]).toEqual([3, 4, 255, 0]);
  expect(block.bytes[BLOCK - 1]).toBe(0xaa);
  expect(block.length).toBe(BLOCK);
  expect(block.fields.map((it) => it.path)).toEqual(["a", "b", "c"]);
});

test("a block at the end of a space is as long as what is there", async () => {
  const { blockOf } = await import("../src/bytes");
  expect(blockOf([{ path: "a", offset: 0, size: 3, bytes: "000000", bytes_offset: 0 }], 0).length).toBe(3);
  expect(blockOf([], 0).length).toBe(0);
});
