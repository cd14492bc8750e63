import type { Row } from "../client/client";
import { bytesText, valueText } from "../format";

/** An entry of one of two files, as a change names it. */
export interface ChangedEntry {
  path: string;
  type: string;
  name: string | null;
  size: number;
}

/** A row of `diff`: the file as a whole, a number of entries, or an entry that differs. */
export interface Change {
  change: string;
  old?: ChangedEntry;
  new?: ChangedEntry;
  fields?: Row[];
  count?: number;
}

/** Kinds of changes in the order of the summary, with the sign and the words that people read. */
export const KINDS: Record<string, { sign: string; words: string }> = {
  added: { sign: "+", words: "added" },
  removed: { sign: "−", words: "removed" },
  changed: { sign: "~", words: "changed" },
  renamed: { sign: "→", words: "renamed" },
  summary: { sign: "≡", words: "about the file" },
  renumbered: { sign: "#", words: "about ids" },
};

/** The sign and the words of a kind; one that is not known says its own name. */
export const kindOf = (change: string): { sign: string; words: string } => KINDS[change] ?? { sign: "·", words: change };

/** The number of changes of each kind, in the order of `KINDS`. */
export function countKinds(changes: Change[]): [kind: string, count: number][] {
  const counts = new Map<string, number>(Object.keys(KINDS).map((kind) => [kind, 0]));
  for (const { change } of changes) counts.set(change, (counts.get(change) ?? 0) + 1);
  return [...counts].filter(([, count]) => count > 0);
}

/** The positions of the changes that are of a kind, where one is chosen, and hold a text in a path, a name or a type. */
export function filterChanges(changes: Change[], kind: string | undefined, text: string): number[] {
  const wanted = text.trim().toLowerCase();
  const holds = (entry: ChangedEntry | undefined) =>
    entry !== undefined && `${entry.path}\n${entry.name ?? ""}\n${entry.type}`.toLowerCase().includes(wanted);
  const found: number[] = [];
  changes.forEach((it, nth) => {
    if (kind !== undefined && it.change !== kind) return;
    if (wanted === "" || holds(it.old) || holds(it.new)) found.push(nth);
  });
  return found;
}

/** What a change is called: the name of its entry, both where it has another one now. */
export function titleOf({ change, old, new: now, count }: Change): string {
  if (change === "summary") return "The file as a whole";
  if (change === "renumbered") return count === 1 ? "An entry has another id and is the same otherwise" : `${count} entries have other ids and are the same otherwise`;
  const [before, after] = [old, now].map((entry) => entry && (entry.name || entry.path));
  return before !== undefined && after !== undefined && before !== after ? `${before} → ${after}` : (after ?? before ?? "");
}

/** A line of the fields of a change: both values, or a heading of those that follow. */
export interface FieldLine {
  path: string;
  depth: number;
  old?: string;
  new?: string;
  /** Words on both sides together: how many items of a list differ, which flags. */
  note?: string;
}

const OFFSET = (offset: unknown) => `0x${Number(offset).toString(16)}`;

/** The fields of a change as lines, those of items of lists and of groups below their headings. */
export function fieldLines(fields: Row[], depth = 0): FieldLine[] {
  return fields.flatMap((field) => {
    if (field.type === "list" && Array.isArray(field.items)) return listLines(field, depth);
    if (field.type === "group" && Array.isArray(field.fields)) return groupLines(field, depth);
    if (field.type === "bytes" && field.old_size !== undefined) return [bytesLine(field, depth)];
    return [valueLine(field, depth)];
  });
}

/** The value of a side as people read it. */
function side(field: Row, name: "old" | "new"): string | undefined {
  if (field[`${name}_shown`] !== undefined) return String(field[`${name}_shown`]);
  if (field[name] === undefined) return undefined;
  const meaning = field[`${name}_meaning`];
  const unit = field.unit === undefined ? "" : ` ${String(field.unit)}`;
  return `${valueText(field[name])}${unit}${meaning === undefined ? "" : ` (${String(meaning)})`}`;
}

function valueLine(field: Row, depth: number): FieldLine {
  const line: FieldLine = { path: String(field.path), depth };
  const [old, now] = [side(field, "old"), side(field, "new")];
  if (old !== undefined) line.old = old;
  if (now !== undefined) line.new = now;
  if (old === now && field.old_bytes !== undefined) {
    line.old = `${old ?? ""}, stored as ${String(field.old_bytes)}`;
    line.new = `${now ?? ""}, stored as ${String(field.new_bytes)}`;
  }
  if (Array.isArray(field.bits)) line.note = field.bits.map(String).join(", ");
  return line;
}

function bytesLine(field: Row, depth: number): FieldLine {
  const text = (name: "old" | "new") => {
    const [size, length, part] = [field[`${name}_size`], field[`${name}_length`], field[`${name}_part`]];
    const place = `${String(length)} of ${bytesText(Number(size))} from ${OFFSET(field.start)}`;
    return part === undefined || part === "" ? place : `${String(part)} (${place})`;
  };
  return { path: String(field.path), depth, old: text("old"), new: text("new"), note: "bytes that differ" };
}

function listLines(list: Row, depth: number): FieldLine[] {
  const items = list.items as Row[];
  const counts = ["changed", "added", "removed"].map((key) => ({ key, count: Number(list[key] ?? 0) }));
  const all = counts.reduce((sum, { count }) => sum + count, 0);
  const said = counts.filter(({ count }) => count > 0).map(({ key, count }) => `${count} ${key}`);
  const more = all > items.length ? [`${all - items.length} of them not shown`] : [];
  const head: FieldLine = {
    path: String(list.path),
    depth,
    old: `${String(list.old_count)} items`,
    new: `${String(list.new_count)} items`,
    note: [...said, ...more].join(", "),
  };
  return [head, ...items.flatMap((item) => itemLines(item, String(list.path), depth + 1))];
}

/** The lines of an item, with its place where that is another one or its fields do not say it. */
function itemLines(item: Row, list: string, depth: number): FieldLine[] {
  const [old, now] = [item.old_index ?? undefined, item.new_index ?? undefined];
  const inner = fieldLines((item.fields as Row[] | undefined) ?? [], depth);
  if (inner.length > 0 && (old === now || old === undefined || now === undefined)) return inner;
  const line: FieldLine = { path: list, depth };
  if (old !== undefined) line.old = `[${String(old)}]`;
  if (now !== undefined) line.new = `[${String(now)}]`;
  return [line, ...inner.map((it) => ({ ...it, depth: it.depth + 1 }))];
}

function groupLines(group: Row, depth: number): FieldLine[] {
  const inner = group.fields as Row[];
  const [old, now] = [Number(group.old_count), Number(group.new_count)];
  const count = Math.max(old, now);
  const head: FieldLine = { path: String(group.path), depth, note: `${count} fields${count > inner.length ? `, the first ${inner.length} of them here` : ""}` };
  if (old > 0) head.old = `${old} fields`;
  if (now > 0) head.new = `${now} fields`;
  return [head, ...fieldLines(inner, depth + 1)];
}

/** Whether a list of a change has more items than are shown. */
export function hasMore(fields: Row[]): boolean {
  return fields.some((field) => {
    const inner = Array.isArray(field.items) ? (field.items as Row[]) : [];
    const all = ["changed", "added", "removed"].reduce((sum, key) => sum + Number(field[key] ?? 0), 0);
    const cut = Array.isArray(field.items) && all > inner.length;
    const below = inner.some((item) => hasMore((item.fields as Row[] | undefined) ?? []));
    return cut || below || (Array.isArray(field.fields) && hasMore(field.fields as Row[]));
  });
}
