/** The parts of a glTF document that are compared. */
interface Document {
  scene?: number;
  scenes?: { nodes?: number[] }[];
  nodes?: { name?: string; children?: number[]; mesh?: number; matrix?: number[]; translation?: number[]; rotation?: number[]; scale?: number[]; extras?: unknown }[];
  meshes?: { primitives: { attributes: Record<string, number>; indices?: number; material?: number; mode?: number }[] }[];
  materials?: Record<string, unknown>[];
  textures?: { source?: number; sampler?: number }[];
  samplers?: unknown[];
  images?: { bufferView?: number; uri?: string }[];
  accessors?: { bufferView?: number; byteOffset?: number; componentType: number; count: number; type: string }[];
  bufferViews?: { byteOffset?: number; byteLength: number; byteStride?: number }[];
}

/** A node of a model as it is compared. */
export interface ModelNode {
  /** Its number in the document. */
  index: number;
  name: string;
  /** The entry of the file that it was made of, where the model says so. */
  path: string | undefined;
  /** Names from the root on. */
  place: string;
  /** Its matrix in the world, column by column. */
  world: number[];
  /** What its shape and its materials are: the same text where they are the same. */
  shape: string;
  look: string;
}

/** What became of a node. */
export interface NodeChange {
  old?: ModelNode;
  new?: ModelNode;
  isMoved: boolean;
  isReshaped: boolean;
  isRepainted: boolean;
  /** The way between both positions. */
  distance: number;
}

/** Nodes of two models: those that differ, and pairs of those that do not. */
export interface ModelDifference {
  changes: NodeChange[];
  equal: [old: ModelNode, now: ModelNode][];
}

/** The nodes of the scene of a glb file. */
export function nodesOf(glb: Uint8Array): ModelNode[] {
  const { document, binary } = parse(glb);
  const nodes: ModelNode[] = [];
  const look = looks(document, binary);
  const walk = (index: number, parent: number[], above: string) => {
    const node = document.nodes?.[index];
    if (node === undefined) return;
    const world = multiply(parent, matrixOf(node));
    const name = node.name ?? `node ${index}`;
    const place = `${above}/${name}`;
    const mesh = node.mesh === undefined ? undefined : look(node.mesh);
    nodes.push({ index, name, path: entryOf(node.extras), place, world, shape: mesh?.shape ?? "", look: mesh?.look ?? "" });
    for (const child of node.children ?? []) walk(child, world, place);
  };
  for (const root of document.scenes?.[document.scene ?? 0]?.nodes ?? []) walk(root, IDENTITY, "");
  return nodes;
}

/** Compares the nodes of two models; `renamed` are the paths of entries that belong together, where changes say so. */
export function compareModels(old: ModelNode[], now: ModelNode[], renamed: ReadonlyMap<string, string>): ModelDifference {
  const left = new Set(old);
  const right = new Set(now);
  const pairs: [ModelNode, ModelNode][] = [];
  const pair = (keyOfOld: (it: ModelNode) => string | undefined, keyOfNew: (it: ModelNode) => string | undefined) => {
    const known = new Map<string, ModelNode[]>();
    for (const it of left) {
      const key = keyOfOld(it);
      if (key === undefined) continue;
      const same = known.get(key);
      if (same === undefined) known.set(key, [it]);
      else same.push(it);
    }
    for (const it of right) {
      const found = known.get(keyOfNew(it) ?? "\n")?.shift();
      if (found === undefined) continue;
      pairs.push([found, it]);
      left.delete(found);
      right.delete(it);
    }
  };
  pair((it) => (it.path === undefined ? undefined : renamed.get(it.path)), (it) => it.path);
  // Of several nodes of a name, those that are all the same belong together first.
  const whole = (it: ModelNode) => `${it.place}\n${it.world.map((value) => value.toFixed(4)).join()}\n${it.shape}`;
  pair(whole, whole);
  pair((it) => it.place, (it) => it.place);
  pair((it) => it.name, (it) => it.name);
  const changes: NodeChange[] = [];
  const equal: [ModelNode, ModelNode][] = [];
  for (const [a, b] of pairs) {
    const change = { old: a, new: b, isMoved: !isSamePlace(a.world, b.world), isReshaped: a.shape !== b.shape, isRepainted: a.look !== b.look, distance: wayBetween(a, b) };
    if (change.isMoved || change.isReshaped || change.isRepainted) changes.push(change);
    else equal.push([a, b]);
  }
  const alone = { isMoved: false, isReshaped: false, isRepainted: false, distance: 0 };
  changes.push(...[...right].map((it) => ({ new: it, ...alone })), ...[...left].map((it) => ({ old: it, ...alone })));
  return { changes, equal };
}

/** What became of a node, in words. */
export function changeText({ old, new: now, isMoved, isReshaped, isRepainted, distance }: NodeChange): string {
  if (old === undefined) return "added";
  if (now === undefined) return "removed";
  const moved = distance > 0 ? `moved by ${Number(distance.toPrecision(4))}` : "turned or scaled";
  return [isMoved && moved, isReshaped && "another shape", isRepainted && "another look"].filter((it) => it !== false).join(", ");
}

const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

