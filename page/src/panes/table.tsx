import { useEffect, useState } from "preact/hooks";
import { useCall } from "../query";
import { address, current, go } from "../state";
import { ArrayTable } from "../tables/array";
import { Category } from "../tables/category";
import { TableFrame } from "../tables/frame";
import { LANGUAGE } from "../tables/languages";
import { Texts } from "../tables/texts";

/** Entries that `export` writes as CSV, one by one. */
const ARRAYS = "CKDataArray/*";

/** Tables of a file: categories, texts in all of their languages, and arrays of data. */
export function TablePane() {
  const file = current.value;
  const { entry } = address.value;
  const hasArrays = file?.aspects.includes("arrays") ?? false;
  const listed = useCall(file ? "ls" : undefined, { file: file?.handle ?? 0, ...(hasArrays ? { globs: [ARRAYS] } : {}) }, file?.version);
  const tables = (listed?.rows ?? []).filter((row) => hasArrays || Number(row.rows ?? 0) > 0);
  const named = hasArrays ? entry : entry?.split("/")[0];
  // An entry that is no table leaves the one that is shown.
  const [last, setLast] = useState("");
  const table = tables.find((row) => row.path === named) ?? tables.find((row) => row.path === last) ?? tables[0];
  const path = table === undefined ? undefined : String(table.path);
  useEffect(() => setLast(path ?? ""), [path]);
  const isCategory = file !== undefined && path !== undefined && !hasArrays;
  const sample = useCall(isCategory ? "ls" : undefined, { file: file?.handle ?? 0, globs: [`${path}/*`], limit: 1 }, file?.version);
  const hasLanguages = LANGUAGE in (sample?.rows[0] ?? {});
  const [isWide, setWide] = useState(false);
  const tools = (
    <>
      <select aria-label="Table" value={path ?? ""} onChange={(event) => go({ ...address.value, entry: event.currentTarget.value })}>
        {tables.map((row) => (
          <option key={String(row.path)} value={String(row.path)}>
            {hasArrays ? `${row.name || row.path}` : `${row.path} ${row.name ?? ""}`}
          </option>
        ))}
      </select>
      {hasLanguages && (
        <button type="button" aria-pressed={isWide} class={isWide ? "chosen" : ""} onClick={() => setWide(!isWide)}>
          Languages side by side
        </button>
      )}
    </>
  );
  if (file === undefined || path === undefined) {
    return (
      <TableFrame rows={0} tools={<h2>Table</h2>}>
        {listed !== undefined && <p class="notice">This file has no tables.</p>}
      </TableFrame>
    );
  }
  if (hasArrays) return <ArrayTable file={file} path={path} tools={tools} />;
  return hasLanguages && isWide ? <Texts file={file} path={path} tools={tools} /> : <Category file={file} path={path} tools={tools} />;
}
