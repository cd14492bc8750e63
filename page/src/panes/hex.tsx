import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { parsePlace } from "../address";
import { SpaceBytes } from "../bytes";
import { bytesText, hexText } from "../format";
import { useCall } from "../query";
import { address, current, go, marked, work } from "../state";
import { range } from "../virtual";

const ROW = 20;
const PER_ROW = 16;
const DIGIT = 8.5;
const LEFT = 84;

/** The bytes of a file and of what was inflated of it, drawn on a canvas; fields and bytes mark each other. */
export function HexPane() {
  const file = current.value;
  const { at } = address.value;
  const space = at?.space ?? "file";
  const sections = useCall(file ? "tree" : undefined, { file: file?.handle ?? 0, flat: true }, file?.version);
  const spaces = useMemo(() => {
    const all = new Map<string, number>([["file", file?.size ?? 0]]);
    for (const row of sections?.rows ?? []) if (row.type === "section") all.set(String(row.path), Number(row.size));
    return all;
  }, [sections, file?.size]);
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [, again] = useState(0);
  const [view, setView] = useState({ top: 0, sight: 0 });
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
  useEffect(() => {
    draw(canvas.current, bytes, sight, view, mark?.space === space ? mark : undefined, at?.space === space ? at.offset : undefined);
  });
  const byteOf = (event: MouseEvent): number | undefined => {
    const rect = canvas.current?.getBoundingClientRect();
    if (rect === undefined) return undefined;
    const row = Math.floor((event.clientY - rect.top - sight.offset(0) + view.top) / ROW);
    const column = Math.floor((event.clientX - rect.left - LEFT) / (DIGIT * 3));
    const offset = row * PER_ROW + column;
    return column >= 0 && column < PER_ROW && offset < length ? offset : undefined;
  };
  const over = (event: MouseEvent) => {
    const offset = byteOf(event);
    const field = offset === undefined ? undefined : bytes?.field(offset);
    if (field) marked.value = { space, offset: field.offset, size: field.size };
  };
  const choose = (event: MouseEvent) => {
    const offset = byteOf(event);
    if (offset !== undefined) go({ ...address.value, view: "hex", at: { space, offset } });
  };
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: PER_ROW, ArrowUp: -PER_ROW, PageDown: 16 * PER_ROW, PageUp: -16 * PER_ROW }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const offset = Math.min(length - 1, Math.max(0, (at?.space === space ? at.offset : 0) + step));
    const field = bytes?.field(offset);
    if (field) marked.value = { space, offset: field.offset, size: field.size };
    go({ ...address.value, view: "hex", at: { space, offset } }, "replace");
  };
  const field = at?.space === space ? bytes?.field(at.offset) : undefined;
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
          {at?.space === space && `${hexText(at.offset, 8)} `}
          {field?.path}
        </span>
      </header>
      <div class="hex" ref={box} tabIndex={0} role="application" aria-label={`Bytes of ${space}`} onKeyDown={onKey}>
        <div style={{ height: sight.height }}>
          <canvas ref={canvas} onPointerMove={over} onClick={choose} />
        </div>
      </div>
    </section>
  );
}

function draw(
  canvas: HTMLCanvasElement | null,
  bytes: SpaceBytes | undefined,
  sight: ReturnType<typeof range>,
  { top, sight: height }: { top: number; sight: number },
  mark: { offset: number; size: number } | undefined,
  at: number | undefined,
) {
  if (canvas === null || bytes === undefined || height === 0) return;
  const width = LEFT + DIGIT * 3 * PER_ROW + 16 + DIGIT * PER_ROW + 16;
  const ratio = devicePixelRatio;
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
  }
  const context = canvas.getContext("2d");
  if (context === null) return;
  const style = getComputedStyle(canvas);
  const [text, quiet, marking, chosen] = ["--text", "--quiet", "--mark", "--accent"].map((name) => style.getPropertyValue(name));
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  context.font = "14px ui-monospace, 'DejaVu Sans Mono', monospace";
  context.textBaseline = "middle";
  for (let row = sight.start; row < sight.end; row += 1) {
    const y = sight.offset(row) - top + ROW / 2;
    context.fillStyle = quiet ?? "gray";
    context.fillText(hexText(row * PER_ROW, 8), 8, y);
    for (let column = 0; column < PER_ROW; column += 1) {
      const offset = row * PER_ROW + column;
      if (offset >= bytes.length) break;
      const x = LEFT + column * DIGIT * 3;
      if (mark !== undefined && offset >= mark.offset && offset < mark.offset + mark.size) {
        context.fillStyle = marking ?? "gold";
        context.fillRect(x - 3, y - ROW / 2, DIGIT * 3, ROW);
      }
      if (offset === at) {
        context.strokeStyle = chosen ?? "teal";
        context.strokeRect(x - 3.5, y - ROW / 2 + 0.5, DIGIT * 3 - 2, ROW - 1);
      }
      const byte = bytes.at(offset);
      context.fillStyle = byte === 0 ? (quiet ?? "gray") : (text ?? "black");
      context.fillText(byte === undefined ? "··" : hexText(byte, 2), x, y);
      const letter = byte !== undefined && byte >= 32 && byte < 127 ? String.fromCharCode(byte) : "·";
      context.fillText(letter, LEFT + DIGIT * 3 * PER_ROW + 16 + column * DIGIT, y);
    }
  }
}
