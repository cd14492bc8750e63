import { bytesText } from "../format";
import { VirtualList } from "../virtual";
import { type Change, countKinds, kindOf, titleOf } from "./changes";

/** The height of a change. */
const ROW = 24;

/** The summary: the number of changes of each kind, each a filter; and a filter by what one types. */
export function KindFilter(props: {
  changes: Change[];
  shown: number;
  kind: string | undefined;
  onKind(kind: string | undefined): void;
  text: string;
  onText(text: string): void;
}) {
  const { changes, shown, kind, onKind, text, onText } = props;
  const counts = countKinds(changes);
  const button = (key: string | undefined, words: string, count: number) => (
    <button key={words} type="button" data-kind={key} data-count={count} aria-pressed={kind === key} class={kind === key ? "chosen" : ""} onClick={() => onKind(key)}>
      {count} {words}
    </button>
  );
  return (
    <div class="diff-kinds" role="group" aria-label="Kinds of changes">
      {button(undefined, changes.length === 1 ? "change" : "changes", changes.length)}
      {counts.map(([key, count]) => button(key, kindOf(key).words, count))}
      <input type="search" placeholder="name, path or type" aria-label="Filter changes" value={text} onInput={(event) => onText(event.currentTarget.value)} />
      {shown < changes.length && <span class="quiet">{shown} shown</span>}
    </div>
  );
}

/** Changed entries, those in sight alone. */
export function ChangeList(props: { changes: Change[]; found: number[]; chosen: number | undefined; onChoose(nth: number, how: "push" | "replace"): void }) {
  const { changes, found, chosen, onChoose } = props;
  const position = chosen === undefined ? -1 : found.indexOf(chosen);
  if (found.length === 0) return <p class="diff-note quiet">No change is like that.</p>;
  return (
    <div class="diff-list" data-shown={found.length} style={{ flexBasis: Math.max(3, found.length) * ROW + 1 }}>
      <VirtualList
        count={found.length}
        rowHeight={ROW}
        label="Changes"
        shown={position < 0 ? undefined : position}
        onStep={(row) => {
          const nth = found[row];
          if (nth !== undefined) onChoose(nth, "replace");
        }}
        render={(row) => {
          const nth = found[row] ?? 0;
          const change = changes[nth];
          return change && <ChangeRow change={change} isChosen={nth === chosen} onChoose={() => onChoose(nth, "push")} />;
        }}
      />
    </div>
  );
}

function ChangeRow({ change, isChosen, onChoose }: { change: Change; isChosen: boolean; onChoose(): void }) {
  const { sign, words } = kindOf(change.change);
  const entry = change.new ?? change.old;
  const sizes = [change.old, change.new].flatMap((it) => (it === undefined ? [] : [bytesText(it.size)]));
  const fields = change.fields?.length;
  return (
    <div class={`entry diff-${change.change}${isChosen ? " chosen" : ""}`} role="option" aria-selected={isChosen} onClick={onChoose} title={entry?.path ?? ""}>
      <span class="diff-sign" aria-label={words}>
        {sign}
      </span>
      <span class="name">{titleOf(change)}</span>
      <span class="quiet">{entry?.type ?? ""}</span>
      <span class="quiet">{fields === undefined || fields === 0 ? "" : `${fields} field${fields === 1 ? "" : "s"}`}</span>
      <span class="quiet">{[...new Set(sizes)].join(" → ")}</span>
    </div>
  );
}
