import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { type Address, type View, printAddress } from "../address";
import { walkButtons } from "../keys";
import { address, files, go, opened, openFile, work } from "../state";
import { keepVisits, namesOf, visits, wordsOf } from "../visits";

/** Where one was in this tab, the newest first: a button with the list below it. */
export function HistoryPane({ title }: { title(view: View): string }) {
  const [isOpen, setOpen] = useState(false);
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map());
  const box = useRef<HTMLElement>(null);
  const toggle = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLUListElement>(null);
  useEffect(keepVisits, []);
  useLayoutEffect(() => {
    if (isOpen) list.current?.querySelector("button")?.focus();
  }, [isOpen]);
  useEffect(() => {
    if (!isOpen) return;
    void work(async () => setNames(await namesOf(visits.value)));
    const away = (event: MouseEvent) => {
      if (!box.current?.contains(event.target as Node)) setOpen(false);
    };
    addEventListener("pointerdown", away);
    return () => removeEventListener("pointerdown", away);
  }, [isOpen]);
  const close = () => {
    setOpen(false);
    toggle.current?.focus();
  };
  const canOpen = (name: string | undefined) => name !== undefined && (opened.value.has(name) || files.value.some((it) => it.name === name));
  const follow = (to: Address) => {
    close();
    if (to.file !== undefined && !opened.value.has(to.file)) void openFile(to.file, to);
    else go(to);
  };
  const onKey = (event: KeyboardEvent) => {
    if (!isOpen) return;
    if (event.key === "Escape") close();
    else walkButtons(event, list.current);
  };
  const labels = new Map(files.value.map((it) => [it.name, it.label ?? it.name]));
  return (
    <section class="history" data-role="history" data-rows={visits.value.length} aria-label="History" ref={box} onKeyDown={onKey}>
      <button ref={toggle} type="button" aria-expanded={isOpen} title="Where you were in this tab" onClick={() => setOpen(!isOpen)}>
        History
      </button>
      {isOpen && (
        <ul class="list visits" ref={list}>
          {visits.value.length === 0 && <li class="quiet">You were nowhere yet.</li>}
          {visits.value.map((visit) => {
            const text = printAddress(visit);
            const isHere = text === printAddress(address.value);
            return (
              <li key={text}>
                <button
                  type="button"
                  class={isHere ? "chosen" : ""}
                  aria-current={isHere}
                  disabled={!canOpen(visit.file)}
                  title={canOpen(visit.file) ? text : "This file is not among those of the page: open it again to go there."}
                  onClick={() => follow(visit)}
                >
                  <span class="name">{labels.get(visit.file ?? "") ?? visit.file}</span>
                  <span class="quiet">{wordsOf(visit, title, names.get(`${visit.file} ${visit.entry}`))}</span>
                </button>
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}
