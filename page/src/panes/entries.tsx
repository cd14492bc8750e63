import { useEffect, useRef, useState } from "preact/hooks";
import type { Row } from "../client/client";
import { bytesText } from "../format";
import { RowPages } from "../pages";
import { address, current, go } from "../state";
import { useRowHeight, VirtualList } from "../virtual";

/** A glob for what one types: itself where it is one, else for names that hold it. */
const globOf = (text: string) => (text === "" || /[*?[\]{}]/.test(text) ? text : `**/*${text}*`);

/** The entries of the open file, with those in sight alone read. */
export function EntriesPane() {
  const file = current.value;
  const [filter, setFilter] = useState("");
  const [glob, setGlob] = useState("");
  const [, again] = useState(0);
  const rowHeight = useRowHeight();
  const pages = useRef<RowPages | undefined>(undefined);
  useEffect(() => {
    const later = setTimeout(() => setGlob(globOf(filter.trim())), 200);
    return () => clearTimeout(later);
  }, [filter]);
  const key = file === undefined ? "" : `${file.name} ${file.version} ${glob}`;
  useEffect(() => {
    const globs = glob === "" ? {} : { globs: [glob] };
    pages.current = file && new RowPages({ file: file.handle, ...globs }, () => again((n) => n + 1));
    pages.current?.want(0, 1);
    again((n) => n + 1);
  }, [key]);
  const entries = pages.current;
  const chosen = address.value.entry;
  const position = chosen === undefined ? undefined : entries?.find((row) => row.path === chosen);
  const choose = (row: Row | undefined) => {
    if (row?.path !== undefined) go({ ...address.value, entry: String(row.path), at: undefined as never });
  };
  return (
    <section class="pane" data-role="entries" data-rows={entries?.count ?? 0} aria-label="Entries">
      <header>
        <h2>Entries</h2>
        <input
          type="search"
          placeholder="name or glob"
          aria-label="Filter entries"
          value={filter}
          onInput={(event) => setFilter(event.currentTarget.value)}
        />
        <span class="quiet">{entries?.count ?? 0}</span>
      </header>
      <VirtualList
        count={entries?.count ?? 0}
        rowHeight={rowHeight}
        label="Entries"
        shown={position}
        onRange={entries?.want}
        onStep={(nth) => {
          const row = entries?.row(nth);
          choose(row);
          return row !== undefined;
        }}
        render={(nth) => {
          const row = entries?.row(nth);
          if (row === undefined) return <span class="quiet">…</span>;
          const path = String(row.path);
          return (
            <div
              class={`entry${path === chosen ? " chosen" : ""}`}
              role="option"
              aria-selected={path === chosen}
              onClick={() => choose(row)}
              title={path}
            >
              <span class="name">{String(row.name ?? row.title ?? path)}</span>
              <span class="quiet">{String(row.class ?? row.type ?? "")}</span>
              <span class="quiet">{bytesText(Number(row.size ?? 0))}</span>
            </div>
          );
        }}
      />
    </section>
  );
}
