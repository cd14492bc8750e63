import type { ComponentChildren } from "preact";

/** The pane of tables around one of them: what one chooses it with, and how many rows it has. */
export function TableFrame({ rows, tools, children }: { rows: number; tools: ComponentChildren; children?: ComponentChildren }) {
  return (
    <section class="pane" data-role="table" data-rows={rows} aria-label="Table">
      <header>
        {tools}
        <span class="quiet">{rows === 1 ? "1 row" : `${rows.toLocaleString("en")} rows`}</span>
      </header>
      {children}
    </section>
  );
}
