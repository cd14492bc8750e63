import type { Row } from "../client/client";
import { valueText } from "../format";

/** Rows that are looked at for the width of a column. */
const LOOKED_AT = 200;
/** The narrowest and the widest column, in characters. */
const WIDTHS = [4, 40] as const;

/** A column of a result. */
export interface Column {
  name: string;
  isNumber: boolean;
  /** Its width, in characters. */
  width: number;
}

/** The columns of a result, as its first row has them. */
export function columnsOf(rows: Row[]): Column[] {
  return Object.keys(rows[0] ?? {}).map((name) => {
    const values = rows.map((row) => row[name]).filter((value) => value !== null && value !== undefined);
    const widest = Math.max(name.length, ...rows.slice(0, LOOKED_AT).map((row) => valueText(row[name]).length));
    return {
      name,
      isNumber: values.length > 0 && values.every((value) => typeof value === "number"),
      width: Math.min(WIDTHS[1], Math.max(WIDTHS[0], widest)),
    };
  });
}

/** Columns whose cells are paths of entries, those that lead where one wants to go first. */
const PATHS = ["entry", "path", "target"];

/** The column of a result whose cells lead to entries. */
export const pathColumns = (columns: Column[]): string[] => PATHS.filter((name) => columns.some((it) => it.name === name && !it.isNumber));

/** A bar of a chart. */
export interface Bar {
  label: string;
  value: number;
}

/** Bars that are drawn at the most. */
export const MOST_BARS = 50;

/** The first rows as bars, where the result has a text and a number. */
export function barsOf(rows: Row[], columns: Column[]): { label: string; value: string; bars: Bar[] } | undefined {
  const label = columns.find((it) => !it.isNumber && rows.some((row) => typeof row[it.name] === "string"))?.name;
  const value = columns.find((it) => it.isNumber)?.name;
  if (label === undefined || value === undefined) return undefined;
  const bars = rows.slice(0, MOST_BARS).map((row) => ({ label: valueText(row[label]), value: Number(row[value] ?? 0) }));
  return { label, value, bars };
}
