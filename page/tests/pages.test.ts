import { expect, test, vi } from "vitest";
import type { Row } from "../src/client/client";
import { KEPT, PAGE, RowPages } from "../src/pages";

const call = vi.hoisted(() => vi.fn());
vi.mock("../src/state", () => ({ call, work: (job: () => unknown) => job() }));

const COUNT = PAGE * (KEPT + 10);

test("pages that were wanted last are kept, and others are read again", async () => {
  const asked: number[] = [];
  call.mockImplementation(async (_: string, { offset, limit }: Row) => {
    asked.push(Number(offset));
    const rows = Array.from({ length: Number(limit) }, (_, nth) => ({ path: `#${Number(offset) + nth}` }));
    return { code: 0, rows, diagnostics: [], notes: [`${COUNT - Number(offset) - PAGE} more`], body: new Uint8Array(0) };
  });
  const pages = new RowPages({ file: 1 }, () => undefined);
  const want = async (page: number) => {
    pages.want(page * PAGE, page * PAGE + 1);
    await new Promise((resolve) => setTimeout(resolve));
  };
  await want(0);
  expect(pages.count).toBe(COUNT);
  for (let page = 1; page < KEPT; page += 1) await want(page);
  await want(0);
  await want(KEPT);
  expect(pages.pages.size).toBe(KEPT);
  // The second page was wanted longest ago.
  expect(pages.row(0)?.path).toBe("#0");
  expect(pages.row(PAGE)).toBeUndefined();
  await want(1);
  expect(pages.row(PAGE)?.path).toBe(`#${PAGE}`);
  expect(asked.filter((it) => it === PAGE)).toHaveLength(2);
});
