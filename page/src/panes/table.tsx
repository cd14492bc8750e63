import { useEffect, useRef, useState } from "preact/hooks";
import type { Row } from "../client/client";
import { valueText } from "../format";
import { RowPages } from "../pages";
import { useCall } from "../query";
import { address, current, go } from "../state";
import { useRowHeight, VirtualList } from "../virtual";

/** What stands in every row of a listing and is no column of a table. */
const OTHERS = new Set(["file", "path", "size", "label", "row"]);

/** A category of a GameData as a table, with what its rows are called. */
export function TablePane() {
  const file = current.value;
  const { entry } = address.value;
  const categories = useCall(file ? "ls" : undefined, { file: file?.handle ?? 0 }, file?.version);
  const tables = (categories?.rows ?? []).filter((row) => Number(row.rows ?? 0) > 0);
  const named = entry?.split("/")[0];
  const table = tables.find((row) => row.path === named) ?? tables[0];
  const path = table === undefined ? undefined : String(table.path);
  const [sort, setSort] = useState<{ column: string; reverse: boolean } | undefined>(undefined);
  const [, again] = useState(0);
  const rowHeight = useRowHeight();
  const pages = useRef<RowPages | undefined>(undefined);
  useEffect(() => setSort(undefined), [path]);
  useEffect(() => {
    const order = sort === undefined ? {} : { sort: sort.column, reverse: sort.reverse };
    pages.current = file && path !== undefined ? new RowPages({ file: file.handle, globs: [`${path}/*`], ...order }, () => again((n) => n + 1)) : undefined;
    pages.current?.want(0, 1);
    again((n) => n + 1);
  }, [file?.handle, file?.version, path, sort]);
  const rows = pages.current;
  const columns = Object.keys(rows?.row(0) ?? {}).filter((key) => !OTHERS.has(key));
  const cells = (row: Row | undefined) => (
    <div class={`cells${row?.path === entry && row !== undefined ? " chosen" : ""}`} role="option" aria-selected={row?.path === entry} onClick={() => row && go({ ...address.value, entry: String(row.path) })}>
      <span class="cell label">{row === undefined ? "…" : String(row.label ?? row.path)}</span>
      {columns.map((column) => (
        <span class="cell" key={column}>
          {valueText(row?.[column])}
        </span>
      ))}
    </div>
  );
  return (
    <section class="pane" data-role="table" data-rows={rows?.count ?? 0} aria-label="Table">
      <header>
        <select aria-label="Table" value={path ?? ""} onChange={(event) => go({ ...address.value, entry: event.currentTarget.value })}>
          {tables.map((row) => (
            <option key={String(row.path)} value={String(row.path)}>
              {String(row.path)} {String(row.name ?? "")}
            </option>
          ))}
        </select>
        <span class="quiet">{rows?.count ?? 0} rows</span>
      </header>
      <div class="table">
        <div class="cells head">
          <span class="cell label">name</span>
          {columns.map((column) => (
            <button
              key={column}
              type="button"
              class="cell"
              aria-pressed={sort?.column === column}
              onClick={() => setSort({ column, reverse: sort?.column === column && !sort.reverse })}
            >
              {column}
              {sort?.column === column ? (sort.reverse ? " ▾" : " ▴") : ""}
            </button>
          ))}
        </div>
        <VirtualList
          count={rows?.count ?? 0}
          rowHeight={rowHeight}
          label="Rows"
          shown={rows?.find((row) => row.path === entry)}
          onRange={rows?.want}
          render={(nth) => cells(rows?.row(nth))}
        />
      </div>
    </section>
  );
}
