import type { Row } from "../client/client";

/** Column of a row that says which language it is in. */
export const LANGUAGE = "language_id";

/** A language of a file. */
export interface Language {
  slot: number;
  name: string;
}

/** A text in all of its languages. */
export interface Text {
  /** Path of the text without its language. */
  path: string;
  /** Texts by the slots of their languages. */
  texts: Map<number, { path: string; content: string }>;
}

/** The languages that the facts about a file name. */
export function languagesOf(info: Row | undefined): Language[] {
  const list = (info?.details as Row | undefined)?.languages;
  if (!Array.isArray(list)) return [];
  return list.map((it: Row) => ({ slot: Number(it.slot), name: String(it.name ?? `language ${it.slot}`) }));
}

/** Puts rows of one text each, and one language, side by side; rows of a text have paths that begin alike. */
export function sideBySide(rows: Row[]): Text[] {
  const texts = new Map<string, Text>();
  for (const row of rows) {
    const path = String(row.path);
    const key = path.slice(0, path.lastIndexOf("/"));
    let text = texts.get(key);
    if (text === undefined) {
      text = { path: key, texts: new Map() };
      texts.set(key, text);
    }
    text.texts.set(Number(row[LANGUAGE]), { path, content: String(row.content ?? "") });
  }
  return [...texts.values()];
}

/** The languages of texts: those that are known, and those that only rows have. */
export function columnsOf(texts: Text[], known: Language[]): Language[] {
  const slots = new Set(texts.flatMap((text) => [...text.texts.keys()]));
  const named = known.filter((it) => slots.has(it.slot));
  const others = [...slots].filter((slot) => !named.some((it) => it.slot === slot)).sort((a, b) => a - b);
  return [...named, ...others.map((slot) => ({ slot, name: `language ${slot}` }))];
}
