// The verbs as WebAssembly, in a thread of their own: a message is a method of the session with its arguments.
import type { Answer, Bytes, FileName } from "./client";

/** What wasm-bindgen makes of the door for JavaScript. */
interface WasmAnswer {
  readonly code: number;
  readonly rows: string;
  readonly diagnostics: string;
  readonly notes: string[];
  readonly body: Bytes;
  free(): void;
}
interface WasmSession {
  put(name: string, bytes: Uint8Array): void;
  put_ranges(name: string, size: number, ranges: { read(offset: number, buffer: Uint8Array): void }): void;
  remove(name: string): void;
  get(name: string): Bytes | undefined;
  names(): string[];
  open(name: string): number;
  close(handle: number): void;
  call(verb: string, request: string): WasmAnswer;
}

export interface Request {
  id: number;
  method: "put" | "take" | "read" | "files" | "open" | "close" | "call";
  args: unknown[];
}
export type Reply = { id: number; result: unknown } | { id: number; error: string };

const beside = (name: string) => new URL(name, import.meta.url);
const module = beside("./spelunk_wasm.js").href;
const loaded: Promise<WasmSession> = import(/* @vite-ignore */ module).then(async (wasm) => {
  await wasm.default({ module_or_path: beside("./spelunk_wasm_bg.wasm") });
  return new wasm.Session() as WasmSession;
});
/** The files that were put, as far as they are read where they are, and their sizes. */
const given = new Map<string, { size: number; blob?: Blob }>();

/** What workers have, and pages do not. */
declare class FileReaderSync {
  readAsArrayBuffer(blob: Blob): ArrayBuffer;
}

function lines(text: string): unknown[] {
  return text === "" ? [] : text.trimEnd().split("\n").map((line) => JSON.parse(line));
}

/** Reads a part of a file while who asked waits. */
function fill(file: Blob, offset: number, buffer: Uint8Array) {
  buffer.set(new Uint8Array(new FileReaderSync().readAsArrayBuffer(file.slice(offset, offset + buffer.length))));
}

async function run({ method, args }: Request): Promise<unknown> {
  const session = await loaded;
  switch (method) {
    case "put": {
      const [name, content] = args as [string, Bytes | Blob];
      if (content instanceof Blob) {
        session.put_ranges(name, content.size, { read: (offset, buffer) => fill(content, offset, buffer) });
        given.set(name, { size: content.size, blob: content });
      } else {
        session.put(name, content);
        given.set(name, { size: content.length });
      }
      return undefined;
    }
    case "read": {
      const name = args[0] as string;
      const blob = given.get(name)?.blob;
      const bytes = session.get(name) ?? (blob && new Uint8Array(new FileReaderSync().readAsArrayBuffer(blob)));
      if (bytes === undefined) throw new Error(`there is no file ${String(args[0])}`);
      return bytes;
    }
    case "take": {
      const bytes = session.get(args[0] as string);
      session.remove(args[0] as string);
      return bytes;
    }
    case "files":
      return session
        .names()
        .filter((name) => !name.startsWith("."))
        .map((name): FileName => ({ name, size: given.get(name)?.size ?? session.get(name)?.length ?? 0 }));
    case "open":
      return session.open(args[0] as string);
    case "close":
      return session.close(args[0] as number);
    case "call": {
      const [verb, request] = args as [string, unknown];
      const answer = session.call(verb, JSON.stringify(request));
      try {
        return {
          code: answer.code,
          rows: lines(answer.rows) as Answer["rows"],
          diagnostics: JSON.parse(answer.diagnostics),
          notes: answer.notes,
          body: answer.body,
        } satisfies Answer;
      } finally {
        answer.free();
      }
    }
  }
}

/** What goes to the page instead of a copy. */
function handedOver(result: unknown): Transferable[] {
  const bytes = result instanceof Uint8Array ? result : (result as Answer | undefined)?.body;
  return bytes === undefined ? [] : [bytes.buffer as ArrayBuffer];
}

addEventListener("message", ({ data }: MessageEvent<Request>) => {
  run(data).then(
    (result) => postMessage({ id: data.id, result } satisfies Reply, { transfer: handedOver(result) }),
    (error: unknown) => postMessage({ id: data.id, error: String(error) } satisfies Reply),
  );
});
