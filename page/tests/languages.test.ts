import { expect, test } from "vitest";
import { columnsOf, languagesOf, sideBySide } from "../src/tables/languages";

const rows = [
  { path: "texts/1/0", language_id: 0, content: "Eisenschwert" },
  { path: "texts/1/1", language_id: 1, content: "Iron sword" },
  { path: "texts/2/7", language_id: 7, content: "?" },
  { path: "texts/1/2", language_id: 2, content: "" },
];

test("rows of a text stand side by side", () => {
  const texts = sideBySide(rows);
  expect(texts.map((text) => [text.path, [...text.texts.keys()]])).toEqual([["texts/1", [0, 1, 2]], ["texts/2", [7]]]);
  expect(texts[0]?.texts.get(1)).toEqual({ path: "texts/1/1", content: "Iron sword" });
});

test("languages are named as the file names them; those that only rows have come last", () => {
  const info = { details: { languages: [{ slot: 1, name: "English" }, { slot: 0, name: "German" }, { slot: 5, name: "Russian" }] } };
  expect(columnsOf(sideBySide(rows), languagesOf(info))).toEqual([
    { slot: 1, name: "English" },
    { slot: 0, name: "German" },
    { slot: 2, name: "language 2" },
    { slot: 7, name: "language 7" },
  ]);
  expect(languagesOf(undefined)).toEqual([]);
});
