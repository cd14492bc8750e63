import type { Generations } from "../address";
import type { FileName, Row } from "../client/client";
import type { OpenFile } from "../state";

/** A file as it is compared: how requests name it, and its generation. */
export interface Side {
  /** What people call it. */
  name: string;
  /** An open file, or a file as it was written last. */
  file: number | string;
  generation?: string;
}

/** What people call a file. */
export const labelOf = (name: string, files: FileName[]): string => files.find((it) => it.name === name)?.label ?? name;

/** What a request of a verb on one file says of a side. */
export const requestOf = ({ file, generation }: Side): Row => ({ file, ...(generation === undefined ? {} : { generation }) });

/** The request that compares two sides. */
export function diffRequest(old: Side, now: Side, items: number): Row {
  const request: Row = { old: old.file, new: now.file, max_items: items, for_people: true };
  if (old.generation !== undefined) request.old_generation = old.generation;
  if (now.generation !== undefined) request.new_generation = now.generation;
  return request;
}

/**
 * Both sides: an open file, and the one that it is compared with. A file that is compared with itself is taken as it was written last, so that
 * what was changed since then is seen.
 */
export function sidesOf(file: OpenFile, other: OpenFile, generations: Generations = {}, files: FileName[] = []): { old: Side; new: Side } {
  const label = (of: OpenFile) => labelOf(of.name, files);
  const isSame = file.name === other.name;
  const side = (name: string, of: number | string, generation: string | undefined): Side => ({
    name: generation === undefined ? name : `${name}, ${generation === "merged" ? "all generations" : `generation ${generation}`}`,
    file: of,
    ...(generation === undefined ? {} : { generation }),
  });
  return {
    old: side(isSame && generations.with === undefined ? `${label(other)} as it was saved` : label(other), isSame ? other.name : other.handle, generations.with),
    new: side(label(file), file.handle, generations.own),
  };
}

/** The numbers of the generations of a file, of a row of `info`. */
export function generationsOf(info: Row | undefined): string[] {
  const list = (info?.details as { generations?: unknown } | undefined)?.generations;
  return Array.isArray(list) && list.length > 1 ? list.map((it: { number?: unknown }, nth) => String(it.number ?? nth + 1)) : [];
}
