import type { ComponentChildren } from "preact";
import { useMemo, useState } from "preact/hooks";
import { edited } from "../edit/field";
import { Grid } from "../grid";
import { useCall } from "../query";
import { type OpenFile, address, go } from "../state";
import { TableFrame } from "./frame";
import { LANGUAGE, columnsOf, languagesOf, sideBySide } from "./languages";

/** The texts of a category, with a column for each of their languages. */
export function Texts({ file, path, tools }: { file: OpenFile; path: string; tools: ComponentChildren }) {
  const { entry } = address.value;
  const [hasGaps, setGaps] = useState(false);
  const rows = useCall("ls", { file: file.handle, globs: [`${path}/**`], columns: ["path", LANGUAGE, "content"] }, file.version);
  const info = useCall("info", { files: [file.handle] }, file.version);
  const all = useMemo(() => sideBySide(rows?.rows ?? []), [rows]);
  const languages = useMemo(() => columnsOf(all, languagesOf(info?.rows[0])), [all, info]);
  const texts = useMemo(() => (hasGaps ? all.filter((text) => text.texts.size < languages.length) : all), [all, languages, hasGaps]);
  const columns = [{ name: "text", width: 12 }, ...languages.map((it) => ({ name: it.name, width: 26 }))];
  const slots = new Map(languages.map((it) => [it.name, it.slot]));
  const nth = texts.findIndex((text) => entry !== undefined && (entry === text.path || entry.startsWith(`${text.path}/`)));
  const gaps = (
    <label>
      <input type="checkbox" checked={hasGaps} onChange={(event) => setGaps(event.currentTarget.checked)} /> with gaps only
    </label>
  );
  return (
    <TableFrame rows={texts.length} tools={[tools, gaps]}>
      <Grid
        label="Texts"
        columns={columns}
        count={texts.length}
        chosen={nth < 0 ? undefined : nth}
        onChoose={(row) => {
          const [first] = texts[row]?.texts.values() ?? [];
          if (first) go({ ...address.value, entry: first.path });
        }}
        cell={(row, column) => {
          const text = texts[row];
          if (column === "text") return text?.path;
          const own = text?.texts.get(slots.get(column) ?? -1);
          return own === undefined ? (
            <span class="quiet">—</span>
          ) : (
            <span
              title={own.content}
              onDblClick={() => {
                edited.value = { entry: own.path, path: "content" };
              }}
              onClick={(event) => {
                event.stopPropagation();
                go({ ...address.value, entry: own.path });
              }}
            >
              {own.content}
            </span>
          );
        }}
      />
    </TableFrame>
  );
}
