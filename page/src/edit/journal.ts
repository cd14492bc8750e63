import { computed, signal } from "@preact/signals";
import { type Bytes, type Answer, CallError, type Handle, type Row } from "../client/client";
import { type OpenFile, opened, touch, verbs, work } from "../state";

/** A change that can be taken back: the patch goes from the file before it to the one after it, and back. */
export interface Step {
  title: string;
  patch: Bytes;
}

/** The changes of an open file. */
export interface Journal {
  done: Step[];
  undone: Step[];
  /** The number of steps that the saved file has; -1 where no number of steps leads to it. */
  saved: number;
}

const EMPTY: Journal = { done: [], undone: [], saved: 0 };

export const journals = signal<ReadonlyMap<Handle, Journal>>(new Map());

/** The changes of a file; none where it is as it was opened. */
export const journalOf = (file: OpenFile | undefined): Journal => (file && journals.value.get(file.handle)) ?? EMPTY;

/** Whether the file is not as it was saved. */
export const isChanged = (file: OpenFile | undefined): boolean => {
  const { done, saved } = journalOf(file);
  return done.length !== saved;
};

/** The open files that are not as they were saved. */
export const changedFiles = computed(() => [...opened.value.values()].filter(isChanged));

function keep(file: OpenFile, journal: Journal): void {
  journals.value = new Map(journals.value).set(file.handle, journal);
  touch(file);
}

/** Forgets the changes of a file that is closed. */
export function forget(handle: Handle): void {
  const rest = new Map(journals.value);
  rest.delete(handle);
  journals.value = rest;
}

/** Notes that the file is saved as it is. */
export function noteSaved(file: OpenFile): void {
  const journal = journalOf(file);
  keep(file, { ...journal, saved: journal.done.length });
}

/** Calls a verb that changes something; what it did not do is an error. */
async function changing(verb: string, request: Row): Promise<Answer> {
  const answer = await verbs().call(verb, request);
  if (answer.code !== 0) throw new CallError(verb, answer);
  return answer;
}

/** Changes that are under way: each begins where the one before it ended. */
let queue: Promise<unknown> = Promise.resolve();
function inTurn<T>(job: () => Promise<T>): Promise<T | undefined> {
  const next = queue.then(() => work(job));
  queue = next;
  return next;
}

/**
 * Changes an open file with a verb, whose request has the file under `key`. The change is tried on a copy first, which gives the patch: a
 * change that cannot be taken back is not made.
 */
export function change(file: OpenFile, title: string, verb: string, request: Row, key = "file"): Promise<boolean | undefined> {
  return inTurn(async () => {
    const to = verbs();
    const copy = await to.fork(file.handle);
    try {
      await changing(verb, { ...request, [key]: copy });
      const patch = await to.make("diff", { old: file.handle, new: copy }, "patch", "patch");
      await changing(verb, { ...request, [key]: file.handle });
      const { done, saved } = journalOf(file);
      // Where the saved file was among what can be done again, no step leads to it any more.
      keep(file, { done: [...done, { title, patch }], undone: [], saved: saved > done.length ? -1 : saved });
      return true;
    } finally {
      await to.close(copy);
    }
  });
}

/** Takes the patch of a step to an open file, or back. */
async function patched(file: OpenFile, step: Step, reverse: boolean): Promise<void> {
  const patch = await verbs().put(".step.patch", step.patch);
  await changing("patch", { file: file.handle, patch, reverse });
}

/** Takes the last change back. */
export function undo(file: OpenFile): Promise<void | undefined> {
  return inTurn(async () => {
    const { done, undone, saved } = journalOf(file);
    const step = done.at(-1);
    if (step === undefined) return;
    await patched(file, step, true);
    keep(file, { done: done.slice(0, -1), undone: [...undone, step], saved });
  });
}

/** Makes the change again that was taken back last. */
export function redo(file: OpenFile): Promise<void | undefined> {
  return inTurn(async () => {
    const { done, undone, saved } = journalOf(file);
    const step = undone.at(-1);
    if (step === undefined) return;
    await patched(file, step, false);
    keep(file, { done: [...done, step], undone: undone.slice(0, -1), saved });
  });
}
