import { type Answer, type Bytes, CallError, type Client, type FileName, type Handle, type Row } from "./client";
import { parseLines } from "./lines";

/** The verbs of the command on this machine, which serves the page. */
export class LocalClient implements Client {
  readonly place = "local" as const;

  constructor(
    private readonly token: string,
    readonly canWrite: boolean,
  ) {}

  private async ask(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { ...init.headers, Authorization: `Bearer ${this.token}` };
    let response: Response;
    try {
      response = await fetch(`api/${path}`, { ...init, headers });
    } catch (error) {
      if (init.signal?.aborted) throw error;
      throw new Error("the command does not answer any more: start `spelunk view` again and open the address that it prints");
    }
    if (response.ok) return response;
    if (response.status === 422) throw new CallError(path, parseLines(new Uint8Array(await response.arrayBuffer())));
    throw new Error((await response.text()) || response.statusText);
  }

  private async post<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
    return (await this.ask(path, { method: "POST", body: JSON.stringify(body), signal: signal ?? null })).json() as Promise<T>;
  }

  files = async (): Promise<FileName[]> => (await this.ask("files")).json();
  open = async (name: string): Promise<Handle> => (await this.post<{ handle: Handle }>("open", { name })).handle;
  close = (handle: Handle): Promise<void> => this.post("close", { handle });
  changed = (handles: Handle[]): Promise<Handle[]> => this.post("changed", handles);

  async put(name: string, bytes: Bytes | Blob): Promise<string> {
    const response = await this.ask(`file?name=${encodeURIComponent(name)}`, { method: "PUT", body: bytes as BodyInit });
    return ((await response.json()) as { name: string }).name;
  }

  async read(name: string): Promise<Bytes> {
    return new Uint8Array(await (await this.ask(`file?name=${encodeURIComponent(name)}`)).arrayBuffer());
  }

  async call(verb: string, request: Row, signal?: AbortSignal): Promise<Answer> {
    const response = await this.ask(`call/${verb}`, { method: "POST", body: JSON.stringify(request), signal: signal ?? null });
    return parseLines(new Uint8Array(await response.arrayBuffer()));
  }

  async make(verb: string, request: Row, extension: string, output: "output" | "patch" = "output", signal?: AbortSignal): Promise<Bytes> {
    const response = await this.ask(`make/${verb}?extension=${extension}&output=${output}`, {
      method: "POST",
      body: JSON.stringify(request),
      signal: signal ?? null,
    });
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (response.headers.get("Content-Type") === "application/x-ndjson") throw new CallError(verb, parseLines(bytes));
    return bytes;
  }
}
