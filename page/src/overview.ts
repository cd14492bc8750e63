import { call } from "./state";

/** The most parts that a space is looked at in. */
export const PARTS = 256;
/** The parts of a space in which looking at a byte takes more than so many milliseconds. */
const FEW = 64;
const SLOW = 40;
/** Bytes that are looked at to find out how long that takes: other work may be in the way of one. */
const PROBES = 3;
/** Milliseconds until it is looked again whether the page has nothing else to do. */
const PAUSE = 50;

/** A part of a space, and the field in its middle. */
export interface Part {
  path: string;
  kind: string;
}

/** What stands where no field does. */
const NOTHING: Part = { path: "", kind: "no field" };

/** The kind of a field: what it is in, by its path without positions, and where that says little by the section of the manual on it. */
export function kindOf(path: string, page?: unknown): string {
  const steps = path.split(".").map((step) => step.replace(/\[\d+\]/g, ""));
  const within = steps.length > 2 ? steps.slice(0, Math.min(4, steps.length - 1)) : steps;
  const section = typeof page === "string" ? page.split("#")[1]?.replace(/^\d{1,3}-/, "").replaceAll("-", " ") : undefined;
  return within.length > 2 || section === undefined ? within.join(".") : `${within.join(".")}: ${section}`;
}

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
  /** Those that were looked at; parts are of one size. */
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

  /** Looks at every part, from afar first, while the page has nothing else to do. */
  async read(signal: AbortSignal, onChange: () => void): Promise<void> {
    let took = Number.POSITIVE_INFINITY;
    for (let probe = 0; probe < PROBES && this.parts.length > FEW && took > SLOW; probe += 1) {
      await this.pause();
      took = Math.min(took, (await this.look(this.middle(Math.floor((this.parts.length * (probe + 1)) / (PROBES + 1))), signal)).took);
      if (signal.aborted) return;
    }
    if (took > SLOW) this.parts.length = Math.min(FEW, this.parts.length);
    for (const nth of spread(this.parts.length)) {
      if (this.parts[nth] !== undefined) continue;
      await this.pause();
      if (signal.aborted) return;
      const { part, offset, size } = await this.look(this.middle(nth), signal);
      if (signal.aborted) return;
      this.fill(nth, part, offset, size);
      onChange();
    }
  }

  /** Waits until nothing else is to be done. */
  private async pause(): Promise<void> {
    while (document.documentElement.dataset.state === "busy") await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }

  /** The field of a byte, and how long it took to find it. */
  private async look(byte: number, signal: AbortSignal): Promise<{ part: Part; offset: number; size: number; took: number }> {
    const begin = performance.now();
    const answer = await call("explain", { subject: this.handle, place: `${this.space}:${byte}` }, signal).catch(() => undefined);
    const row = answer?.rows[0];
    const path = String(row?.path ?? "");
    const part = path === "" ? NOTHING : { path, kind: kindOf(path, row?.page) };
    return { part, offset: Number(row?.offset ?? byte), size: Number(row?.size ?? 0), took: performance.now() - begin };
  }

  /** Keeps a part, and those whose middle is in the same field. */
  fill(nth: number, part: Part, offset: number, size: number): void {
    this.parts[nth] = part;
    for (let at = nth + 1; at < this.parts.length && this.middle(at) < offset + size; at += 1) this.parts[at] = part;
    for (let at = nth - 1; at >= 0 && this.middle(at) >= offset && size > 0; at -= 1) this.parts[at] = part;
  }
}
