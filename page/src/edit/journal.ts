import { computed, signal } from "@preact/signals";
import { type Answer, CallError, type Handle, type Row } from "../client/client";
import { type OpenFile, opened, touch, verbs, work } from "../state";

/** The changes of an open file, as the history that is kept of it has them: what was asked for. */
export interface Journal {
  /** What can be taken back, the last one last. */
  done: string[];
  /** What can be made again, the next one last. */
  undone: string[];
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

/** The steps of a file, as its history lists them. */
async function steps(file: OpenFile): Promise<Pick<Journal, "done" | "undone">> {
  const { rows } = await changing("history", { file: file.handle });
  const labels = (state: string) => rows.filter((row) => row.state === state).map((row) => String(row.label));
  return { done: labels("done"), undone: labels("undone").reverse() };
}

/**
 * Changes an open file with a verb, whose request has the file under `key`. The history of the file keeps it; a change that cannot be
 * taken back is not made.
 */
export function change(file: OpenFile, verb: string, request: Row, key = "file"): Promise<boolean | undefined> {
  return inTurn(async () => {
    await changing(verb, { ...request, [key]: file.handle, history: true });
    const before = journalOf(file);
    const now = await steps(file);
    // Where the saved file was among what can be done again, no step leads to it any more.
    const isLost = before.saved > before.done.length && now.undone.length === 0;
    keep(file, { ...now, saved: isLost ? -1 : before.saved });
    return true;
  });
}

/** Goes a step back or forth. */
function step(file: OpenFile, verb: "undo" | "redo"): Promise<void | undefined> {
  return inTurn(async () => {
    const { done, undone, saved } = journalOf(file);
    if ((verb === "undo" ? done : undone).length === 0) return;
    await changing(verb, { file: file.handle });
    keep(file, { ...(await steps(file)), saved });
  });
}

/** Takes the last change back. */
export const undo = (file: OpenFile) => step(file, "undo");

/** Makes the change again that was taken back last. */
export const redo = (file: OpenFile) => step(file, "redo");
