import { expect, test } from "vitest";
import { changeText, compareModels, nodesOf } from "../src/diff/models";

/** A glb file of a document and of its binary part. */
function glb(document: unknown, binary: number[]): Uint8Array {
  const text = new TextEncoder().encode(JSON.stringify(document));
  const padded = new Uint8Array(Math.ceil(text.length / 4) * 4).fill(32);
  padded.set(text);
  const bytes = new Uint8Array(20 + padded.length + 8 + binary.length);
  new DataView(bytes.buffer).setUint32(12, padded.length, true);
  bytes.set(padded, 20);
  bytes.set(binary, 28 + padded.length);
  return bytes;
}

interface Made {
  name: string;
  at?: number[];
  index?: number;
  children?: number[];
  mesh?: number;
}

/** A scene of nodes, of which the first `roots` stand in it; with two meshes of one byte, and a material. */
const scene = (nodes: Made[], { roots = nodes.length, bytes = [1, 2], color = 1 } = {}) =>
  nodesOf(
    glb(
      {
        scenes: [{ nodes: [...Array(roots).keys()] }],
        nodes: nodes.map(({ name, at, index, ...rest }) => ({ name, translation: at ?? [0, 0, 0], extras: index === undefined ? { of: 1 } : { some: { index } }, ...rest })),
        meshes: [0, 1].map((nth) => ({ primitives: [{ attributes: { POSITION: nth }, material: 0 }] })),
        materials: [{ name: "any", pbr: { baseColorFactor: [color], baseColorTexture: { index: 0 } }, extras: { x: Math.random() } }],
        textures: [{ source: 0 }],
        images: [{ bufferView: 0 }],
        accessors: [0, 1].map((bufferView) => ({ bufferView, componentType: 5121, count: 1, type: "SCALAR" })),
        bufferViews: [0, 1].map((byteOffset) => ({ byteOffset, byteLength: 1 })),
      },
      bytes,
    ),
  );

const none = new Map<string, string>();
const told = (old: ReturnType<typeof scene>, now: ReturnType<typeof scene>, renamed = none) => {
  const { changes, equal } = compareModels(old, now, renamed);
  return [equal.length, ...changes.map((it) => `${it.old?.name ?? ""}>${it.new?.name ?? ""}: ${changeText(it)}`)];
};

test("what stands where it stood is equal, whatever its number is", () => {
  expect(told(scene([{ name: "a", index: 1 }, { name: "b" }]), scene([{ name: "b" }, { name: "a", index: 7 }]))).toEqual([2]);
});

test("a node that moved takes along what stands below it", () => {
  const at = (x: number) => scene([{ name: "a", at: [x, 0, 0], children: [1] }, { name: "b", at: [0, 2, 0] }], { roots: 1 });
  expect(at(3)[1]?.world.slice(12)).toEqual([3, 2, 0, 1]);
  expect(told(at(0), at(3))).toEqual([0, "a>a: moved by 3", "b>b: moved by 3"]);
});

test("other bytes are another shape, another colour or picture is another look", () => {
  const nodes = [{ name: "a", mesh: 0 }, { name: "b", mesh: 1 }, { name: "c" }];
  expect(told(scene(nodes), scene(nodes, { bytes: [1, 3] }))).toEqual([2, "b>b: another shape"]);
  expect(told(scene(nodes), scene(nodes, { color: 2 }))).toEqual([1, "a>a: another look", "b>b: another look"]);
  expect(told(scene([{ name: "b", mesh: 1 }]), scene([{ name: "b", mesh: 1 }], { bytes: [9, 2] }))).toEqual([0, "b>b: another look"]);
});

test("changes of the file say which nodes belong together", () => {
  const old = scene([{ name: "Cube", index: 3 }]);
  const now = scene([{ name: "Box", index: 4, at: [0, 0, 1] }]);
  expect(told(old, now)).toEqual([0, ">Box: added", "Cube>: removed"]);
  expect(told(old, now, new Map([["#3", "#4"]]))).toEqual([0, "Cube>Box: moved by 1"]);
});

test("of several nodes of a name those that did not move are found", () => {
  const old = scene([{ name: "x", at: [1, 0, 0] }, { name: "x", at: [2, 0, 0] }, { name: "x", at: [3, 0, 0] }]);
  const now = scene([{ name: "x", at: [2, 0, 0] }, { name: "x", at: [3, 0, 0] }, { name: "x", at: [1, 5, 0] }]);
  expect(told(old, now)).toEqual([2, "x>x: moved by 5"]);
});
