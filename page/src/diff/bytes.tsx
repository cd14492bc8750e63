import { useEffect, useMemo, useState } from "preact/hooks";
import { hexText } from "../format";
import { call, work } from "../state";
import { VirtualList } from "../virtual";
import { type Alignment, type Column, align } from "./align";
import type { Change } from "./changes";
import { type Side, requestOf } from "./sides";

/** Bytes of each side in a line. */
const PER_LINE = 8;

interface Read {
  old: Uint8Array;
  new: Uint8Array;
  error?: string;
}

/** The bytes of an entry on both sides beside each other, with marks where they differ. */
export function DiffBytes({ change, sides }: { change: Change; sides: { old: Side; new: Side } }) {
  const [read, setRead] = useState<Read | undefined>(undefined);
  const [line, setLine] = useState<number | undefined>(undefined);
  useEffect(() => {
    const abort = new AbortController();
    const cat = async (side: Side, path: string | undefined) =>
      path === undefined ? new Uint8Array() : (await call("cat", { ...requestOf(side), path }, abort.signal)).body;
    void work(async () => {
      let result: Read;
      try {
        result = { old: await cat(sides.old, change.old?.path), new: await cat(sides.new, change.new?.path) };
      } catch (error) {
        result = { old: new Uint8Array(), new: new Uint8Array(), error: error instanceof Error ? error.message : String(error) };
      }
      if (!abort.signal.aborted) setRead(result);
    });
    return () => abort.abort();
  }, [change, JSON.stringify(sides)]);
  const aligned = useMemo(() => (read === undefined ? undefined : align(read.old, read.new)), [read]);
  useEffect(() => setLine(aligned?.nextLine(0, 1, PER_LINE)), [aligned]);
  if (read === undefined || aligned === undefined) return <p class="diff-note quiet">Reading</p>;
  if (read.error !== undefined) return <p class="diff-note">The bytes of this entry cannot be read: {read.error}</p>;
  if (aligned.length === 0) return <p class="diff-note">This entry has no bytes of its own.</p>;
  const lines = Math.ceil(aligned.length / PER_LINE);
  const digits = Math.max(4, hexText(Math.max(read.old.length, read.new.length)).length);
  const hop = (step: 1 | -1) => {
    const to = aligned.nextLine((line ?? -step) + step, step, PER_LINE);
    if (to !== undefined) setLine(to);
  };
  return (
    <div class="diff-bytes" data-differing={aligned.differing} data-length={aligned.length}>
      <p>
        <button type="button" onClick={() => hop(-1)}>
          Previous difference
        </button>
        <button type="button" onClick={() => hop(1)}>
          Next difference
        </button>
        <span class="quiet">
          {aligned.differing === 0
            ? `All ${aligned.length} bytes are the same.`
            : `${aligned.differing} bytes differ; the old entry has ${read.old.length}, the new one ${read.new.length}.`}
        </span>
      </p>
      <VirtualList
        count={lines}
        rowHeight={20}
        label="Bytes, old beside new"
        shown={line}
        onStep={setLine}
        render={(nth) => <Line aligned={aligned} line={nth} digits={digits} isChosen={nth === line} onChoose={() => setLine(nth)} />}
      />
    </div>
  );
}

function Line(props: { aligned: Alignment; line: number; digits: number; isChosen: boolean; onChoose(): void }) {
  const { aligned, line, digits, isChosen, onChoose } = props;
  const columns = Array.from({ length: Math.min(PER_LINE, aligned.length - line * PER_LINE) }, (_, nth) => aligned.at(line * PER_LINE + nth));
  return (
    <div class={`diff-line${isChosen ? " chosen" : ""}`} role="option" aria-selected={isChosen} onClick={onChoose}>
      <Bytes columns={columns} bytes={aligned.old} name="old" digits={digits} />
      <Bytes columns={columns} bytes={aligned.now} name="new" digits={digits} />
    </div>
  );
}

function Bytes({ columns, bytes, name, digits }: { columns: Column[]; bytes: Uint8Array; name: "old" | "new"; digits: number }) {
  const first = columns.find((it) => it[name] !== undefined)?.[name];
  const cells = columns.map((it, nth) => {
    const offset = it[name];
    const byte = offset === undefined ? undefined : bytes[offset];
    const mark = it.isEqual || byte === undefined ? "" : `diff-${name}`;
    return { nth, mark, hex: byte === undefined ? "  " : hexText(byte, 2), letter: byte === undefined ? " " : byte >= 32 && byte < 127 ? String.fromCharCode(byte) : "·" };
  });
  return (
    <span class="diff-half">
      <span class="quiet">{first === undefined ? " ".repeat(digits) : hexText(first, digits)}</span>{" "}
      {cells.map(({ nth, mark, hex }) => (
        <span key={nth} class={mark}>
          {hex}{" "}
        </span>
      ))}
      {"   ".repeat(PER_LINE - cells.length)}
      {cells.map(({ nth, mark, letter }) => (
        <span key={nth} class={mark}>
          {letter}
        </span>
      ))}
    </span>
  );
}
