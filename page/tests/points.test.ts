import { expect, test } from "vitest";
import { nearest, placesOf, zoomed } from "../src/points";

const point = (x: number, y: number, properties: Record<string, unknown>) => ({ geometry: { type: "Point", coordinates: [x, y] }, properties });

test("points of lists are entries, and what is no point is left out", () => {
  const { width, height, points } = placesOf({
    map: { size: 16 },
    features: [
      point(1, 2, { kind: "units", index: 3, height: 7, unit_id: 5, npc_id: 0 }),
      point(4, 5, { kind: "interactive", index: 0, record_kind: 1, object_id: 9 }),
      { geometry: { type: "MultiPoint", coordinates: [[0, 0]] }, properties: { kind: "flags" } },
    ],
  });
  expect([width, height]).toEqual([16, 16]);
  expect(points).toEqual([
    { x: 1, y: 2, kind: "units", path: "units[3]", label: "units[3]: unit_id 5" },
    { x: 4, y: 5, kind: "interactive", path: "interactive[0]", label: "interactive[0]: record_kind 1, object_id 9" },
  ]);
});

test("places that go east and north are cells of a picture with the north above", () => {
  const { width, height, points } = placesOf({
    map: { width: 16, height: 8, cell: 1.5 },
    features: [point(3, 9, { kind: "units", index: 0, tag: "hero", record_kind: 70, class: 1, record_version: 2 })],
  });
  expect([width, height]).toEqual([16, 8]);
  expect(points).toEqual([{ x: 1.5, y: 1.5, kind: "units", path: "units[0]", label: "units[0]: tag hero, record_kind 70" }]);
});

test("the nearest point is one that is near", () => {
  const { points } = placesOf({ features: [point(0, 0, { kind: "a", index: 0 }), point(3, 0, { kind: "a", index: 1 })] });
  expect(nearest(points, 3.2, 0.5, 1)?.path).toBe("a[1]");
  expect(nearest(points, 2, 5, 1)).toBeUndefined();
});

test("the place under the pointer stays there when one comes closer, to an end", () => {
  const at = { x: 30, y: 50 };
  const [from, to] = [{ x: 2, y: 3, scale: 10 }, zoomed({ x: 2, y: 3, scale: 10 }, 2, at)];
  expect(to.scale).toBe(20);
  expect(to.x + at.x / to.scale).toBeCloseTo(from.x + at.x / from.scale);
  expect(to.y + at.y / to.scale).toBeCloseTo(from.y + at.y / from.scale);
  expect(zoomed(from, 1e9, at).scale).toBe(256);
});
