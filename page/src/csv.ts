import type { Row } from "./client/client";
import { valueText } from "./format";

/** A cell of CSV: in quotes where commas, quotes or ends of lines are in it. */
const cellText = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Rows as CSV with a line of names, as the command prints it with `--csv`. */
export function csvText(columns: string[], rows: Row[]): string {
  const lines = rows.map((row) => columns.map((column) => cellText(valueText(row[column]))).join(","));
  return [columns.map(cellText).join(","), ...lines, ""].join("\n");
}

/** Reads CSV: the cells of each line, the line of names among them. */
export function parseCsv(text: string): string[][] {
  const lines: string[][] = [];
  const next = /(?:"((?:[^"]|"")*)"|((?!")[^,\r\n]*))(,|\r?\n|$)/gy;
  let line: string[] = [];
  while (next.lastIndex < text.length) {
    const match = next.exec(text);
    if (match === null) throw new Error("this is no CSV");
    const [, quoted, plain, end] = match;
    line.push(quoted?.replaceAll('""', '"') ?? plain ?? "");
    if (end === ",") {
      if (next.lastIndex === text.length) line.push("");
      else continue;
    }
    lines.push(line);
    line = [];
  }
  if (line.length > 0) lines.push(line);
  return lines;
}
