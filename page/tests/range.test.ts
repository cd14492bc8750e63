import { expect, test } from "vitest";
import { range } from "../src/virtual";

test("rows in sight are there, with some beyond", () => {
  const at = range(100, 20, 200, 100);
  expect(at.first).toBe(10);
  expect(at.start).toBeLessThanOrEqual(10);
  expect(at.end).toBeGreaterThanOrEqual(15);
  expect(at.offset(10)).toBe(200);
});

test("the last of ten million rows is in sight at the end of the bar", () => {
  const [count, rowHeight, sight] = [10_000_000, 24, 480];
  const { height } = range(count, rowHeight, 0, sight);
  expect(height).toBeLessThan(33_554_400);
  const end = range(count, rowHeight, height - sight, sight);
  expect(end.end).toBe(count);
  expect(end.offset(count - 1) - (height - sight)).toBeCloseTo(sight - rowHeight);
});

test("a row is the first in sight at its position", () => {
  for (const count of [1000, 10_000_000]) {
    for (const row of [0, 1, 500, count - 100]) {
      const { position } = range(count, 24, 0, 480);
      expect(Math.abs(range(count, 24, position(row), 480).first - row)).toBeLessThanOrEqual(1);
    }
  }
});
