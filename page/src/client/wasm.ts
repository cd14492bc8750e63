import { type Answer, CallError, type Client, type FileName, type Handle, type Row } from "./client";
import type { Reply, Request } from "./worker";

/** The verbs as WebAssembly in a worker: nothing leaves the machine. */
export class WasmClient implements Client {
  readonly place = "browser" as const;
  readonly canWrite = false;
  private readonly worker: Worker;
  private readonly waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  private next = 0;

  constructor() {
    this.worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    this.worker.addEventListener("message", ({ data }: MessageEvent<Reply>) => {
      const waiting = this.waiting.get(data.id);
      this.waiting.delete(data.id);
      if ("error" in data) waiting?.reject(new Error(data.error));
      else waiting?.resolve(data.result);
    });
    this.worker.addEventListener("error", (event) => {
      const error = new Error(event.message || "the worker could not be loaded");
      for (const { reject } of this.waiting.values()) reject(error);
      this.waiting.clear();
    });
  }

  private ask<T>(method: Request["method"], ...args: unknown[]): Promise<T> {
    const id = this.next++;
    return new Promise<T>((resolve, reject) => {
      this.waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
      this.worker.postMessage({ id, method, args } satisfies Request);
    });
  }

  files = (): Promise<FileName[]> => this.ask("files");
  async put(name: string, bytes: Uint8Array | Blob): Promise<string> {
    await this.ask("put", name, bytes instanceof Blob ? new Uint8Array(await bytes.arrayBuffer()) : bytes);
    return name;
  }
  open = (name: string): Promise<Handle> => this.ask("open", name);
  fork = (handle: Handle): Promise<Handle> => this.ask("fork", handle);
  // What is in memory nobody else writes to.
  changed = async (): Promise<Handle[]> => [];
  close = (handle: Handle): Promise<void> => this.ask("close", handle);
  read = (name: string): Promise<Uint8Array> => this.ask("read", name);

  async make(verb: string, request: Row, extension: string, output: "output" | "patch" = "output", signal?: AbortSignal): Promise<Uint8Array> {
    const made = `.made/${this.next}.${extension}`;
    const answer = await this.call(verb, { ...request, [output]: made }, signal);
    const bytes = await this.ask<Uint8Array | undefined>("take", made);
    if (bytes === undefined) throw new CallError(verb, answer);
    return bytes;
  }

  async call(verb: string, request: Row, signal?: AbortSignal): Promise<Answer> {
    signal?.throwIfAborted();
    const answer = await this.ask<Answer>("call", verb, request);
    signal?.throwIfAborted();
    return answer;
  }
}
