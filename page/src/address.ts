/** What the middle of the page shows. */
export const VIEWS = ["hex", "scene", "texture", "table", "script", "map", "findings", "content", "sql"] as const;
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
}

/** `#file=levels/a.nmo&entry=CKMesh/Cube&view=hex&at=header1:32`; slashes stay readable. */
export function printAddress({ file, entry, view, at }: Address): string {
  const parts = [
    ["file", file],
    ["entry", entry],
    ["view", view],
    ["at", at && `${at.space}:${at.offset}`],
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
  return address;
}

/** Reads `SPACE:OFFSET` or `OFFSET`, decimal or 0x hexadecimal. */
export function parsePlace(text: string): Place | undefined {
  const match = /^(?:(.+):)?(0[xX][0-9a-fA-F]+|\d+)$/.exec(text.trim());
  if (!match) return undefined;
  const offset = Number(match[2]);
  return Number.isSafeInteger(offset) ? { space: match[1] ?? "file", offset } : undefined;
}
