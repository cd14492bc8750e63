import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

/** The height that browsers can scroll through, with room to spare: Chrome ends at 33,554,400 pixels. */
const MOST_HEIGHT = 16_000_000;
/** Rows beyond those in sight, so that scrolling shows no gap. */
const BEYOND = 6;

/** The height of a row: one that a finger finds, where there is no finer pointer. */
export function useRowHeight(): number {
  const [isCoarse, setCoarse] = useState(() => matchMedia("(pointer: coarse)").matches);
  useEffect(() => {
    const query = matchMedia("(pointer: coarse)");
    const look = () => setCoarse(query.matches);
    query.addEventListener("change", look);
    return () => query.removeEventListener("change", look);
  }, []);
  return isCoarse ? 40 : 24;
}

/** What of a list is in sight: `top` and `sight` in pixels of the box. */
export function range(count: number, rowHeight: number, top: number, sight: number) {
  const full = count * rowHeight;
  const height = Math.min(full, MOST_HEIGHT);
  const scroll = Math.max(1, height - sight);
  // Beyond what browsers scroll, where the bar stands says which row is the first.
  const at = full === height ? top : (Math.min(top, scroll) / scroll) * (full - sight);
  const first = Math.floor(at / rowHeight);
  return {
    height,
    first,
    start: Math.max(0, first - BEYOND),
    end: Math.min(count, Math.ceil((at + sight) / rowHeight) + BEYOND),
    /** Pixels from the top of the box to a row. */
    offset: (row: number) => top + row * rowHeight - at,
    /** The position of the bar at which a row is the first in sight. */
    position: (row: number) => (full === height ? row * rowHeight : ((row * rowHeight) / (full - sight)) * scroll),
  };
}

/** A list of many rows of one height, of which those in sight alone are there. Libraries for that end where browsers stop to scroll. */
export function VirtualList(props: {
  count: number;
  rowHeight: number;
  label: string;
  /** The row that is to be in sight. */
  shown?: number | undefined;
  render(row: number): ComponentChildren;
  onRange?: ((start: number, end: number) => void) | undefined;
  /** A key leads from the shown row to another one; false where it cannot go there. */
  onStep?: ((row: number) => boolean | void) | undefined;
  /** Any other key. */
  onKey?(event: KeyboardEvent): void;
  /** What it is where its rows are no options. */
  role?: "group";
}) {
  const { count, rowHeight, render, onRange, shown } = props;
  const box = useRef<HTMLDivElement>(null);
  const [{ top, sight }, setSight] = useState({ top: 0, sight: 0 });
  const look = () => {
    const element = box.current;
    if (element !== null) setSight({ top: element.scrollTop, sight: element.clientHeight });
  };
  useLayoutEffect(() => {
    const watch = new ResizeObserver(look);
    if (box.current !== null) watch.observe(box.current);
    look();
    return () => watch.disconnect();
  }, []);
  const { height, start, end, first, offset, position } = range(count, rowHeight, top, sight);
  useEffect(() => {
    if (end > start) onRange?.(start, end);
  }, [start, end, onRange]);
  useEffect(() => {
    const element = box.current;
    if (shown === undefined || element === null || sight === 0) return;
    const inSight = Math.floor(sight / rowHeight);
    if (shown >= first && shown < first + inSight - 1) return;
    element.scrollTop = position(Math.max(0, shown - Math.floor(inSight / 2)));
  }, [shown, count, sight === 0]);
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20, Home: -count, End: count }[event.key];
    if (step === undefined || props.onStep === undefined || count === 0) props.onKey?.(event);
    else if (props.onStep(Math.min(count - 1, Math.max(0, (shown ?? -1) + step))) !== false) event.preventDefault();
  };
  const rows = [];
  for (let row = start; row < end; row += 1) {
    rows.push(
      <div class="virtual-row" key={row} style={{ height: rowHeight, transform: `translateY(${offset(row)}px)` }}>
        {render(row)}
      </div>,
    );
  }
  return (
    <div class="virtual" ref={box} role={props.role ?? "listbox"} aria-label={props.label} tabIndex={0} onScroll={look} onKeyDown={onKey}>
      <div style={{ height }}>{rows}</div>
    </div>
  );
}
