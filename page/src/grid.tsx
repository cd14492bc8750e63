import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { VirtualList, useRowHeight } from "./virtual";

/** A column of a table. */
export interface GridColumn {
  name: string;
  /** What it is called at the top, where that is another name. */
  title?: string;
  /** Its width, in characters. */
  width: number;
  isNumber?: boolean;
  /** What its name says beside itself: how the rows are sorted. */
  mark?: string;
  onChoose?: (() => void) | undefined;
}

/** A table of many rows, of which those in sight alone are there; its names stay above them. */
export function Grid(props: {
  label: string;
  columns: GridColumn[];
  count: number;
  cell(row: number, column: string): ComponentChildren;
  /** The row that is marked. */
  chosen?: number | undefined;
  onChoose?(row: number): void;
  onEnter?(row: number): void;
  /** A cell is to be changed: it was clicked twice. */
  onEdit?(row: number, column: string): void;
  onRange?: ((start: number, end: number) => void) | undefined;
}) {
  const { columns, count, chosen, onChoose, onEnter } = props;
  const head = useRef<HTMLDivElement>(null);
  const rowHeight = useRowHeight();
  const classOf = (column: GridColumn) => `cell${column.isNumber ? " number" : ""}`;
  const styleOf = (column: GridColumn) => ({ width: `calc(${column.width}ch + 28px)` });
  const onKey = (event: KeyboardEvent) => {
    if (event.key === "Enter" && chosen !== undefined) onEnter?.(chosen);
  };
  return (
    <div
      class="grid"
      // The list scrolls, and the names go along.
      onScrollCapture={(event) => {
        const { scrollLeft } = event.target as HTMLElement;
        if (head.current !== null && event.target !== head.current) head.current.scrollLeft = scrollLeft;
      }}
    >
      <div class="grid-head" ref={head}>
        <div class="cells head">
          {columns.map((column) =>
            column.onChoose === undefined ? (
              <span key={column.name} class={classOf(column)} style={styleOf(column)}>
                {column.title ?? column.name}
              </span>
            ) : (
              <button
                key={column.name}
                type="button"
                class={classOf(column)}
                style={styleOf(column)}
                aria-pressed={column.mark !== undefined}
                onClick={column.onChoose}
              >
                {column.name}
                {column.mark}
              </button>
            ),
          )}
        </div>
      </div>
      <VirtualList
        count={count}
        rowHeight={rowHeight}
        label={props.label}
        shown={chosen}
        onRange={props.onRange}
        onStep={onChoose}
        onKey={onKey}
        render={(row) => {
          const cells = columns.map((column) => props.cell(row, column.name));
          const isEmpty = cells.every((cell) => cell === undefined || cell === "");
          return (
            <div
              class={`cells${row === chosen ? " chosen" : ""}`}
              role="option"
              aria-selected={row === chosen}
              aria-label={isEmpty ? `Row ${row + 1}, empty` : undefined}
              onClick={() => onChoose?.(row)}
              onDblClick={() => onEnter?.(row)}
            >
              {columns.map((column, nth) => (
                <span key={column.name} class={classOf(column)} style={styleOf(column)} onDblClick={() => props.onEdit?.(row, column.name)}>
                  {cells[nth]}
                </span>
              ))}
            </div>
          );
        }}
      />
    </div>
  );
}
