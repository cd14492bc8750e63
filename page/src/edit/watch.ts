import { signal } from "@preact/signals";
import { address, closeFile, go, type OpenFile, opened, openFile, verbs } from "../state";
import { changedFiles, forget, isChanged } from "./journal";

/** Milliseconds between two looks at the files. */
const PERIOD = 3000;

/** Names of open files that another program wrote to since they were read. */
export const outdated = signal<ReadonlySet<string>>(new Set());
/** Names of files whose owner wants to go on with what was read. */
const kept = new Set<string>();

async function look(): Promise<void> {
  const files = [...opened.value.values()];
  if (document.hidden || files.length === 0) return;
  const changed = await verbs().changed(files.map((it) => it.handle));
  const names = files.filter((it) => changed.includes(it.handle)).map((it) => it.name);
  const shown = names.filter((name) => !kept.has(name));
  if (shown.length !== outdated.value.size || shown.some((name) => !outdated.value.has(name))) outdated.value = new Set(shown);
}

/** Notices files that change outside, and asks before changes are lost with the page. */
export function watchFiles(): void {
  if (verbs().place === "local") {
    // A server that is gone is noticed by the next call.
    const again = () => void look().catch(() => undefined).then(() => setTimeout(again, PERIOD));
    again();
  }
  addEventListener("beforeunload", (event) => {
    if (changedFiles.value.length > 0) event.preventDefault();
  });
}

/** Reads a file again; what was changed in it and not saved is gone. */
export async function readAgain(name: string): Promise<void> {
  const known = opened.value.get(name);
  if (known === undefined) return;
  forget(known.handle);
  await closeFile(name);
  outdated.value = new Set([...outdated.value].filter((it) => it !== name));
  await openFile(name, address.value.file === name ? address.value : { file: name });
}

/** Closes a file. Where changes would be lost with it, that is asked about. */
export async function dismiss(file: OpenFile): Promise<void> {
  if (isChanged(file) && !confirm(`Close ${file.name} and lose its changes?`)) return;
  forget(file.handle);
  if (address.value.file === file.name) go({});
  await closeFile(file.name);
}

/** Goes on with what was read, whatever the file is now. */
export function keepRead(name: string): void {
  kept.add(name);
  outdated.value = new Set([...outdated.value].filter((it) => it !== name));
}
