import { expect, test } from "vitest";
import { type Pixels, differenceOf, differenceText } from "../src/diff/pictures";

const picture = (width: number, height: number, ...values: number[]): Pixels => ({ width, height, data: Uint8ClampedArray.from(values) });

test("pictures that are the same have nothing that differs", () => {
  const one = picture(2, 1, 1, 2, 3, 255, 9, 9, 9, 0);
  const difference = differenceOf(one, picture(2, 1, 1, 2, 3, 255, 9, 9, 9, 0));
  expect([difference.differing, difference.largest, difference.mean]).toEqual([0, 0, 0]);
  expect(differenceText(one, one, difference)).toBe("Both pictures are the same, pixel by pixel.");
});

test("every channel counts, alpha too, and the larger difference is the brighter", () => {
  const old = picture(3, 1, 10, 0, 0, 255, 0, 0, 0, 255, 7, 7, 7, 255);
  const now = picture(3, 1, 11, 0, 0, 255, 0, 0, 0, 55, 7, 7, 7, 255);
  const difference = differenceOf(old, now);
  expect([difference.differing, difference.all, difference.largest]).toEqual([2, 3, 200]);
  expect(difference.mean).toBeCloseTo(201 / 3);
  const red = (nth: number) => difference.pixels.data[nth * 4] ?? 0;
  expect(red(1)).toBeGreaterThan(red(0));
  expect(red(0)).toBeGreaterThan(red(2));
  expect(differenceText(old, now, difference)).toBe("2 of 3 pixels differ (66.7 %); the largest difference of a channel is 200 of 255, the mean 67.00.");
});

test("what one picture alone has differs", () => {
  const old = picture(1, 2, 1, 1, 1, 1, 2, 2, 2, 2);
  const now = picture(2, 1, 1, 1, 1, 1, 3, 3, 3, 3);
  const difference = differenceOf(old, now);
  expect([difference.pixels.width, difference.pixels.height]).toEqual([2, 2]);
  // The corner that neither has is no difference.
  expect(difference.differing).toBe(2);
  expect(differenceText(old, now, difference)).toContain("The old picture is 1 × 2, the new one 2 × 1. 2 of 4 pixels differ");
});
