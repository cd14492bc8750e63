import type { ComponentType } from "preact";
import { Suspense, lazy } from "preact/compat";
import { useEffect, useState } from "preact/hooks";
import { VIEWS, type View } from "./address";
import { ChangesBar } from "./edit/bar";
import { ContentPane } from "./panes/content";
import { EntriesPane } from "./panes/entries";
import { FilesPane } from "./panes/files";
import { FindingsPane } from "./panes/findings";
import { HexPane } from "./panes/hex";
import { HistoryPane } from "./panes/history";
import { InspectorPane } from "./panes/inspector";
import { MapPane } from "./panes/map";
import { SearchPane } from "./panes/search";
import { SqlPane } from "./panes/sql";
import { TablePane } from "./panes/table";
import { TexturePane } from "./panes/texture";
import { address, current, failure, files, go, openFile, takeFiles } from "./state";

// three.js is most of the page, and read when a scene is looked at.
const ScriptPane = lazy(() => import("./panes/script").then((it) => ({ default: it.ScriptPane })));
const DiffPane = lazy(() => import("./panes/diff").then((it) => ({ default: it.DiffPane })));
const ScenePane = lazy(() => import("./panes/scene").then((it) => ({ default: it.ScenePane })));

/** The panes, and the formats whose files have something to show there; without them all files do. */
const PANES: Record<View, { title: string; pane: ComponentType<{ views: View[] }>; formats?: string[] }> = {
  hex: { title: "Bytes", pane: HexPane },
  scene: { title: "Scene", pane: ScenePane, formats: ["virtools", "spellforce-map"] },
  texture: { title: "Texture", pane: TexturePane, formats: ["virtools", "snpak"] },
  table: { title: "Table", pane: TablePane, formats: ["spellforce-cff", "virtools"] },
  script: { title: "Scripts", pane: ScriptPane, formats: ["virtools"] },
  map: { title: "Map", pane: MapPane, formats: ["spellforce-map"] },
  findings: { title: "Findings", pane: FindingsPane },
  content: { title: "Content", pane: ContentPane },
  diff: { title: "Differences", pane: DiffPane },
  sql: { title: "SQL", pane: SqlPane },
};

/** The views that a file has. */
const viewsOf = (format: string): View[] => VIEWS.filter((view) => PANES[view].formats?.includes(format) ?? true);

/** Files that were dropped, with those in folders. */
async function dropped(items: DataTransferItemList): Promise<{ name: string; file: File }[]> {
  const found: { name: string; file: File }[] = [];
  const walk = async (entry: FileSystemEntry): Promise<void> => {
    if (entry.isFile) {
      const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
      found.push({ name: entry.fullPath.replace(/^\//, ""), file });
      return;
    }
    const reader = (entry as FileSystemDirectoryEntry).createReader();
    for (;;) {
      const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
      if (part.length === 0) return;
      for (const inner of part) await walk(inner);
    }
  };
  const entries = [...items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  for (const entry of entries) await walk(entry);
  return found;
}

export function App() {
  const [isOver, setOver] = useState(false);
  const [folded, setFolded] = useState({ left: false, right: matchMedia("(max-width: 1100px)").matches });
  const file = current.value;
  const view = address.value.view ?? "hex";
  const { pane: Pane } = PANES[view];
  // An address names a file that is not open yet: after a reload, or from a bookmark.
  useEffect(() => {
    const { file: name } = address.value;
    if (name !== undefined && file === undefined && files.value.some((it) => it.name === name)) void openFile(name, address.value);
  }, [address.value.file, files.value]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.altKey && /^[1-9]$/.test(event.key) && file !== undefined) {
        const to = viewsOf(file.format)[Number(event.key) - 1];
        if (to) go({ ...address.value, view: to });
      }
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [file]);
  return (
    <div
      class={`page${isOver ? " over" : ""}${folded.left ? " no-left" : ""}${folded.right ? " no-right" : ""}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        if (event.dataTransfer) void dropped(event.dataTransfer.items).then(takeFiles);
      }}
    >
      <header class="top">
        <button
          type="button"
          class={folded.left ? "" : "chosen"}
          aria-pressed={!folded.left}
          aria-label="Files and entries"
          title="Files and entries"
          onClick={() => setFolded({ ...folded, left: !folded.left })}
        >
          ◧
        </button>
        <h1>spelunk</h1>
        <SearchPane />
        <HistoryPane title={(it) => PANES[it].title} />
        <nav aria-label="Views">
          {viewsOf(file?.format ?? "").map((it, nth) => (
            <button
              key={it}
              type="button"
              class={it === view ? "chosen" : ""}
              aria-pressed={it === view}
              title={`Alt ${nth + 1}`}
              onClick={() => go({ ...address.value, view: it })}
            >
              {PANES[it].title}
            </button>
          ))}
        </nav>
        <button
          type="button"
          class={folded.right ? "" : "chosen"}
          aria-pressed={!folded.right}
          aria-label="Inspector"
          title="Inspector"
          onClick={() => setFolded({ ...folded, right: !folded.right })}
        >
          ◨
        </button>
      </header>
      {failure.value !== undefined && (
        <p class="failure" role="alert">
          {failure.value}{" "}
          <button type="button" onClick={() => (failure.value = undefined)}>
            Close
          </button>
        </p>
      )}
      {file !== undefined && <ChangesBar />}
      <div class="left">
        <FilesPane />
        <EntriesPane />
      </div>
      <main>
        <Suspense fallback={<p class="quiet">Loading</p>}>{file === undefined ? <Welcome /> : <Pane views={viewsOf(file.format)} />}</Suspense>
      </main>
      <InspectorPane />
    </div>
  );
}

function Welcome() {
  return (
    <div class="welcome">
      <p>
        Choose a file on the left, or drop files or a folder here. Nothing leaves this machine.
      </p>
      <p class="quiet">
        Virtools (.nmo .cmo .vmo .nms), SnPAK (.snpak), SpellForce (GameData.cff, maps, saves, .pak, pakdata.dat)
      </p>
    </div>
  );
}