/** Takes a glb file apart. */
function parse(glb: Uint8Array): { document: Document; binary: Uint8Array } {
  const view = new DataView(glb.buffer, glb.byteOffset, glb.byteLength);
  const length = view.getUint32(12, true);
  const document = JSON.parse(new TextDecoder().decode(glb.subarray(20, 20 + length))) as Document;
  return { document, binary: glb.subarray(Math.min(glb.length, 20 + length + 8)) };
}

/** The entry of extras: what any of them says about an `index`. */
function entryOf(extras: unknown): string | undefined {
  for (const it of Object.values((extras as Record<string, unknown> | undefined) ?? {})) {
    const index = (it as { index?: unknown } | null)?.index;
    if (typeof index === "number") return `#${index}`;
  }
  return undefined;
}

function matrixOf({ matrix, translation, rotation, scale }: NonNullable<Document["nodes"]>[number]): number[] {
  if (matrix !== undefined) return matrix;
  const [x = 0, y = 0, z = 0, w = 1] = rotation ?? [];
  const [sx = 1, sy = 1, sz = 1] = scale ?? [];
  const [tx = 0, ty = 0, tz = 0] = translation ?? [];
  return [
    [(1 - 2 * (y * y + z * z)) * sx, 2 * (x * y + z * w) * sx, 2 * (x * z - y * w) * sx, 0],
    [2 * (x * y - z * w) * sy, (1 - 2 * (x * x + z * z)) * sy, 2 * (y * z + x * w) * sy, 0],
    [2 * (x * z + y * w) * sz, 2 * (y * z - x * w) * sz, (1 - 2 * (x * x + y * y)) * sz, 0],
    [tx, ty, tz, 1],
  ].flat();
}

const at = (values: number[], nth: number) => values[nth] ?? 0;

function multiply(a: number[], b: number[]): number[] {
  return IDENTITY.map((_, nth) => {
    const [column, row] = [nth >> 2, nth & 3];
    return [0, 1, 2, 3].reduce((sum, k) => sum + at(a, k * 4 + row) * at(b, column * 4 + k), 0);
  });
}

function isSamePlace(a: number[], b: number[]): boolean {
  const size = Math.max(1, ...[...a, ...b].map(Math.abs));
  return a.every((value, nth) => Math.abs(value - at(b, nth)) <= size * 1e-6);
}

function wayBetween(a: ModelNode, b: ModelNode): number {
  const way = Math.hypot(...[12, 13, 14].map((nth) => at(a.world, nth) - at(b.world, nth)));
  return way < 1e-6 ? 0 : way;
}

/** Gives the shape and the look of a mesh as texts; what several have is read once. */
function looks(document: Document, binary: Uint8Array): (mesh: number) => { shape: string; look: string } {
  const once = <T>(make: (nth: number) => T) => {
    const made = new Map<number, T>();
    return (nth: number): T => {
      const known = made.get(nth);
      if (known !== undefined) return known;
      const value = make(nth);
      made.set(nth, value);
      return value;
    };
  };
  const view = once((nth) => {
    const it = document.bufferViews?.[nth];
    return it === undefined ? "" : hash(binary.subarray(it.byteOffset ?? 0, (it.byteOffset ?? 0) + it.byteLength));
  });
  const accessor = (nth: number) => {
    const it = document.accessors?.[nth];
    return it === undefined ? "" : [it.type, it.componentType, it.count, it.byteOffset ?? 0, it.bufferView === undefined ? "" : view(it.bufferView)].join(" ");
  };
  const image = (nth: number | undefined) => {
    const it = nth === undefined ? undefined : document.images?.[nth];
    return it?.bufferView === undefined ? (it?.uri ?? "") : view(it.bufferView);
  };
  const material = once((nth) => {
    const plain = (value: unknown, key = ""): unknown => {
      if (Array.isArray(value)) return value.map((it) => plain(it));
      if (value === null || typeof value !== "object") return value;
      const entries = Object.entries(value).filter(([name]) => name !== "extras" && name !== "name");
      const { index } = value as { index?: number };
      const texture = index !== undefined && /texture$/i.test(key) ? document.textures?.[index] : undefined;
      const rest = Object.fromEntries(entries.map(([name, inner]) => [name, texture !== undefined && name === "index" ? 0 : plain(inner, name)]));
      return texture === undefined ? rest : { ...rest, image: image(texture.source), sampler: document.samplers?.[texture.sampler ?? -1] };
    };
    return JSON.stringify(plain(document.materials?.[nth]));
  });
  return once((nth) => {
    const primitives = document.meshes?.[nth]?.primitives ?? [];
    const shape = primitives.map(({ attributes, indices, mode }) =>
      [mode ?? 4, indices === undefined ? "" : accessor(indices), ...Object.keys(attributes).sort().map((key) => `${key} ${accessor(attributes[key] ?? -1)}`)].join(";"),
    );
    return { shape: shape.join("\n"), look: primitives.map(({ material: of }) => (of === undefined ? "" : material(of))).join("\n") };
  });
}

/** A number of 53 bits for bytes (cyrb53): other bytes have another one, as good as always. */
function hash(bytes: Uint8Array): string {
  let [a, b] = [0xdeadbeef, 0x41c6ce57];
  for (let nth = 0; nth < bytes.length; nth += 1) {
    const byte = bytes[nth] ?? 0;
    a = Math.imul(a ^ byte, 2654435761);
    b = Math.imul(b ^ byte, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return `${bytes.length}:${(4294967296 * (2097151 & b) + (a >>> 0)).toString(36)}`;
}
