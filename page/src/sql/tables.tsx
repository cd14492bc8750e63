import { useState } from "preact/hooks";
import type { Row } from "../client/client";
import { nameText } from "./statements";

interface Column {
  name: string;
  type: string;
  unit: string | null;
  doc: string;
}

/** The tables that there are, with their columns; a name that is chosen goes into the statement. */
export function Tables({ rows, onChoose }: { rows: Row[]; onChoose(name: string): void }) {
  const [filter, setFilter] = useState("");
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const wanted = filter.trim().toLowerCase();
  const tables = rows.map((row) => ({ name: String(row.table), schema: String(row.schema), doc: String(row.doc), columns: (row.columns as Column[]) ?? [] }));
  const names = tables.map((it) => it.name);
  const holds = (text: string) => text.toLowerCase().includes(wanted);
  const shown = tables.filter((table) => holds(table.name) || table.columns.some((column) => holds(column.name)));
  const toggle = (key: string) => {
    const next = new Set(open);
    if (!next.delete(key)) next.add(key);
    setOpen(next);
  };
  return (
    <div class="sql-tables" role="group" aria-label="Tables" data-rows={tables.length}>
      <input type="search" placeholder="table or column" aria-label="Filter tables" value={filter} onInput={(event) => setFilter(event.currentTarget.value)} />
      <ul>
        {shown.map((table) => {
          const isTwice = names.indexOf(table.name) !== names.lastIndexOf(table.name);
          const name = `${isTwice ? `${nameText(table.schema)}.` : ""}${nameText(table.name)}`;
          const isOpen = open.has(name) || (wanted !== "" && !holds(table.name));
          return (
            <li key={name}>
              <div class="sql-table">
                <button type="button" class="toggle" aria-expanded={isOpen} aria-label={`Columns of ${name}`} onClick={() => toggle(name)}>
                  {isOpen ? "▾" : "▸"}
                </button>
                <button type="button" class="insert" title={table.doc} onClick={() => onChoose(name)}>
                  {name}
                </button>
              </div>
              {isOpen && (
                <ul class="columns">
                  {table.columns.map((column) => (
                    <li key={column.name}>
                      <button type="button" class="insert" title={column.doc} onClick={() => onChoose(nameText(column.name))}>
                        {column.name} <span class="quiet">{column.unit ? `${column.type}, ${column.unit}` : column.type}</span>
                      </button>
                    </li>
                  ))}
                </ul>
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
