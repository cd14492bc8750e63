/** What a verb hands out: a row as the command prints it with `--json`. */
export type Row = Record<string, unknown>;

/** A finding or an error, as `--json` prints it. */
export interface Diagnostic {
  severity: "error" | "warning" | "info";
  code: string;
  message: string;
  space?: string;
  offset?: number;
  path?: string;
  help?: string;
}

/** Bytes that nobody else writes to. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** What a verb gave: its rows, its diagnostics, its notes, and the bytes that were asked for. */
export interface Answer {
  /** The exit code that the command would have. */
  code: number;
  rows: Row[];
  diagnostics: { file: string; diagnostic: Diagnostic }[];
  notes: string[];
  body: Bytes;
}

/** A file that the page can open. */
export interface FileName {
  /** What verbs call it. */
  name: string;
  /** What people are shown, where that is another name. */
  label?: string;
  size: number;
}

/** A file that stays open: what was changed in it is seen by later calls. */
export type Handle = number;

/** The one way to the verbs. */
export interface Client {
  /** Where the verbs run, and files lie: in this browser, or on the machine that serves the page. */
  readonly place: "browser" | "local";
  /** Whether files are written where they lie. */
  readonly canWrite: boolean;
  /** The files that can be opened. */
  files(): Promise<FileName[]>;
  /** Takes a file in, in the place of one of that name, and gives what verbs call it. */
  put(name: string, bytes: Bytes | Blob): Promise<string>;
  open(name: string): Promise<Handle>;
  close(handle: Handle): Promise<void>;
  /** Those of some open files that somebody wrote to since they were read. */
  changed(handles: Handle[]): Promise<Handle[]>;
  call(verb: string, request: Row, signal?: AbortSignal): Promise<Answer>;
  /** The bytes of the file that a verb writes, of this extension; nothing of it stays. `output` is how the verb calls it. */
  make(verb: string, request: Row, extension: string, output?: "output" | "patch", signal?: AbortSignal): Promise<Bytes>;
  /** The bytes of a file, as it was written last. */
  read(name: string): Promise<Bytes>;
}

/** The error of a call that gave nothing but diagnostics. */
export class CallError extends Error {
  constructor(
    readonly verb: string,
    readonly answer: Answer,
  ) {
    super(answer.diagnostics.map((it) => it.diagnostic.message).join("; ") || `${verb} failed`);
  }
}

/** The answer, where it has no error. */
export function succeeded(verb: string, answer: Answer): Answer {
  const failed = answer.diagnostics.some((it) => it.diagnostic.severity === "error");
  if (failed && answer.rows.length === 0 && answer.body.length === 0) throw new CallError(verb, answer);
  return answer;
}
