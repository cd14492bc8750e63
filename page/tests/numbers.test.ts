import { expect, test } from "vitest";
import { numbersOf, textOf } from "../src/numbers";

const of = (bytes: number[], little: boolean) => Object.fromEntries(numbersOf(Uint8Array.from(bytes), little).map(({ type, text }) => [type, text]));

test("bytes are numbers in both orders, as far as there are enough of them", () => {
  expect(of([0xfe, 0xff], true)).toEqual({ u8: "254", i8: "-2", u16: "65534", i16: "-2" });
  expect(of([0xfe, 0xff], false)).toEqual({ u8: "254", i8: "-2", u16: "65279", i16: "-257" });
  expect(of([], true)).toEqual({});
  const eight = of([255, 255, 255, 255, 255, 255, 255, 255], true);
  expect(eight.u64).toBe("18446744073709551615");
  expect(eight.i64).toBe("-1");
  expect(eight.f64).toBe("NaN");
});

test("numbers of four bytes have the digits that they have, and no others", () => {
  expect(of([0xcd, 0xcc, 0xcc, 0x3d], true).f32).toBe("0.1");
  expect(of([0, 0, 0x80, 0x3f], true).f32).toBe("1");
});

test("bytes that are no text are dots", () => {
  expect(textOf(Uint8Array.of(65, 0, 200, 66), "ASCII")).toBe("A··B");
  expect(textOf(Uint8Array.of(0xc3, 0xa9, 0xff, 10), "UTF-8")).toBe("é··");
  expect(textOf(Uint8Array.of(0xd1, 0xf2), "windows-1251")).toBe("Ст");
});
