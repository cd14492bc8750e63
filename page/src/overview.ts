import { call } from "./state";

/** The most parts that a space is looked at in. */
export const PARTS = 256;

/** A part of a space, and the field in its middle. */
export interface Part {
  path: string;
  kind: string;
}

/** What stands where no field does. */
const NOTHING: Part = { path: "", kind: "no field" };

/** The kind of a field: the first two steps of its path, without positions. */
export const kindOf = (path: string): string =>
  path
    .split(".")
    .slice(0, 2)
    .map((step) => step.replace(/\[\d+\]/g, ""))
    .join(".");

/** Positions below `count` so that the first ones are far apart, and each later one lies between those before. */
export function spread(count: number): number[] {
  const order: number[] = [];
  const seen = new Set<number>();
  for (let step = 2 ** Math.ceil(Math.log2(Math.max(1, count))); step >= 1; step /= 2) {
    for (let at = 0; at < count; at += step) {
      if (!seen.has(at)) order.push(at);
      seen.add(at);
    }
  }
  return order;
}

/** What a space consists of, in parts of one size. A map of all fields would be many times the file: one byte of each part is looked at. */
export class Overview {
  readonly parts: (Part | undefined)[];

  constructor(
    private readonly handle: number,
    readonly space: string,
    readonly length: number,
  ) {
    this.parts = new Array<Part | undefined>(Math.min(PARTS, length)).fill(undefined);
  }

  /** The first byte of a part. */
  start = (nth: number): number => Math.floor((nth * this.length) / this.parts.length);

  /** The byte of a part that is looked at. */
  middle = (nth: number): number => Math.floor(((nth + 0.5) * this.length) / this.parts.length);

  /** The part of a byte. */
  part = (offset: number): number => Math.min(this.parts.length - 1, Math.floor((offset * this.parts.length) / Math.max(1, this.length)));

  get filled(): number {
    return this.parts.filter((it) => it !== undefined).length;
  }

  /** The kinds that were found, in the order of their bytes. */
  get kinds(): string[] {
    return [...new Set(this.parts.flatMap((it) => (it === undefined ? [] : [it.kind])))];
  }

  /** Looks at every part, from afar first. */
  async read(signal: AbortSignal, onChange: () => void): Promise<void> {
    for (const nth of spread(this.parts.length)) {
      if (this.parts[nth] !== undefined) continue;
      const answer = await call("explain", { subject: this.handle, place: `${this.space}:${this.middle(nth)}` }, signal).catch(() => undefined);
      if (signal.aborted) return;
      const row = answer?.rows[0];
      const path = String(row?.path ?? "");
      this.fill(nth, path === "" ? NOTHING : { path, kind: kindOf(path) }, Number(row?.offset ?? 0), Number(row?.size ?? 0));
      onChange();
    }
  }

  /** Keeps a part, and those whose middle is in the same field. */
  fill(nth: number, part: Part, offset: number, size: number): void {
    this.parts[nth] = part;
    for (let at = nth + 1; at < this.parts.length && this.middle(at) < offset + size; at += 1) this.parts[at] = part;
    for (let at = nth - 1; at >= 0 && this.middle(at) >= offset && size > 0; at -= 1) this.parts[at] = part;
  }
}
