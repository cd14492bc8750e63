import { expect, test } from "vitest";
import { barsOf, columnsOf, pathColumns } from "../src/sql/results";
import { characterAt, limited, lineOf, nameText, remembered, statementError } from "../src/sql/statements";

test("statements that hand out rows are limited, others stay as they are", () => {
  expect(limited("select 1; ", 5)).toBe("SELECT * FROM (\nselect 1\n) LIMIT 5");
  expect(limited("WITH a AS (VALUES (1)) SELECT * FROM a -- all", 5)).toBe("SELECT * FROM (\nWITH a AS (VALUES (1)) SELECT * FROM a -- all\n) LIMIT 5");
  expect(limited("explain query plan select 1", 5)).toBe("explain query plan select 1");
  expect(limited("selection", 5)).toBe("selection");
});

test("an error says what is wrong, and where", () => {
  const message = "SQLite does not take the statement: found no such column: nosuch";
  const sql = "select 'ä', nosuch from entries";
  expect(statementError({ message, space: "statement", offset: 13 }, sql)).toEqual({ message, at: 12 });
  expect(statementError({ message, space: "file", offset: 13 }, sql)).toEqual({ message });
  expect(statementError({ message: "interrupted" }, sql)).toEqual({ message: "interrupted" });
});

test("bytes of a statement are found among its characters", () => {
  expect(characterAt("aä关😀b", 0)).toBe(0);
  expect(characterAt("aä关😀b", 3)).toBe(2);
  expect(characterAt("aä关😀b", 10)).toBe(5);
  expect(characterAt("ab", 99)).toBe(2);
  expect(lineOf("a\nbc", 3)).toEqual({ line: 2, column: 2 });
  expect(lineOf("", 0)).toEqual({ line: 1, column: 1 });
});

test("statements are remembered once, the newest first", () => {
  expect(remembered(["b", "a"], "a")).toEqual(["a", "b"]);
  expect(remembered(Array.from({ length: 100 }, (_, nth) => `${nth}`), "new")).toHaveLength(100);
});

test("names are quoted where they must be", () => {
  expect([nameText("entries"), nameText("row:1"), nameText('a"b')]).toEqual(["entries", '"row:1"', '"a""b"']);
});

test("columns know numbers and widths, and which of them lead on", () => {
  const columns = columnsOf([
    { kind: "CKMesh", n: null, path: "#1" },
    { kind: "x".repeat(99), n: 2, path: "#2" },
  ]);
  expect(columns.map((it) => [it.name, it.isNumber, it.width])).toEqual([["kind", false, 40], ["n", true, 4], ["path", false, 4]]);
  expect(pathColumns(columns)).toEqual(["path"]);
  expect(columnsOf([])).toEqual([]);
  expect(columnsOf([{ a: null }])[0]?.isNumber).toBe(false);
});

test("a text and a number are bars; without either there are none", () => {
  const rows = [{ n: 3, kind: "a" }, { n: -1, kind: null }];
  expect(barsOf(rows, columnsOf(rows))).toEqual({ label: "kind", value: "n", bars: [{ label: "a", value: 3 }, { label: "", value: -1 }] });
  expect(barsOf([{ n: 1 }], columnsOf([{ n: 1 }]))).toBeUndefined();
  expect(barsOf([{ a: "x" }], columnsOf([{ a: "x" }]))).toBeUndefined();
});
