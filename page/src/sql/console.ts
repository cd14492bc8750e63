import { signal } from "@preact/signals";
import type { Diagnostic, Row } from "../client/client";
import { verbs, work } from "../state";
import { type Column, columnsOf } from "./results";
import { type StatementError, limited, remembered, statementError } from "./statements";

const KEY = "spelunk-statements";

/** What a statement gave. */
export interface Result {
  statement: string;
  rows: Row[];
  columns: Column[];
  /** Whether there may be more rows than these. */
  isCut: boolean;
  /** What is said of files. */
  said: { file: string; diagnostic: Diagnostic }[];
  /** Time from question to answer, in milliseconds. */
  time: number;
}

/** The statement as it is written. */
export const statement = signal("");
export const result = signal<Result | undefined>(undefined);
export const wrong = signal<(StatementError & { statement: string }) | undefined>(undefined);
/** Statements that were run in this tab, the newest first. */
export const statements = signal<string[]>(stored());
/** What ends the statement that runs. */
export const running = signal<AbortController | undefined>(undefined);

function stored(): string[] {
  try {
    const list: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? "[]");
    return Array.isArray(list) ? list.filter((it) => typeof it === "string") : [];
  } catch {
    return [];
  }
}

/** Runs a statement on files, with so many rows at the most. One that runs is ended before. */
export async function run(text: string, files: (string | number)[], most: number): Promise<void> {
  if (text.trim() === "" || files.length === 0) return;
  running.value?.abort();
  const abort = new AbortController();
  running.value = abort;
  wrong.value = undefined;
  statements.value = remembered(statements.value, text);
  sessionStorage.setItem(KEY, JSON.stringify(statements.value));
  const begun = performance.now();
  const ask = (sql: string) => verbs().call("query", { files, sql }, abort.signal);
  await work(async () => {
    let answer = await ask(limited(text, most));
    let error = errorOf(answer.diagnostics);
    // Where a statement is wrong is said of it as it was written.
    if (error !== undefined && limited(text, most) !== text) {
      answer = await ask(text);
      error = errorOf(answer.diagnostics);
    }
    if (running.value !== abort) return;
    if (error !== undefined) {
      result.value = undefined;
      wrong.value = { ...statementError(error, text), statement: text };
      return;
    }
    const { rows, diagnostics: said } = answer;
    result.value = { statement: text, rows, columns: columnsOf(rows), isCut: rows.length === most, said, time: performance.now() - begun };
  });
  if (running.value === abort) running.value = undefined;
}

/** The error of a statement; those of files name their file. */
const errorOf = (said: Result["said"]): Diagnostic | undefined => said.find((it) => it.file === "" && it.diagnostic.severity === "error")?.diagnostic;
