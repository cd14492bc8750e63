import { expect, test } from "vitest";
import { commandOf } from "../src/edit/copy";
import { wordText } from "../src/format";

test("words are as shells take them", () => {
  expect(wordText("levels/a.nmo")).toBe("levels/a.nmo");
  expect(wordText("#3")).toBe("'#3'");
  expect(wordText("it's here")).toBe("'it'\\''s here'");
  expect(wordText("")).toBe("''");
});

test("an address has the command that shows the same", () => {
  const file = "my levels/a.nmo";
  expect(commandOf({ file })).toBe("spelunk ls 'my levels/a.nmo'");
  expect(commandOf({ file, entry: "#3" })).toBe("spelunk show 'my levels/a.nmo' '#3'");
  expect(commandOf({ file: "a.nmo", view: "hex", entry: "#3", at: { space: "header1", offset: 16 } })).toBe("spelunk explain a.nmo header1:16");
  expect(commandOf({ file: "b.nmo", view: "diff", with: "a.nmo" })).toBe("spelunk diff a.nmo b.nmo");
  expect(commandOf({ file: "b.nmo", view: "diff" })).toBe("spelunk ls b.nmo");
  expect(commandOf({ file: "g.cff", view: "table", entry: "2003/1" })).toBe("spelunk ls g.cff '2003/*'");
});
