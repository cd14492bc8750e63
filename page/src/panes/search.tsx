import { useEffect, useRef, useState } from "preact/hooks";
import type { Row } from "../client/client";
import { valueText } from "../format";
import { address, call, files, go, opened, openFile, work } from "../state";

/** Hits that are shown. */
const MOST = 500;

/** Searches names, texts, ids and values as one types, in the open file or in all of them. */
export function SearchPane() {
  const [text, setText] = useState("");
  const [everywhere, setEverywhere] = useState(false);
  const [hits, setHits] = useState<Row[] | undefined>(undefined);
  const input = useRef<HTMLInputElement>(null);
  const name = address.value.file;
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      if (event.key === "/" && !(event.target instanceof HTMLInputElement)) {
        event.preventDefault();
        input.current?.focus();
      }
    };
    addEventListener("keydown", focus);
    return () => removeEventListener("keydown", focus);
  }, []);
  useEffect(() => {
    const pattern = text.trim();
    if (pattern === "") {
      setHits(undefined);
      return;
    }
    const abort = new AbortController();
    const later = setTimeout(
      () =>
        void work(async () => {
          const among = everywhere ? files.value.map((it) => it.name) : name === undefined ? [] : [name];
          const answer = await call("find", { pattern, files: among.map((it) => opened.value.get(it)?.handle ?? it) }, abort.signal);
          if (!abort.signal.aborted) setHits(answer.rows);
        }),
      200,
    );
    return () => {
      clearTimeout(later);
      abort.abort();
    };
  }, [text, everywhere, name]);
  return (
    <section class="search" data-role="search" data-rows={hits?.length ?? 0} aria-label="Search">
      <input
        ref={input}
        type="search"
        placeholder="Search names, texts, numbers ( / )"
        aria-label="Search"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => event.key === "Escape" && setText("")}
      />
      <label>
        <input type="checkbox" checked={everywhere} onChange={(event) => setEverywhere(event.currentTarget.checked)} /> all files
      </label>
      {hits !== undefined && (
        <ul class="list hits">
          {hits.length === 0 && <li class="quiet">Nothing was found.</li>}
          {hits.slice(0, MOST).map((hit, nth) => (
            <li key={nth}>
              <button
                type="button"
                onClick={() => {
                  const to = { ...address.value, file: String(hit.file), entry: String(hit.path) };
                  if (opened.value.has(to.file)) go(to);
                  else void openFile(to.file, to);
                  setText("");
                }}
              >
                <span class="name">{String(hit.name ?? hit.path)}</span> <span class="quiet">{String(hit.kind ?? "")}</span>{" "}
                <span class="quiet">
                  {String(hit.field ?? "")} {valueText(hit.meaning ?? hit.value)}
                </span>
              </button>
            </li>
          ))}
          {hits.length > MOST && <li class="quiet">{hits.length - MOST} more</li>}
        </ul>
      )}
    </section>
  );
}
