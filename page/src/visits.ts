import { effect, signal } from "@preact/signals";
import { type Address, type View, parseAddress, printAddress } from "./address";
import { address, call, opened } from "./state";

const KEY = "spelunk-history";
/** Addresses that are kept. */
const MOST = 200;

/**
 * The addresses with one more, the newest first and each once. Steps from byte to byte within one view are one visit, at the last
 * byte.
 */
export function visited(visits: Address[], to: Address): Address[] {
  if (to.file === undefined) return visits;
  const text = printAddress(to);
  const [newest] = visits;
  const isStep = newest !== undefined && newest.at !== undefined && printAddress({ ...newest, at: to.at }) === text;
  const others = (isStep ? visits.slice(1) : visits).filter((it) => printAddress(it) !== text);
  return [to, ...others].slice(0, MOST);
}

/** An address in words: where in a file one was. `name` is what the entry is called, where its path does not say so. */
export function wordsOf({ entry, view, at }: Address, title: (view: View) => string, name = ""): string {
  const place = at === undefined ? "" : ` at ${at.space === "file" ? "" : `${at.space}:`}0x${at.offset.toString(16)}`;
  const called = entry === undefined ? "" : `${entry}${name === "" || entry.endsWith(name) ? "" : ` ${name}`}, `;
  return `${called}${title(view ?? "hex")}${place}`;
}

/** A glob for a path itself. */
export const globOf = (path: string): string => path.replace(/[*?[\]{}]/g, "[$&]");

/** What the entries of open files are called, by file and path. */
export async function namesOf(visits: Address[]): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for (const [file, { handle }] of opened.value) {
    const entries = visits.filter((it) => it.file === file).flatMap((it) => it.entry ?? []);
    if (entries.length === 0) continue;
    const { rows } = await call("ls", { file: handle, globs: [...new Set(entries)].map(globOf) });
    for (const row of rows) names.set(`${file} ${row.path}`, String(row.label ?? row.name ?? ""));
  }
  return names;
}

function stored(): Address[] {
  try {
    const list: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? "[]");
    return Array.isArray(list) ? list.map((it) => parseAddress(String(it))) : [];
  } catch {
    return [];
  }
}

/** The addresses visited in this tab, the newest first. */
export const visits = signal<Address[]>([]);

/** Keeps the addresses of this tab from now on. */
export function keepVisits(): () => void {
  visits.value = stored();
  return effect(() => {
    const next = visited(visits.peek(), address.value);
    visits.value = next;
    sessionStorage.setItem(KEY, JSON.stringify(next.map(printAddress)));
  });
}
