import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { Row } from "../client/client";
import { bytesText } from "../format";
import { type OpenFile, address, call, current, go, work } from "../state";
import { VirtualList } from "../virtual";

/** Rows that are asked for in one go. */
const PAGE = 500;

/** The entries of a file by their position, read page by page as they come into sight. */
class EntryPages {
  readonly pages = new Map<number, Row[]>();
  private readonly asked = new Set<number>();
  count = 0;

  constructor(
    readonly file: OpenFile,
    private readonly glob: string,
    private readonly onChange: () => void,
  ) {}

  row(nth: number): Row | undefined {
    return this.pages.get(Math.floor(nth / PAGE))?.[nth % PAGE];
  }

  async page(page: number): Promise<void> {
    if (this.asked.has(page)) return;
    this.asked.add(page);
    await work(async () => {
      const globs = this.glob === "" ? {} : { globs: [this.glob] };
      const answer = await call("ls", { file: this.file.handle, offset: page * PAGE, limit: PAGE, ...globs });
      this.pages.set(page, answer.rows);
      const more = answer.notes.map((note) => /^(\d+) more/.exec(note)?.[1]).find((count) => count !== undefined);
      this.count = Math.max(this.count, page * PAGE + answer.rows.length + Number(more ?? 0));
      this.onChange();
    });
  }
}

/** A glob for what one types: itself where it is one, else for names that hold it. */
const globOf = (text: string) => (text === "" || /[*?[\]{}]/.test(text) ? text : `**/*${text}*`);

/** The entries of the open file, with those in sight alone read. */
export function EntriesPane() {
  const file = current.value;
  const [filter, setFilter] = useState("");
  const [glob, setGlob] = useState("");
  const [, again] = useState(0);
  const pages = useRef<EntryPages | undefined>(undefined);
  useEffect(() => {
    const later = setTimeout(() => setGlob(globOf(filter.trim())), 200);
    return () => clearTimeout(later);
  }, [filter]);
  const key = file === undefined ? "" : `${file.name} ${file.version} ${glob}`;
  useEffect(() => {
    pages.current = file && new EntryPages(file, glob, () => again((n) => n + 1));
    void pages.current?.page(0);
    again((n) => n + 1);
  }, [key]);
  const onRange = useCallback((start: number, end: number) => {
    for (let page = Math.floor(start / PAGE); page <= Math.floor((end - 1) / PAGE); page += 1) void pages.current?.page(page);
  }, []);
  const entries = pages.current;
  const chosen = address.value.entry;
  const position = positionOf(entries, chosen);
  const choose = (row: Row | undefined) => {
    if (row?.path !== undefined) go({ ...address.value, entry: String(row.path), at: undefined as never });
  };
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20 }[event.key];
    if (step === undefined || entries === undefined) return;
    event.preventDefault();
    choose(entries.row(Math.min(entries.count - 1, Math.max(0, (position ?? -1) + step))));
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
        rowHeight={24}
        label="Entries"
        shown={position}
        onRange={onRange}
        onKey={onKey}
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

/** Where an entry stands among those that were read. */
function positionOf(entries: EntryPages | undefined, path: string | undefined): number | undefined {
  if (entries === undefined || path === undefined) return undefined;
  for (const [page, rows] of entries.pages) {
    const nth = rows.findIndex((row) => row.path === path);
    if (nth >= 0) return page * PAGE + nth;
  }
  return undefined;
}
