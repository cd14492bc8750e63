import { expect, test } from "vitest";
import { csvText, parseCsv } from "../src/csv";

test("rows become CSV as the command prints it", () => {
  const rows = [
    { text_id: 1, content: 'a"b,c', x: null, y: 1.5, line: "\nq" },
    { text_id: 2, content: " plain ", x: "", y: 0, line: "\r" },
  ];
  expect(csvText(["text_id", "content", "x", "y", "line"], rows)).toBe(
    'text_id,content,x,y,line\n1,"a""b,c",,1.5,"\nq"\n2, plain ,,0,"\r"\n',
  );
});

test("CSV comes back cell by cell", () => {
  expect(parseCsv('a,b\r\n1,"x, ""y""\nz"\n,\n')).toEqual([["a", "b"], ["1", 'x, "y"\nz'], ["", ""]]);
  expect(parseCsv("a\n1")).toEqual([["a"], ["1"]]);
  expect(parseCsv("a,")).toEqual([["a", ""]]);
  expect(parseCsv("")).toEqual([]);
});

test("a quote that never ends is no CSV", () => {
  expect(() => parseCsv('"a')).toThrow();
});

test("what was printed is read again", () => {
  const rows = [{ a: 'he said "no", twice', b: "1\r\n2" }, { a: "", b: "," }];
  expect(parseCsv(csvText(["a", "b"], rows)).slice(1)).toEqual(rows.map((row) => [row.a, row.b]));
});
