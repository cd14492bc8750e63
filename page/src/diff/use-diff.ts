import { useEffect, useState } from "preact/hooks";
import { call, work } from "../state";
import type { Change } from "./changes";
import { type Side, diffRequest } from "./sides";

/** What a comparison gave: its changes, what else was said of it, or why there is none. */
export interface Comparison {
  changes: Change[];
  notes: string[];
  error?: string;
}

/** Compares two sides, again when one of them changes. */
export function useDiff(sides: { old: Side; new: Side } | undefined, items: number, version: string): Comparison | undefined {
  const key = JSON.stringify([sides, items, version]);
  const [known, setKnown] = useState<{ key: string; comparison: Comparison } | undefined>(undefined);
  useEffect(() => {
    if (sides === undefined) return;
    const abort = new AbortController();
    void work(async () => {
      let comparison: Comparison;
      try {
        const answer = await call("diff", diffRequest(sides.old, sides.new, items), abort.signal);
        const errors = answer.diagnostics.filter((it) => it.diagnostic.severity === "error").map((it) => `${it.file}: ${it.diagnostic.message}`);
        comparison = { changes: answer.rows as unknown as Change[], notes: [...answer.notes, ...errors] };
      } catch (error) {
        if (abort.signal.aborted) return;
        comparison = { changes: [], notes: [], error: error instanceof Error ? error.message : String(error) };
      }
      if (!abort.signal.aborted) setKnown({ key, comparison });
    });
    return () => abort.abort();
  }, [key]);
  return known?.key === key ? known.comparison : undefined;
}
