import type { Diagnostic, Row } from "./client/client";
import { verbs } from "./state";

/** The hits in a file. */
export interface FileHits {
  file: string;
  hits: Row[];
}

/** How far a search has come. */
export interface Search {
  /** The files with hits, in the order in which they were searched. */
  found: FileHits[];
  count: number;
  searched: number;
  /** The files that could not be searched. */
  failed: { file: string; diagnostic: Diagnostic | undefined }[];
}

/** The groups with so many hits at the most. */
export function firstOf(found: FileHits[], most: number): (FileHits & { all: number })[] {
  const shown = [];
  let left = most;
  for (const { file, hits } of found) {
    if (left <= 0) break;
    shown.push({ file, hits: hits.slice(0, left), all: hits.length });
    left -= hits.length;
  }
  return shown;
}

/** Searches file by file, and hands out what was found as it comes. `among` are the names of files with what verbs are to be given. */
export async function search(
  pattern: string,
  among: { name: string; file: string | number }[],
  signal: AbortSignal,
  onFound: (search: Search) => void,
): Promise<void> {
  let state: Search = { found: [], count: 0, searched: 0, failed: [] };
  for (const { name, file } of among) {
    signal.throwIfAborted();
    const { rows, diagnostics } = await verbs().call("find", { pattern, files: [file] }, signal);
    signal.throwIfAborted();
    const error = diagnostics.find((it) => it.diagnostic.severity === "error");
    state = {
      found: rows.length === 0 ? state.found : [...state.found, { file: name, hits: rows }],
      count: state.count + rows.length,
      searched: state.searched + 1,
      failed: error !== undefined && rows.length === 0 ? [...state.failed, { file: name, diagnostic: error.diagnostic }] : state.failed,
    };
    onFound(state);
  }
}
