import { expect, test } from "vitest";
import { viewsOf } from "../src/views";

test("a file has the views of what is in it, and those that all files have", () => {
  expect(viewsOf([])).toEqual(["hex", "findings", "content", "diff", "sql"]);
  expect(viewsOf(["scene", "map"])).toEqual(["hex", "scene", "map", "findings", "content", "diff", "sql"]);
  expect(viewsOf(["arrays"])).toContain("table");
});
