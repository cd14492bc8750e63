import { expect, test } from "vitest";
import { align } from "../src/diff/align";

const bytes = (text: string) => new TextEncoder().encode(text);

/** Both texts as they lie beside each other, and marks below what differs. */
function drawn(old: string, now: string): [string, string, string] {
  const aligned = align(bytes(old), bytes(now));
  const columns = Array.from({ length: aligned.length }, (_, nth) => aligned.at(nth));
  expect(aligned.differing).toBe(columns.filter((it) => !it.isEqual).length);
  return [
    columns.map((it) => (it.old === undefined ? "-" : old[it.old])).join(""),
    columns.map((it) => (it.new === undefined ? "-" : now[it.new])).join(""),
    columns.map((it) => (it.isEqual ? " " : "^")).join(""),
  ];
}

test("bytes of one length lie place by place", () => {
  expect(drawn("abcd", "xbca")).toEqual(["abcd", "xbca", "^  ^"]);
  expect(drawn("", "")).toEqual(["", "", ""]);
});

test("what is put in leaves a gap on the other side", () => {
  expect(drawn("abcdef", "abXYcdef")).toEqual(["ab--cdef", "abXYcdef", "  ^^    "]);
  expect(drawn("abXYcdef", "abcdef")).toEqual(["abXYcdef", "ab--cdef", "  ^^    "]);
  expect(drawn("", "ab")).toEqual(["--", "ab", "^^"]);
});

test("two places at once, one of another length", () => {
  expect(drawn("head-1-middle-tail", "head-2-middle+plus-tail")).toEqual([
    "head-1-middle------tail",
    "head-2-middle+plus-tail",
    "     ^       ^^^^^     ",
  ]);
});

test("every byte of both sides stands there once and in order, whatever they are", () => {
  let seed = 7;
  const random = (below: number) => (seed = (seed * 1103515245 + 12345) % 2147483648) % below;
  for (let round = 0; round < 200; round += 1) {
    const old = Uint8Array.from({ length: random(60) }, () => random(3));
    const now = Uint8Array.from({ length: random(60) }, () => random(3));
    const aligned = align(old, now);
    const columns = Array.from({ length: aligned.length }, (_, nth) => aligned.at(nth));
    expect(columns.flatMap((it) => it.old ?? [])).toEqual([...old.keys()]);
    expect(columns.flatMap((it) => it.new ?? [])).toEqual([...now.keys()]);
    for (const { old: a, new: b, isEqual } of columns) expect(isEqual).toBe(a !== undefined && b !== undefined && old[a] === now[b]);
  }
});

test("large texts without anything in common are laid out at once", () => {
  const [old, now] = [new Uint8Array(3_000_000).fill(1), new Uint8Array(2_000_000).fill(2)];
  const before = performance.now();
  const aligned = align(old, now);
  expect(aligned.length).toBe(3_000_000);
  expect(aligned.differing).toBe(3_000_000);
  expect(aligned.nextLine(0, 1, 8)).toBe(0);
  expect(performance.now() - before).toBeLessThan(2000);
});

test("the next line that differs is found both ways", () => {
  const old = new Uint8Array(64);
  const now = old.slice();
  now[17] = 1;
  now[40] = 1;
  const aligned = align(old, now);
  expect(aligned.nextLine(0, 1, 8)).toBe(2);
  expect(aligned.nextLine(3, 1, 8)).toBe(5);
  expect(aligned.nextLine(4, -1, 8)).toBe(2);
  expect(aligned.nextLine(6, 1, 8)).toBeUndefined();
});
