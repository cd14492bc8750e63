import { beforeAll, expect, test } from "vitest";
import type { Answer, Client } from "../src/client/client";

// The state of the page looks at the address bar.
beforeAll(() => {
  Object.assign(globalThis, { location: { hash: "" }, addEventListener: () => {}, document: { documentElement: { dataset: {} } } });
});

const hits = (count: number) => Array.from({ length: count }, (_, nth) => ({ path: `#${nth}` }));

test("the first hits are shown, group by group", async () => {
  const { firstOf } = await import("../src/finding");
  const found = [{ file: "a", hits: hits(3) }, { file: "b", hits: hits(4) }, { file: "c", hits: hits(1) }];
  expect(firstOf(found, 5).map((it) => [it.file, it.hits.length, it.all])).toEqual([["a", 3, 3], ["b", 2, 4]]);
  expect(firstOf(found, 99)).toHaveLength(3);
  expect(firstOf([], 5)).toEqual([]);
});

test("files are searched one by one, until somebody types on; those that cannot be are named", async () => {
  const { search } = await import("../src/finding");
  const { client } = await import("../src/state");
  const asked: unknown[] = [];
  const abort = new AbortController();
  const answer = (more: Partial<Answer>): Answer => ({ code: 0, rows: [], diagnostics: [], notes: [], body: new Uint8Array(), ...more });
  client.value = {
    call: async (_verb: string, request: { files: unknown[] }) => {
      asked.push(request.files[0]);
      if (request.files[0] === "text") return answer({ diagnostics: [{ file: "text", diagnostic: { severity: "error", code: "SP001", message: "no container" } }] });
      return answer({ rows: hits(2) });
    },
  } as unknown as Client;
  const steps: [number, number, number][] = [];
  const among = ["a", "text", "c", "d"].map((name, nth) => ({ name, file: nth === 0 ? 7 : name }));
  const ended = search("x", among, abort.signal, (it) => {
    steps.push([it.count, it.searched, it.failed.length]);
    if (it.searched === 3) abort.abort();
  });
  await expect(ended).rejects.toThrow();
  expect(asked).toEqual([7, "text", "c"]);
  expect(steps).toEqual([[2, 1, 0], [2, 2, 1], [4, 3, 1]]);
});
