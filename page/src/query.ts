import { useEffect, useState } from "preact/hooks";
import type { Answer, Row } from "./client/client";
import { call, work } from "./state";

/** The answer of a verb to a request, asked again when the request or `version` changes; what is no longer wanted is cancelled. */
export function useCall(verb: string | undefined, request: Row, version = 0): Answer | undefined {
  const key = JSON.stringify([verb, request, version]);
  const [answer, setAnswer] = useState<{ key: string; answer: Answer } | undefined>(undefined);
  useEffect(() => {
    if (verb === undefined) return;
    const abort = new AbortController();
    void work(async () => {
      const answer = await call(verb, request, abort.signal);
      if (!abort.signal.aborted) setAnswer({ key, answer });
    });
    return () => abort.abort();
  }, [key]);
  return answer?.key === key ? answer.answer : undefined;
}
