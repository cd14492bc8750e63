import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { parseCsv } from "../csv";
import { Grid } from "../grid";
import { type OpenFile, make, work } from "../state";
import { TableFrame } from "./frame";

/** An array of data as a table: what its export as CSV has. */
export function ArrayTable({ file, path, tools }: { file: OpenFile; path: string; tools: ComponentChildren }) {
  const key = `${file.handle} ${file.version} ${path}`;
  const [read, setRead] = useState<{ key: string; lines: string[][] } | undefined>(undefined);
  const [chosen, setChosen] = useState<number | undefined>(undefined);
  useEffect(() => {
    setChosen(undefined);
    const abort = new AbortController();
    void work(async () => {
      const bytes = await make("export", { file: file.handle, to: "csv", paths: [path] }, "csv", abort.signal);
      if (!abort.signal.aborted) setRead({ key, lines: parseCsv(new TextDecoder().decode(bytes)) });
    });
    return () => abort.abort();
  }, [key]);
  const [names = [], ...rows] = read?.key === key ? read.lines : [];
  // Two columns may have one name.
  const columns = useMemo(
    () =>
      names.map((name, nth) => {
        const cells = rows.slice(0, 200).map((row) => row[nth] ?? "");
        const isNumber = cells.length > 0 && cells.every((cell) => cell === "" || Number.isFinite(Number(cell)));
        return { name: names.indexOf(name) < nth ? `${name}:${nth}` : name, width: Math.min(40, Math.max(6, name.length, ...cells.map((cell) => cell.length))), isNumber };
      }),
    [read],
  );
  const places = new Map(columns.map((column, nth) => [column.name, nth]));
  return (
    <TableFrame rows={rows.length} tools={tools}>
      {read?.key === key && columns.length === 0 && <p class="notice">This array has no columns.</p>}
      {columns.length > 0 && (
        <Grid label="Rows" columns={columns} count={rows.length} chosen={chosen} onChoose={setChosen} cell={(row, column) => rows[row]?.[places.get(column) ?? -1]} />
      )}
    </TableFrame>
  );
}
