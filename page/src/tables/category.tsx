import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { edited } from "../edit/field";
import { valueText } from "../format";
import { Grid } from "../grid";
import { RowPages } from "../pages";
import { type OpenFile, address, go } from "../state";
import { TableFrame } from "./frame";

/** What stands in every row of a listing and is no column of a table. */
const OTHERS = new Set(["file", "path", "size", "label", "row"]);
/** Key of the column with what rows are called, which no field of a row has. */
const LABEL = "";

/** A category as a table, with what its rows are called, sorted as one likes. */
export function Category({ file, path, tools }: { file: OpenFile; path: string; tools: ComponentChildren }) {
  const { entry } = address.value;
  const [sort, setSort] = useState<{ column: string; reverse: boolean } | undefined>(undefined);
  const [, again] = useState(0);
  const pages = useRef<RowPages | undefined>(undefined);
  useEffect(() => setSort(undefined), [path]);
  useEffect(() => {
    const order = sort === undefined ? {} : { sort: sort.column, reverse: sort.reverse };
    pages.current = new RowPages({ file: file.handle, globs: [`${path}/*`], ...order }, () => again((n) => n + 1));
    pages.current.want(0, 1);
    again((n) => n + 1);
  }, [file.handle, file.version, path, sort]);
  const rows = pages.current;
  const keys = Object.keys(rows?.row(0) ?? {});
  const names = keys.filter((key) => !OTHERS.has(key));
  const numbers = new Set(names.filter((name) => typeof rows?.row(0)?.[name] === "number"));
  const columns = [
    { name: LABEL, title: "name", width: 26 },
    ...names.map((name) => ({
      name,
      width: Math.max(numbers.has(name) ? 8 : 18, name.length + 2),
      isNumber: numbers.has(name),
      ...(sort?.column === name ? { mark: sort.reverse ? " ▾" : " ▴" } : {}),
      onChoose: () => setSort({ column: name, reverse: sort?.column === name && !sort.reverse }),
    })),
  ];
  return (
    <TableFrame rows={rows?.count ?? 0} tools={tools}>
      <Grid
        label="Rows"
        columns={columns}
        count={rows?.count ?? 0}
        chosen={rows?.find((row) => row.path === entry)}
        onRange={rows?.want}
        onChoose={(nth) => {
          const row = rows?.row(nth);
          if (row !== undefined) go({ ...address.value, entry: String(row.path) });
        }}
        onEdit={(nth, column) => {
          const row = rows?.row(nth);
          if (row !== undefined && column !== LABEL) edited.value = { entry: String(row.path), path: column };
        }}
        cell={(nth, column) => {
          const row = rows?.row(nth);
          if (column === LABEL) return row === undefined ? "…" : String(row.label ?? row.path);
          return valueText(row?.[column]);
        }}
      />
    </TableFrame>
  );
}
