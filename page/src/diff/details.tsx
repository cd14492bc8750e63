import { type Signal, signal } from "@preact/signals";
import { address, openFile } from "../state";
import { DiffBytes } from "./bytes";
import { type Change, kindOf, titleOf } from "./changes";
import { DiffFields } from "./fields";
import { DiffPicture } from "./picture";
import type { Side } from "./sides";

type Part = "fields" | "bytes" | "picture";

/** What of a change is looked at; it stays from one change to the next. */
const part: Signal<Part> = signal("fields");

/** The chosen change: its fields, its bytes and its pictures, and ways to the entry in either file. */
export function DiffDetails(props: { change: Change; sides: { old: Side; new: Side }; hasPictures: boolean; onMore(): void }) {
  const { change, sides, hasPictures, onMore } = props;
  const { file, with: other } = address.value;
  const hasEntry = change.old !== undefined || change.new !== undefined;
  const parts: [Part, string][] = [["fields", "Fields"], ...(hasEntry ? [["bytes", "Bytes"] satisfies [Part, string]] : []), ...(hasEntry && hasPictures ? [["picture", "Picture"] satisfies [Part, string]] : [])];
  const shown = parts.some(([it]) => it === part.value) ? part.value : "fields";
  const lead = (name: string | undefined, path: string | undefined) => {
    if (name === undefined || path === undefined) return;
    void openFile(name, { file: name, entry: path });
  };
  return (
    <section class="diff-details" aria-label="Chosen change">
      <header>
        {parts.map(([it, title]) => (
          <button key={it} type="button" aria-pressed={it === shown} class={it === shown ? "chosen" : ""} onClick={() => (part.value = it)}>
            {title}
          </button>
        ))}
        <h3>
          {titleOf(change)} <span class="quiet">{hasEntry ? kindOf(change.change).words : ""}</span>
        </h3>
        {change.old !== undefined && other !== file && sides.old.generation === undefined && (
          <button type="button" class="link" onClick={() => lead(other, change.old?.path)}>
            Go to it in the old file
          </button>
        )}
        {change.new !== undefined && sides.new.generation === undefined && (
          <button type="button" class="link" onClick={() => lead(file, change.new?.path)}>
            Go to it in the new file
          </button>
        )}
      </header>
      {shown === "fields" && <DiffFields change={change} sides={sides} onMore={onMore} />}
      {shown === "bytes" && <DiffBytes change={change} sides={sides} />}
      {shown === "picture" && <DiffPicture change={change} sides={sides} />}
    </section>
  );
}
