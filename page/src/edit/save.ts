import { signal } from "@preact/signals";
import { type Bytes, CallError, type Row } from "../client/client";
import { download, lastStep } from "../download";
import { type OpenFile, files, touch, verbs, work } from "../state";
import { noteSaved } from "./journal";

/** What is said of the last save: the file, and whether it came back as it was meant. */
export const saved = signal<string | undefined>(undefined);

export const extensionOf = (name: string): string => /\.([A-Za-z0-9]+)$/.exec(name)?.[1] ?? "bin";

/** Saves an open file over the one that it was opened from; where that is not written, as a download. */
export function save(file: OpenFile): Promise<void | undefined> {
  return work(async () => {
    if (verbs().canWrite) {
      await backedUp(file, { file: file.handle, in_place: true });
      await proved(file, file.name);
    } else download(lastStep(file.name), await rewritten(file));
    noteSaved(file);
  });
}

/** Saves an open file under another name of the folder; asks before another file is replaced. */
export function saveAs(file: OpenFile, name: string): Promise<void | undefined> {
  return work(async () => {
    const request = { file: file.handle, output: name };
    try {
      await written(request);
    } catch (error) {
      if (!isTaken(error) || !confirm(`${name} is there already. Replace it? It is kept beside the new one, with .bak behind its name.`)) throw error;
      await backedUp(undefined, { ...request, force: true });
    }
    await proved(file, name);
    noteSaved(file);
    files.value = await verbs().files();
  });
}

/** Where browsers let the user choose a place for a file. */
type Picker = (options: { suggestedName: string }) => Promise<FileSystemFileHandle>;
const picker = (): Picker | undefined => (window as { showSaveFilePicker?: Picker }).showSaveFilePicker?.bind(window);

/** Whether the user can choose where a file goes. */
export const canChoose = (): boolean => picker() !== undefined;

/** Saves an open file at a place that the user chooses. */
export function saveChosen(file: OpenFile): Promise<void | undefined> {
  return work(async () => {
    const place = await picker()?.({ suggestedName: lastStep(file.name) });
    if (place === undefined) return;
    const bytes = await rewritten(file);
    const stream = await place.createWritable();
    await stream.write(bytes);
    await stream.close();
    noteSaved(file);
  });
}

/** An open file as it would be saved. In the browser, the one in memory is that from then on. */
async function rewritten(file: OpenFile): Promise<Bytes> {
  const bytes = await verbs().make("rewrite", { file: file.handle }, extensionOf(file.name));
  const name = await verbs().put(verbs().place === "browser" ? file.name : `.saved/${lastStep(file.name)}`, bytes);
  await proved(file, name);
  return bytes;
}

/** Whether an error is that a file is there already. */
const isTaken = (error: unknown): boolean =>
  error instanceof CallError && error.answer.diagnostics.some((it) => it.diagnostic.code === "SP021");

/** Files whose content from before they were changed here is kept already. */
const kept = new Set<string>();

/** Writes over a file, whose old content is kept beside it under a name that is free; once for an open file, as it was at first. */
async function backedUp(file: OpenFile | undefined, request: Row): Promise<void> {
  if (file !== undefined && kept.has(file.name)) return written(request);
  for (let nth = 1; ; nth += 1) {
    try {
      await written({ ...request, backup: nth === 1 ? ".bak" : `.bak${nth}` });
      if (file !== undefined) kept.add(file.name);
      return;
    } catch (error) {
      if (!isTaken(error) || nth === 99) throw error;
    }
  }
}

async function written(request: Row): Promise<void> {
  const answer = await verbs().call("rewrite", request);
  if (answer.code !== 0) throw new CallError("rewrite", answer);
}

/** Opens what was saved, and holds that it comes back byte for byte and is what is open. */
async function proved(file: OpenFile, name: string): Promise<void> {
  const to = verbs();
  const handle = await to.open(name);
  try {
    const { rows } = await to.call("verify", { files: [handle], roundtrip: true });
    const same = await to.call("diff", { old: file.handle, new: handle });
    const identical = (rows[0]?.roundtrip as { identical?: boolean } | undefined)?.identical === true;
    const isSame = same.code === 0 && !same.diagnostics.some((it) => it.diagnostic.severity === "error");
    if (!identical || !isSame) throw new Error(`${name} was written, but what it holds is not what is open: keep the old file`);
    saved.value = `${lastStep(name)} is saved: read again it is what is open, and comes back byte for byte`;
  } finally {
    await to.close(handle);
    touch(file);
  }
}
