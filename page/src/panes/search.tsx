import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Row } from "../client/client";
import { type Search, firstOf, search } from "../finding";
import { valueText } from "../format";
import { walkButtons } from "../keys";
import { address, files, opened, openFile, work } from "../state";

/** Hits that are shown at once; as many come when they are asked for. */
const PAGE = 500;

/** Searches names, texts, ids and values as one types, in the open file or in all of them. */
export function SearchPane() {
  const [text, setText] = useState("");
  const [everywhere, setEverywhere] = useState(false);
  const [found, setFound] = useState<Search | undefined>(undefined);
  const [isOpen, setOpen] = useState(false);
  const [most, setMost] = useState(PAGE);
  const box = useRef<HTMLElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  /** Whether the hits were opened to walk through them. */
  const isEntered = useRef(false);
  const name = address.value.file;
  const among = everywhere || name === undefined ? files.value.map((it) => it.name) : [name];
  const pattern = text.trim();
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      if (event.key === "/" && !(event.target as HTMLElement).matches('input:not([type="checkbox"]), textarea, select')) {
        event.preventDefault();
        input.current?.focus();
        input.current?.select();
      }
    };
    addEventListener("keydown", focus);
    return () => removeEventListener("keydown", focus);
  }, []);
  useEffect(() => {
    setFound(undefined);
    setMost(PAGE);
    if (pattern === "" || among.length === 0) return;
    const abort = new AbortController();
    const later = setTimeout(
      () =>
        void work(() => {
          const asked = among.map((it) => ({ name: it, file: opened.value.get(it)?.handle ?? it }));
          return search(pattern, asked, abort.signal, setFound);
        }),
      200,
    );
    return () => {
      clearTimeout(later);
      abort.abort();
    };
  }, [pattern, among.join("\n")]);
  useLayoutEffect(() => {
    if (isOpen && isEntered.current) list.current?.querySelector("button")?.focus();
    isEntered.current = false;
  }, [isOpen]);
  useEffect(() => {
    if (!isOpen) return;
    const away = (event: MouseEvent) => {
      if (!box.current?.contains(event.target as Node)) setOpen(false);
    };
    addEventListener("pointerdown", away);
    return () => removeEventListener("pointerdown", away);
  }, [isOpen]);
  const close = () => {
    setOpen(false);
    input.current?.focus();
  };
  const follow = (file: string, hit: Row) => {
    setOpen(false);
    const to = { ...address.value, file, entry: String(hit.path), at: undefined as never };
    void openFile(file, to);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === "Escape") {
      // The field would be emptied.
      event.preventDefault();
      close();
    } else if (event.target !== input.current) walkButtons(event, list.current, () => input.current?.focus());
    else if (event.key === "ArrowDown") {
      event.preventDefault();
      isEntered.current = !isOpen;
      setOpen(true);
      list.current?.querySelector("button")?.focus();
    }
  };
  const labels = new Map(files.value.map((it) => [it.name, it.label ?? it.name]));
  const isDone = found !== undefined && found.searched === among.length;
  return (
    <section class="search" data-role="search" data-rows={found?.count ?? 0} aria-label="Search" ref={box} onKeyDown={onKey}>
      <input
        ref={input}
        type="search"
        placeholder="Search names, texts, numbers ( / )"
        aria-label="Search"
        value={text}
        onFocus={() => setOpen(true)}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setOpen(true);
        }}
      />
      <label>
        <input type="checkbox" checked={everywhere} onChange={(event) => setEverywhere(event.currentTarget.checked)} /> all files
      </label>
      {isOpen && found !== undefined && (
        <div class="list hits" ref={list}>
          <p class="quiet summary" role="status">
            {found.count === 0 ? (isDone ? "Nothing was found." : "Searching") : `${found.count.toLocaleString("en")} found`}
            {among.length > 1 && `, ${found.searched} of ${among.length} files searched`}
            {found.failed.length > 0 && (
              <span title={found.failed.map((it) => `${it.file}: ${it.diagnostic?.message ?? ""}`).join("\n")}>
                {`, ${found.failed.length} cannot be searched`}
              </span>
            )}
          </p>
          {firstOf(found.found, most).map(({ file, hits, all }) => (
            <ul key={file} data-file={file} data-rows={all}>
              {among.length > 1 && (
                <li class="group">
                  <strong>{labels.get(file) ?? file}</strong> <span class="quiet">{all.toLocaleString("en")}</span>
                </li>
              )}
              {hits.map((hit, nth) => (
                <li key={nth}>
                  <button type="button" onClick={() => follow(file, hit)}>
                    <span class="name">{String(hit.name || hit.path)}</span> <span class="quiet">{String(hit.kind ?? "")}</span>{" "}
                    <span class="quiet value">
                      {String(hit.field ?? "")} {valueText(hit.meaning ?? hit.value)}
                    </span>
                  </button>
                </li>
              ))}
            </ul>
          ))}
          {found.count > most && (
            <button type="button" class="more" onClick={() => setMost(most + PAGE)}>
              {`Show ${Math.min(PAGE, found.count - most)} more of ${(found.count - most).toLocaleString("en")}`}
            </button>
          )}
        </div>
      )}
    </section>
  );
}
