import type { Row } from "./client/client";
import { parseHex } from "./format";
import { call } from "./state";

/** Bytes that are read in one go. */
export const BLOCK = 4096;

/** A field, where its bytes stand, and what they say. */
export interface PlacedField {
  path: string;
  offset: number;
  size: number;
  type?: string;
  value?: unknown;
  meaning?: unknown;
  unit?: unknown;
}

/** Bytes of a block, and the fields that they belong to. */
export interface Block {
  bytes: Uint8Array;
  /** Which bytes are there: behind the end of a space there are none. */
  length: number;
  fields: PlacedField[];
}

/** Puts rows of `explain` with the bytes of a block together. */
export function blockOf(rows: Row[], start: number): Block {
  const bytes = new Uint8Array(BLOCK);
  let length = 0;
  const fields: PlacedField[] = [];
  for (const row of rows) {
    const offset = Number(row.offset);
    const own = parseHex(String(row.bytes ?? ""));
    const { type, value, meaning, unit } = row;
    fields.push({ path: String(row.path), offset, size: Number(row.size), type: String(type ?? ""), value, meaning, unit });
    const at = Number(row.bytes_offset ?? offset) - start;
    if (at < 0 || at + own.length > BLOCK) continue;
    bytes.set(own, at);
    length = Math.max(length, at + own.length);
  }
  return { bytes, length, fields };
}

/** The bytes of a space of a file, read block by block as they are looked at. */
export class SpaceBytes {
  private readonly blocks = new Map<number, Block>();
  private readonly asked = new Set<number>();

  constructor(
    readonly handle: number,
    readonly space: string,
    /** The number of bytes, as far as it is known. */
    public length: number,
    private readonly onChange: () => void,
  ) {}

  at(offset: number): number | undefined {
    const block = this.blocks.get(Math.floor(offset / BLOCK));
    return block === undefined || offset % BLOCK >= block.length ? undefined : block.bytes[offset % BLOCK];
  }

  /** The bytes of a range, as far as they are read. */
  range(start: number, end: number): Uint8Array {
    const bytes: number[] = [];
    for (let offset = start; offset < end; offset += 1) {
      const byte = this.at(offset);
      if (byte === undefined) break;
      bytes.push(byte);
    }
    return Uint8Array.from(bytes);
  }

  /** The innermost field of a byte. */
  field(offset: number): PlacedField | undefined {
    return this.blocks.get(Math.floor(offset / BLOCK))?.fields.find((it) => offset >= it.offset && offset < it.offset + it.size);
  }

  /** Asks for the blocks of a range that were not asked for. */
  async want(start: number, end: number): Promise<void> {
    for (let nth = Math.floor(start / BLOCK); nth * BLOCK < Math.min(end, this.length); nth += 1) {
      if (this.asked.has(nth)) continue;
      this.asked.add(nth);
      const len = Math.min(BLOCK, this.length - nth * BLOCK);
      const answer = await call("explain", { subject: this.handle, place: `${this.space}:${nth * BLOCK}`, len, hex: true, within: true });
      this.blocks.set(nth, blockOf(answer.rows, nth * BLOCK));
      this.onChange();
    }
  }
}
