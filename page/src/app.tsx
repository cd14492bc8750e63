import type { ComponentType } from "preact";
import { Suspense, lazy } from "preact/compat";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { View } from "./address";
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
import { viewsOf } from "./views";

// three.js is most of the page, and read when a scene is looked at.
const ScriptPane = lazy(() => import("./panes/script").then((it) => ({ default: it.ScriptPane })));
const DiffPane = lazy(() => import("./panes/diff").then((it) => ({ default: it.DiffPane })));
const scene = () => import("./panes/scene").then((it) => ({ default: it.ScenePane }));
const ScenePane = lazy(scene);

/** The panes. */
const PANES: Record<View, { title: string; pane: ComponentType<{ views: View[] }> }> = {
  hex: { title: "Bytes", pane: HexPane },
  scene: { title: "Scene", pane: ScenePane },
  texture: { title: "Texture", pane: TexturePane },
  table: { title: "Table", pane: TablePane },
  script: { title: "Scripts", pane: ScriptPane },
  map: { title: "Map", pane: MapPane },
  findings: { title: "Findings", pane: FindingsPane },
  content: { title: "Content", pane: ContentPane },
  diff: { title: "Differences", pane: DiffPane },
  sql: { title: "SQL", pane: SqlPane },
};

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
  const views = useMemo(() => viewsOf(file?.aspects ?? []), [file?.aspects]);
  const { pane: Pane } = PANES[view];
  // An address names a file that is not open yet: after a reload, or from a bookmark.
  useEffect(() => {
    const { file: name } = address.value;
    if (name !== undefined && file === undefined && files.value.some((it) => it.name === name)) void openFile(name, address.value);
  }, [address.value.file, files.value]);
  // It is there when somebody asks for it.
  useEffect(() => {
    if (views.includes("scene")) requestIdleCallback(() => void scene().catch(() => undefined));
  }, [views]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.altKey && /^[1-9]$/.test(event.key) && file !== undefined) {
        const to = views[Number(event.key) - 1];
        if (to) go({ ...address.value, view: to });
      }
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [file, views]);
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
          {views.map((it, nth) => (
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
        <Suspense fallback={<p class="quiet">Loading</p>}>{file === undefined ? <Welcome /> : <Pane views={views} />}</Suspense>
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
