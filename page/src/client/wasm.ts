import { type Answer, type Bytes, CallError, type Client, type FileName, type Handle, type Row } from "./client";
import type { Reply, Request } from "./worker";

/** Bytes of a file that is read into memory as a whole; larger ones are read where they are, as they are looked at. */
const IN_MEMORY = 192 * 2 ** 20;

/** A question to the worker, and who waits for its answer. */
interface Question {
  request: Request;
  transfer: Transferable[];
  signal: AbortSignal | undefined;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/** The verbs as WebAssembly in a worker: nothing leaves the machine. */
export class WasmClient implements Client {
  readonly place = "browser" as const;
  readonly canWrite = false;
  private readonly worker: Worker;
  /** The worker answers one question after the other. Those that nobody waits for any more by then are not asked. */
  private waiting: Question[] = [];
  private asked: Question | undefined;
  private next = 0;

  constructor() {
    this.worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    this.worker.addEventListener("message", ({ data }: MessageEvent<Reply>) => {
      const asked = this.asked;
      this.asked = undefined;
      if ("error" in data) asked?.reject(new Error(data.error));
      else asked?.resolve(data.result);
      this.step();
    });
    this.worker.addEventListener("error", (event) => {
      const error = new Error(event.message || "the worker could not be loaded");
      this.asked?.reject(error);
      for (const { reject } of this.waiting) reject(error);
      [this.asked, this.waiting] = [undefined, []];
    });
  }

  private ask<T>(method: Request["method"], args: unknown[], { signal, transfer = [] }: { signal?: AbortSignal | undefined; transfer?: Transferable[] } = {}): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.waiting.push({ request: { id: this.next++, method, args }, transfer, signal, resolve: resolve as (value: unknown) => void, reject });
      this.step();
    });
  }

  /** Asks the next question, if none is asked. */
  private step() {
    while (this.asked === undefined) {
      const next = this.waiting.shift();
      if (next === undefined) return;
      if (next.signal?.aborted) next.reject(next.signal.reason);
      else {
        this.asked = next;
        this.worker.postMessage(next.request, next.transfer);
      }
    }
  }

  files = (): Promise<FileName[]> => this.ask("files", []);
  async put(name: string, bytes: Bytes | Blob): Promise<string> {
    if (!(bytes instanceof Blob) || bytes.size > IN_MEMORY) await this.ask("put", [name, bytes]);
    else {
      const content = new Uint8Array(await bytes.arrayBuffer());
      await this.ask("put", [name, content], { transfer: [content.buffer] });
    }
    return name;
  }
  open = (name: string): Promise<Handle> => this.ask("open", [name]);
  // What is in memory nobody else writes to.
  changed = async (): Promise<Handle[]> => [];
  close = (handle: Handle): Promise<void> => this.ask("close", [handle]);
  read = (name: string): Promise<Bytes> => this.ask("read", [name]);

  async make(verb: string, request: Row, extension: string, output: "output" | "patch" = "output", signal?: AbortSignal): Promise<Bytes> {
    const made = `.made/${this.next}.${extension}`;
    const answer = await this.call(verb, { ...request, [output]: made }, signal);
    const bytes = await this.ask<Bytes | undefined>("take", [made]);
    if (bytes === undefined) throw new CallError(verb, answer);
    return bytes;
  }

  async call(verb: string, request: Row, signal?: AbortSignal): Promise<Answer> {
    signal?.throwIfAborted();
    const answer = await this.ask<Answer>("call", [verb, request], { signal });
    signal?.throwIfAborted();
    return answer;
  }
}
