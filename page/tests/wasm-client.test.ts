import { afterEach, beforeEach, expect, test } from "vitest";
import { WasmClient } from "../src/client/wasm";
import type { Request } from "../src/client/worker";

/** A worker that answers when it is told to. */
class FakeWorker extends EventTarget {
  static last: FakeWorker;
  readonly asked: Request[] = [];
  constructor() {
    super();
    FakeWorker.last = this;
  }
  postMessage(request: Request) {
    this.asked.push(request);
  }
  answer(result: unknown) {
    const { id } = this.asked.at(-1) as Request;
    this.dispatchEvent(new MessageEvent("message", { data: { id, result } }));
  }
}

const before = globalThis.Worker;
beforeEach(() => void Object.assign(globalThis, { Worker: FakeWorker }));
afterEach(() => void Object.assign(globalThis, { Worker: before }));

test("questions that nobody waits for any more are not asked", async () => {
  const client = new WasmClient();
  const abort = new AbortController();
  const first = client.open("a");
  const second = client.call("explain", {}, abort.signal);
  const third = client.open("b");
  abort.abort();
  FakeWorker.last.answer(1);
  expect(await first).toBe(1);
  await expect(second).rejects.toThrow();
  FakeWorker.last.answer(2);
  expect(await third).toBe(2);
  expect(FakeWorker.last.asked.map((it) => it.method)).toEqual(["open", "open"]);
});

test("an error of the worker ends all questions", async () => {
  const client = new WasmClient();
  const [first, second] = [client.open("a"), client.open("b")];
  FakeWorker.last.dispatchEvent(Object.assign(new Event("error"), { message: "no memory" }));
  await expect(first).rejects.toThrow("no memory");
  await expect(second).rejects.toThrow("no memory");
});
