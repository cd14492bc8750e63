import { Suspense, lazy } from "preact/compat";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { Address, View } from "../address";
import { DiffDetails } from "../diff/details";
import { ChangeList, KindFilter } from "../diff/list";
import { SidesChooser } from "../diff/chooser";
import { filterChanges } from "../diff/changes";
import { sidesOf } from "../diff/sides";
import { useDiff } from "../diff/use-diff";
import { address, current, files, go, opened, openFile } from "../state";

const SceneOverlay = lazy(() => import("../diff/overlay").then((it) => ({ default: it.SceneOverlay })));

/** Items of each list of a change that are asked for at first. */
const ITEMS = 20;

/** The address without an entry. */
const withoutEntry = ({ entry: _, ...rest }: Address): Address => rest;

/** Two files, or two generations of one, and what differs between them. */
export function DiffPane({ views }: { views: View[] }) {
  const file = current.value;
  const { entry, with: otherName, generations } = address.value;
  const other = otherName === undefined ? undefined : opened.value.get(otherName);
  const isThere = files.value.some((it) => it.name === otherName);
  const [items, setItems] = useState(ITEMS);
  const [kind, setKind] = useState<string | undefined>(undefined);
  const [text, setText] = useState("");
  const [picked, setPicked] = useState<number | undefined>(undefined);
  const [isScene, setScene] = useState(false);
  // The other file may not be open yet: it was chosen now, or stands in a bookmark.
  useEffect(() => {
    if (otherName !== undefined && other === undefined && isThere) void openFile(otherName, address.value);
  }, [otherName, other, isThere]);
  const sides = file !== undefined && other !== undefined ? sidesOf(file, other, generations, files.value) : undefined;
  const comparison = useDiff(sides, items, `${file?.version} ${other?.version}`);
  const changes = comparison?.changes ?? [];
  const names = JSON.stringify(sides);
  useEffect(() => {
    setItems(ITEMS);
    setKind(undefined);
    setPicked(undefined);
  }, [names]);
  const positions = useMemo(() => new Map(changes.flatMap((it, nth) => (it.new === undefined ? [] : [[it.new.path, nth]]))), [comparison]);
  const found = useMemo(() => filterChanges(changes, kind, text), [comparison, kind, text]);
  // Entries of an older generation have no address: the page shows files as they are.
  const isAddressed = generations?.own === undefined;
  const chosen = isAddressed && entry !== undefined ? positions.get(entry) : picked;
  const choose = (nth: number, how: "push" | "replace" = "push") => {
    setPicked(nth);
    const path = isAddressed ? changes[nth]?.new?.path : undefined;
    go(path === undefined ? withoutEntry(address.value) : { ...address.value, entry: path }, how);
  };
  const change = chosen === undefined ? undefined : changes[chosen];
  const hasScene = views.includes("scene") && sides !== undefined;
  return (
    <section class="pane diff" data-role="diff" data-rows={changes.length} aria-label="Changes" aria-busy={sides !== undefined && comparison === undefined}>
      <header>
        <h2>Differences</h2>
        <SidesChooser file={file} other={other} />
        {hasScene && (
          <span class="diff-modes">
            <button type="button" aria-pressed={!isScene} class={isScene ? "" : "chosen"} onClick={() => setScene(false)}>
              Entries
            </button>
            <button type="button" aria-pressed={isScene} class={isScene ? "chosen" : ""} onClick={() => setScene(true)}>
              Scene
            </button>
          </span>
        )}
      </header>
      {sides === undefined && (
        <p class="diff-note">
          {otherName === undefined
            ? "Choose the file that this one is compared with. The file that is open is the new one, the chosen one the old one."
            : isThere
              ? `Opening ${otherName}`
              : `There is no file ${otherName} on this page. Open it, or choose another one.`}
        </p>
      )}
      {sides !== undefined && comparison === undefined && <p class="diff-note quiet">Comparing</p>}
      {comparison?.error !== undefined && (
        <p class="diff-note" role="alert">
          {sides?.old.name} and {sides?.new.name} cannot be compared: {comparison.error}
        </p>
      )}
      {comparison?.error === undefined && comparison?.notes.map((note) => <p class="diff-note quiet" key={note}>{note}</p>)}
      {comparison !== undefined && comparison.error === undefined && changes.length === 0 && (
        <p class="diff-note">
          {sides?.new.name} has the same content as {sides?.old.name}: nothing was added, removed or changed.
        </p>
      )}
      {sides !== undefined && isScene && hasScene && comparison !== undefined && (
        <Suspense fallback={<p class="diff-note quiet">Loading</p>}>
          <SceneOverlay sides={sides} changes={changes} version={`${file?.version} ${other?.version}`} />
        </Suspense>
      )}
      {sides !== undefined && !isScene && changes.length > 0 && (
        <>
          <KindFilter changes={changes} shown={found.length} kind={kind} onKind={setKind} text={text} onText={setText} />
          <div class="diff-parts">
            <ChangeList changes={changes} found={found} chosen={chosen} onChoose={choose} />
            {change === undefined ? (
              <p class="diff-note quiet">
                {entry !== undefined && isAddressed && !positions.has(entry) ? `${entry} is the same on both sides. ` : ""}
                Choose a change to see its fields and bytes.
              </p>
            ) : (
              <DiffDetails
                key={chosen}
                change={change}
                sides={sides}
                hasPictures={views.includes("texture")}
                onMore={() => setItems(items * 10)}
              />
            )}
          </div>
        </>
      )}
    </section>
  );
}
