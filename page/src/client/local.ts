import { type Answer, CallError, type Client, type FileName, type Handle, type Row } from "./client";

/** A line of the answer of the local command. */
type Line =
  | { row: Row }
  | { diagnostic: Answer["diagnostics"][number] }
  | { note: string }
  | { body: number }
  | { code: number };

/** The verbs in the command that serves this page. Its token comes in the fragment of the address and is sent with every request. */
export class LocalClient implements Client {
  readonly kind = "local";

  constructor(private readonly token: string) {}

  private async ask(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { ...init.headers, Authorization: `Bearer ${this.token}` };
    const response = await fetch(path, { ...init, headers });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response;
  }

  verbs = async (): Promise<string[]> => (await this.ask("api/verbs")).json();
  files = async (): Promise<FileName[]> => (await this.ask("api/files")).json();
  put = (): Promise<void> => Promise.reject(new Error("the command opens files by itself: spelunk view FILE"));
  open = async (name: string): Promise<Handle> =>
    (await this.ask("api/open", { method: "POST", body: JSON.stringify({ name }) })).json();
  close = async (handle: Handle): Promise<void> => {
    await this.ask("api/close", { method: "POST", body: JSON.stringify({ handle }) });
  };
  read = async (name: string): Promise<Uint8Array> =>
    new Uint8Array(await (await this.ask(`api/file?name=${encodeURIComponent(name)}`)).arrayBuffer());

  async make(verb: string, request: Row, extension: string, signal?: AbortSignal): Promise<Uint8Array> {
    const init: RequestInit = { method: "POST", body: JSON.stringify(request) };
    if (signal !== undefined) init.signal = signal;
    const response = await this.ask(`api/make/${verb}?extension=${extension}`, init);
    const answer = parseAnswer(new Uint8Array(await response.arrayBuffer()));
    if (answer.body.length === 0) throw new CallError(verb, answer);
    return answer.body;
  }

  async call(verb: string, request: Row, signal?: AbortSignal): Promise<Answer> {
    const init: RequestInit = { method: "POST", body: JSON.stringify(request) };
    if (signal !== undefined) init.signal = signal;
    const response = await this.ask(`api/call/${verb}`, init);
    return parseAnswer(new Uint8Array(await response.arrayBuffer()));
  }
}

/** Reads an answer: a line of JSON for each thing, and behind a line `{"body": LENGTH}` so many bytes. */
export function parseAnswer(bytes: Uint8Array): Answer {
  const answer: Answer = { code: 0, rows: [], diagnostics: [], notes: [], body: new Uint8Array() };
  const bodies: Uint8Array[] = [];
  const decoder = new TextDecoder();
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(10, at);
    if (end < 0) throw new Error("the answer of the command ends within a line");
    const line = JSON.parse(decoder.decode(bytes.subarray(at, end))) as Line;
    at = end + 1;
    if ("row" in line) answer.rows.push(line.row);
    else if ("diagnostic" in line) answer.diagnostics.push(line.diagnostic);
    else if ("note" in line) answer.notes.push(line.note);
    else if ("body" in line) {
      if (at + line.body > bytes.length) throw new Error("the answer of the command ends within a body");
      bodies.push(bytes.subarray(at, at + line.body));
      at += line.body;
    } else answer.code = line.code;
  }
  const body = new Uint8Array(bodies.reduce((sum, it) => sum + it.length, 0));
  let start = 0;
  for (const part of bodies) {
    body.set(part, start);
    start += part.length;
  }
  answer.body = body;
  return answer;
}
