import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { parsePlace } from "../address";
import { type PlacedField, SpaceBytes } from "../bytes";
import { bytesText, hexText, valueText } from "../format";
import { useCall } from "../query";
import { address, current, go, marked, work } from "../state";
import { range } from "../virtual";
import { columnAt, drawBytes, PER_ROW, ROW } from "./hex-canvas";
import { OverviewBar } from "./overview";
import { SelectionStrip } from "./selection";

/** The bytes of a file and of what was inflated of it, drawn on a canvas; fields and bytes mark each other. */
export function HexPane() {
  const file = current.value;
  const { at } = address.value;
  const space = at?.space ?? "file";
  const info = useCall(file ? "info" : undefined, { files: [file?.handle ?? 0], for_people: true, max_items: 0 }, file?.version);
  const spaces = useMemo(() => {
    const inflated = (info?.rows[0]?.spaces ?? []) as { space: string; size: number }[];
    return new Map<string, number>([["file", file?.size ?? 0], ...inflated.map((it) => [it.space, it.size] as const)]);
  }, [info, file?.size]);
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [, again] = useState(0);
  const [view, setView] = useState({ top: 0, sight: 0 });
  /** Where the chosen bytes begin or end, across from the byte of the address. */
  const [anchor, setAnchor] = useState<{ space: string; offset: number } | undefined>(undefined);
  const [hovered, setHovered] = useState<number | undefined>(undefined);
  const length = spaces.get(space) ?? 0;
  const bytes = useMemo(
    () => (file === undefined ? undefined : new SpaceBytes(file.handle, space, length, () => again((n) => n + 1))),
    [file?.handle, file?.version, space, length],
  );
  const rows = Math.ceil(length / PER_ROW);
  const sight = range(rows, ROW, view.top, view.sight);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const look = () => setView({ top: element.scrollTop, sight: element.clientHeight });
    const watch = new ResizeObserver(look);
    watch.observe(element);
    element.addEventListener("scroll", look);
    return () => {
      watch.disconnect();
      element.removeEventListener("scroll", look);
    };
  }, []);
  useEffect(() => {
    void work(() => bytes?.want(sight.start * PER_ROW, sight.end * PER_ROW) ?? Promise.resolve());
  }, [bytes, sight.start, sight.end]);
  // The byte of the address comes into sight.
  useEffect(() => {
    if (at === undefined || box.current === null || view.sight === 0) return;
    const row = Math.floor(at.offset / PER_ROW);
    if (row < sight.first || row >= sight.first + Math.floor(view.sight / ROW) - 1) box.current.scrollTop = sight.position(Math.max(0, row - 4));
    marked.value ??= { space, offset: at.offset, size: 1 };
  }, [at?.space, at?.offset, length, view.sight === 0]);
  const mark = marked.value;
  const here = at?.space === space ? at.offset : undefined;
  const other = anchor?.space === space && here !== undefined ? anchor.offset : here;
  const chosen = here === undefined || other === undefined ? undefined : { offset: Math.min(here, other), size: Math.abs(here - other) + 1 };
  useEffect(() => {
    if (chosen !== undefined) void work(() => bytes?.want(chosen.offset, chosen.offset + Math.min(chosen.size, 64)) ?? Promise.resolve());
  }, [bytes, chosen?.offset, chosen?.size]);
  useLayoutEffect(() => {
    drawBytes(canvas.current, bytes, sight, view, mark?.space === space ? mark : undefined, chosen !== undefined && chosen.size > 1 ? chosen : undefined, here);
  });
  const byteOf = (event: MouseEvent): number | undefined => {
    const rect = canvas.current?.getBoundingClientRect();
    if (rect === undefined) return undefined;
    const row = Math.floor((event.clientY - rect.top - sight.offset(0) + view.top) / ROW);
    const column = columnAt(event.clientX - rect.left);
    const offset = row * PER_ROW + (column ?? 0);
    return column !== undefined && row >= 0 && offset < length ? offset : undefined;
  };
  const move = (offset: number, extends_: boolean, how: "push" | "replace") => {
    setAnchor(extends_ ? (anchor?.space === space && here !== undefined ? anchor : { space, offset: here ?? offset }) : undefined);
    go({ ...address.value, view: "hex", at: { space, offset } }, how);
  };
  const over = (event: PointerEvent) => {
    const offset = byteOf(event);
    const field = offset === undefined ? undefined : bytes?.field(offset);
    if (offset !== hovered) setHovered(offset);
    if (field) marked.value = { space, offset: field.offset, size: field.size };
    // A finger that moves scrolls.
    if (offset !== undefined && offset !== here && event.buttons === 1 && event.pointerType !== "touch") move(offset, true, "replace");
  };
  const press = (event: PointerEvent) => {
    const offset = byteOf(event);
    if (offset !== undefined && event.button === 0) move(offset, event.shiftKey, "push");
  };
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: PER_ROW, ArrowUp: -PER_ROW, PageDown: 16 * PER_ROW, PageUp: -16 * PER_ROW }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const offset = Math.min(length - 1, Math.max(0, (here ?? 0) + step));
    const field = bytes?.field(offset);
    if (field) marked.value = { space, offset: field.offset, size: field.size };
    setHovered(undefined);
    move(offset, event.shiftKey, "replace");
  };
  const jump = (offset: number) => {
    if (box.current) box.current.scrollTop = sight.position(Math.min(Math.floor(offset / PER_ROW), Math.max(0, rows - Math.floor(view.sight / ROW))));
  };
  const told = hovered ?? here;
  const field = told === undefined ? undefined : bytes?.field(told);
  return (
    <section class="pane" data-role="hex" data-space={space} data-length={length} aria-label="Bytes">
      <header>
        <select
          aria-label="Space"
          value={space}
          onChange={(event) => go({ ...address.value, view: "hex", at: { space: event.currentTarget.value, offset: 0 } })}
        >
          {[...spaces].map(([name, size]) => (
            <option key={name} value={name}>
              {name} ({bytesText(size)})
            </option>
          ))}
        </select>
        <input
          aria-label="Go to offset"
          placeholder="0x20 or header1:64"
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            const place = parsePlace(event.currentTarget.value);
            if (place) go({ ...address.value, view: "hex", at: event.currentTarget.value.includes(":") ? place : { space, offset: place.offset } });
          }}
        />
        <span class="meaning" data-role="byte">
          {told !== undefined && `${hexText(told, 8)} `}
          {field?.path} <span class="quiet">{field && meaningOf(field)}</span>
        </span>
      </header>
      <OverviewBar
        space={space}
        length={length}
        sight={{ start: sight.first * PER_ROW, end: Math.min(length, (sight.first + Math.ceil(view.sight / ROW)) * PER_ROW) }}
        onJump={jump}
      />
      <div class="hex" ref={box} tabIndex={0} role="application" aria-label={`Bytes of ${space}`} onKeyDown={onKey}>
        <div style={{ height: sight.height }}>
          <canvas ref={canvas} onPointerMove={over} onPointerDown={press} onPointerLeave={() => setHovered(undefined)} />
        </div>
      </div>
      {bytes && chosen && (
        <SelectionStrip
          bytes={bytes}
          start={chosen.offset}
          size={chosen.size}
          onSize={(size) => {
            setAnchor({ space, offset: chosen.offset });
            go({ ...address.value, view: "hex", at: { space, offset: chosen.offset + size - 1 } }, "replace");
          }}
        />
      )}
    </section>
  );
}

/** What the bytes of a field say, in few words. */
function meaningOf({ type, value, meaning, unit }: PlacedField): string {
  const text = valueText(value);
  const short = text.length > 40 ? `${text.slice(0, 40)}…` : text;
  return [type, short, valueText(unit), valueText(meaning)].filter((it) => it !== "").join(" ");
}
