import { batch, computed, effect, signal } from "@preact/signals";
import { type Address, parseAddress, printAddress } from "./address";
import { isPicture } from "./names";
import { type Answer, type Bytes, type Client, type FileName, type Handle, type Row, succeeded } from "./client/client";
import { viewsOf } from "./views";

/** A file that the page has open. */
export interface OpenFile {
  name: string;
  handle: Handle;
  format: string;
  /** What can be looked at in it besides entries, fields and bytes. */
  aspects: string[];
  /** The layers of a map. */
  layers: string[];
  size: number;
  /** Grows with every change, so that what was read before is read again. */
  version: number;
}

export const client = signal<Client | undefined>(undefined);
export const files = signal<FileName[]>([]);
export const opened = signal<ReadonlyMap<string, OpenFile>>(new Map());
export const address = signal<Address>(parseAddress(location.hash));
/** The last error, for people. */
export const failure = signal<string | undefined>(undefined);
/** What is marked in fields and bytes alike. */
export const marked = signal<{ space: string; offset: number; size: number } | undefined>(undefined);
const working = signal(0);

export const current = computed(() => {
  const { file } = address.value;
  return file === undefined ? undefined : opened.value.get(file);
});

effect(() => {
  document.documentElement.dataset.state = failure.value !== undefined ? "error" : working.value > 0 ? "busy" : "ready";
});

/** Does something that takes a while: the page says so, and shows what went wrong. */
export async function work<T>(job: () => Promise<T>): Promise<T | undefined> {
  working.value += 1;
  try {
    return await job();
  } catch (error) {
    if (!(error instanceof DOMException && error.name === "AbortError")) failure.value = error instanceof Error ? error.message : String(error);
    return undefined;
  } finally {
    working.value -= 1;
  }
}

/** Goes to another place; `replace` without a step in the history. */
export function go(to: Address, how: "push" | "replace" = "push"): void {
  const text = printAddress(to);
  if (text === location.hash) return;
  if (how === "push") history.pushState(null, "", text);
  else history.replaceState(null, "", text);
  address.value = to;
}

addEventListener("popstate", () => {
  address.value = parseAddress(location.hash);
});
addEventListener("hashchange", () => {
  address.value = parseAddress(location.hash);
});

/** The way to the verbs. */
export function verbs(): Client {
  const to = client.value;
  if (to === undefined) throw new Error("the verbs are not loaded yet");
  return to;
}

/** Calls a verb on the file of the address, or on another one. */
export async function call(verb: string, request: Row, signal?: AbortSignal): Promise<Answer> {
  return succeeded(verb, await verbs().call(verb, request, signal));
}

/** The bytes of the file that a verb writes. */
export const make = (verb: string, request: Row, extension: string, signal?: AbortSignal): Promise<Bytes> =>
  verbs().make(verb, request, extension, "output", signal);

/** The address of a file, which is looked at as the one before where it can be. */
function addressOf({ name, aspects }: OpenFile): Address {
  const { view } = address.value;
  return view !== undefined && viewsOf(aspects).includes(view) ? { file: name, view } : { file: name };
}

/** Opens a file, if it is not open, and shows it. */
export async function openFile(name: string, view?: Address): Promise<OpenFile | undefined> {
  const known = opened.value.get(name);
  if (known !== undefined) {
    go(view ?? addressOf(known));
    return known;
  }
  return work(async () => {
    const handle = await verbs().open(name);
    const [info] = (await call("info", { files: [handle], for_people: true, max_items: 0 })).rows;
    const { format, size, aspects, layers } = { format: "", size: 0, aspects: [], layers: [], ...info };
    const file: OpenFile = { name, handle, format, size, aspects, layers, version: 0 };
    batch(() => {
      opened.value = new Map(opened.value).set(name, file);
      failure.value = undefined;
      go(view ?? addressOf(file));
    });
    return file;
  });
}

/** Notes that an open file was changed, so that what was read of it is read again. */
export function touch(file: OpenFile): void {
  const known = opened.value.get(file.name);
  if (known?.handle !== file.handle) return;
  opened.value = new Map(opened.value).set(file.name, { ...known, version: known.version + 1 });
}

/** Closes a file. What was changed in it and not saved is gone. */
export async function closeFile(name: string): Promise<void> {
  const known = opened.value.get(name);
  if (known === undefined) return;
  opened.value = new Map([...opened.value].filter(([other]) => other !== name));
  await verbs().close(known.handle);
}

/** Takes files of this machine in. */
export async function takeFiles(list: Iterable<{ name: string; file: File }>): Promise<void> {
  let first: string | undefined;
  await work(async () => {
    for (const { name, file } of list) {
      const taken = await verbs().put(name, file);
      // It takes the place of another one of that name.
      await closeFile(taken);
      // Pictures are there for what names them.
      if (!isPicture(taken)) first ??= taken;
    }
    files.value = await verbs().files();
  });
  if (first !== undefined) await openFile(first, address.value.file === first ? address.value : undefined);
}
