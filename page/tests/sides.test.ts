import { expect, test } from "vitest";
import { diffRequest, generationsOf, requestOf, sidesOf } from "../src/diff/sides";

const file = (name: string, handle: number) => ({ name, handle, format: "", size: 1, aspects: [], layers: [], version: 0 });

test("the open file is the new side", () => {
  const { old, new: now } = sidesOf(file("b", 2), file("a", 1));
  expect(diffRequest(old, now, 20)).toEqual({ old: 1, new: 2, max_items: 20, for_people: true });
  expect([old.name, now.name]).toEqual(["a", "b"]);
});

test("a file beside itself is taken as it was saved, or at a generation", () => {
  const own = file("p", 5);
  expect(diffRequest(sidesOf(own, own).old, sidesOf(own, own).new, 1)).toMatchObject({ old: "p", new: 5 });
  const { old, new: now } = sidesOf(own, own, { own: "merged", with: "1" });
  expect(diffRequest(old, now, 1)).toMatchObject({ old: "p", new: 5, old_generation: "1", new_generation: "merged" });
  expect(requestOf(old)).toEqual({ file: "p", generation: "1" });
  expect([old.name, now.name]).toEqual(["p, generation 1", "p, all generations"]);
});

test("generations are listed where there are several", () => {
  expect(generationsOf({ details: { generations: [{ number: 1 }, { number: 2 }] } })).toEqual(["1", "2"]);
  expect(generationsOf({ details: { generations: [{ number: 1 }] } })).toEqual([]);
  expect(generationsOf({ details: { generations: "dependencies" } })).toEqual([]);
  expect(generationsOf(undefined)).toEqual([]);
});
