import type { Row } from "./client/client";
import { call, work } from "./state";

/** Rows that are asked for in one go. */
export const PAGE = 500;
/** Pages that are kept: those that were wanted last. */
export const KEPT = 64;

/** The rows of a listing by their position, read page by page as they come into sight. */
export class RowPages {
  readonly pages = new Map<number, Row[]>();
  private readonly asked = new Set<number>();
  count = 0;

  constructor(
    private readonly request: Row,
    private readonly onChange: () => void,
  ) {}

  row(nth: number): Row | undefined {
    return this.pages.get(Math.floor(nth / PAGE))?.[nth % PAGE];
  }

  /** The position of the first row that was read and is so. */
  find(is: (row: Row) => boolean): number | undefined {
    for (const [page, rows] of this.pages) {
      const nth = rows.findIndex(is);
      if (nth >= 0) return page * PAGE + nth;
    }
    return undefined;
  }

  /** Asks for the rows of a range. */
  want = (start: number, end: number): void => {
    for (let page = Math.floor(start / PAGE); page <= Math.floor(Math.max(start, end - 1) / PAGE); page += 1) void this.page(page);
  };

  private async page(page: number): Promise<void> {
    const known = this.pages.get(page);
    if (known !== undefined) {
      // Those that were wanted last stand at the end.
      this.pages.delete(page);
      this.pages.set(page, known);
    }
    if (this.asked.has(page)) return;
    this.asked.add(page);
    await work(async () => {
      const answer = await call("ls", { ...this.request, offset: page * PAGE, limit: PAGE });
      this.pages.set(page, answer.rows);
      const [oldest] = this.pages.keys();
      if (this.pages.size > KEPT && oldest !== undefined) {
        this.pages.delete(oldest);
        this.asked.delete(oldest);
      }
      const more = answer.notes.map((note) => /^(\d+) more/.exec(note)?.[1]).find((count) => count !== undefined);
      this.count = Math.max(this.count, page * PAGE + answer.rows.length + Number(more ?? 0));
      this.onChange();
    });
  }
}
