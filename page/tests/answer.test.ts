import { expect, test } from "vitest";
import { parseAnswer } from "../src/client/local";

const bytes = (text: string) => new TextEncoder().encode(text);

test("rows, bodies and the code come in any order", () => {
  const parts = [bytes('{"row":{"path":"a"}}\n{"body":3}\n'), new Uint8Array([10, 0, 10]), bytes('{"row":{"path":"b"}}\n{"body":1}\n'), new Uint8Array([7]), bytes('{"note":"2 more"}\n{"code":1}\n')];
  const answer = parseAnswer(new Uint8Array(parts.flatMap((part) => [...part])));
  expect(answer.rows.map((row) => row.path)).toEqual(["a", "b"]);
  expect([...answer.body]).toEqual([10, 0, 10, 7]);
  expect(answer.notes).toEqual(["2 more"]);
  expect(answer.code).toBe(1);
});

test("an answer that ends early is an error", () => {
  expect(() => parseAnswer(bytes('{"row":{}}'))).toThrow("within a line");
  expect(() => parseAnswer(bytes('{"body":4}\nab'))).toThrow("within a body");
});
