/** What the middle of the page shows. */
export const VIEWS = ["hex", "scene", "texture", "table", "script", "map", "findings", "content", "diff", "sql"] as const;
export type View = (typeof VIEWS)[number];

/** A byte: an offset in a space of a file. */
export interface Place {
  space: string;
  offset: number;
}

/** Anything that the page shows has an address, in the fragment of its URL. */
export interface Address {
  file?: string;
  entry?: string;
  view?: View;
  at?: Place;
  /** The file that the file is compared with. */
  with?: string;
  /** The generations that are compared, where they are not the newest: of the file, and of the one that it is compared with. */
  generations?: Generations;
}

export interface Generations {
  own?: string;
  with?: string;
}

/** `#file=levels/a.nmo&entry=CKMesh/Cube&view=hex&at=header1:32`; slashes stay readable. */
export function printAddress({ file, entry, view, at, with: other, generations }: Address): string {
  const parts = [
    ["file", file],
    ["entry", entry],
    ["view", view],
    ["at", at && `${at.space}:${at.offset}`],
    ["with", other],
    ["generations", generations && `${generations.own ?? ""}:${generations.with ?? ""}`],
  ];
  const text = parts.filter(([, value]) => value !== undefined);
  return `#${text.map(([key, value]) => `${key}=${encodeURIComponent(value as string).replaceAll("%2F", "/").replaceAll("%3A", ":")}`).join("&")}`;
}

/** Reads an address; what is none in it is left out. */
export function parseAddress(fragment: string): Address {
  const values = new Map<string, string>();
  for (const part of fragment.replace(/^#/, "").split("&")) {
    const at = part.indexOf("=");
    if (at < 0) continue;
    try {
      values.set(part.slice(0, at), decodeURIComponent(part.slice(at + 1)));
    } catch {
      // A fragment that somebody wrote by hand.
    }
  }
  const address: Address = {};
  const [file, entry, view] = [values.get("file"), values.get("entry"), values.get("view")];
  if (file) address.file = file;
  if (entry) address.entry = entry;
  if (VIEWS.includes(view as View)) address.view = view as View;
  const place = parsePlace(values.get("at") ?? "");
  if (place) address.at = place;
  const other = values.get("with");
  if (other) address.with = other;
  const generations = parseGenerations(values.get("generations") ?? "");
  if (generations) address.generations = generations;
  return address;
}

/** Reads `SPACE:OFFSET` or `OFFSET`, decimal or 0x hexadecimal. */
export function parsePlace(text: string): Place | undefined {
  const match = /^(?:(.+):)?(0[xX][0-9a-fA-F]+|\d+)$/.exec(text.trim());
  if (!match) return undefined;
  const offset = Number(match[2]);
  return Number.isSafeInteger(offset) ? { space: match[1] ?? "file", offset } : undefined;
}

/** Reads `OWN:WITH`, each a number from 1 on, `merged`, or nothing. */
function parseGenerations(text: string): Generations | undefined {
  const match = /^([1-9]\d*|merged|):([1-9]\d*|merged|)$/.exec(text);
  const generations: Generations = {};
  if (match?.[1]) generations.own = match[1];
  if (match?.[2]) generations.with = match[2];
  return generations.own === undefined && generations.with === undefined ? undefined : generations;
}
