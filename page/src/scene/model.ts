import * as three from "three";
import { type GLTF, GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import type { Bytes } from "../client/client";
import { simplify } from "./materials";

/** Something that stands in a scene. */
export interface Entity {
  name: string;
  /** Where it is an entry of the file. */
  path?: string | undefined;
  /** The entry of its shape. */
  mesh?: string | undefined;
  groups: string[];
  object: three.Object3D;
  /** What is drawn of it, without what stands in it. */
  drawn: three.Mesh[];
}

/** A picture that materials of a model use. */
export interface Picture {
  name: string;
  width: number;
  height: number;
  /** Bytes that it takes where it is drawn, with the smaller ones that are made of it. */
  memory: number;
}

/** A model, and what is in it. */
export interface Model {
  root: three.Object3D;
  clips: three.AnimationClip[];
  entities: Entity[];
  materials: number;
  pictures: Picture[];
  /** Files of textures that were not found. */
  missing: string[];
}

/** The group of what the file says is hidden. */
export const HIDDEN = "hidden in the file";

/** What an exporter wrote beside a node, a mesh or a picture. */
interface Extras {
  hidden?: boolean;
  groups?: string[];
  virtools?: { index?: number; file?: string; missing?: boolean };
}

interface Described {
  name?: string;
  mesh?: number;
  children?: number[];
  extras?: Extras;
}

const entryOf = (extras: Extras | undefined): string | undefined => {
  const index = extras?.virtools?.index;
  return index === undefined ? undefined : `#${index}`;
};

/** A node that is there for the ones in it alone. */
const isFolder = (node: Described) => node.mesh === undefined && node.extras === undefined && (node.children?.length ?? 0) > 0;

/** Parses a model, and notes among the page's measurements how long that took. */
export async function parseModel(glb: Bytes): Promise<GLTF> {
  const start = performance.now();
  const gltf = await new GLTFLoader().parseAsync(glb.length === glb.buffer.byteLength ? glb.buffer : glb.slice().buffer, "");
  performance.measure("model read", { start });
  simplify(gltf.scene);
  return gltf;
}

/** Reads what is in a model. */
export function readModel(gltf: GLTF): Model {
  const json = gltf.parser.json as { nodes?: Described[]; meshes?: Described[]; images?: Described[]; textures?: { source?: number }[] };
  const entities: Entity[] = [];
  const nodeOf = (object: three.Object3D): Described | undefined => json.nodes?.[gltf.parser.associations.get(object)?.nodes ?? -1];
  gltf.scene.traverse((object) => {
    const node = nodeOf(object);
    if (node === undefined || isFolder(node)) return;
    const outer = object.parent === null ? undefined : nodeOf(object.parent);
    const groups = [...(node.extras?.groups ?? []), ...(outer?.name !== undefined && isFolder(outer) ? [outer.name] : [])];
    if (node.extras?.hidden === true) groups.push(HIDDEN);
    const drawn: three.Mesh[] = [];
    const collect = (it: three.Object3D) => {
      if (it instanceof three.Mesh) drawn.push(it);
      for (const inner of it.children) if (nodeOf(inner) === undefined) collect(inner);
    };
    collect(object);
    const name = node.name ?? "";
    // Where nothing is written beside it, a name may begin with the path of an entry.
    const path = entryOf(node.extras) ?? /^[\w.]+\[\d+\]/.exec(name)?.[0];
    entities.push({ name, path, mesh: entryOf(json.meshes?.[node.mesh ?? -1]?.extras), groups, object, drawn });
  });
  const isMissing = (image: Described | undefined) => image?.extras?.virtools?.missing === true;
  const missing = (json.images ?? []).filter(isMissing).map((it) => it.extras?.virtools?.file ?? it.name ?? "");
  const materials = materialsOf(gltf.scene);
  const pictures = new Map<unknown, Picture>();
  for (const texture of [...materials].flatMap(texturesOf)) {
    const source = json.textures?.[gltf.parser.associations.get(texture)?.textures ?? -1]?.source;
    // What stands in for a missing picture is none.
    if (isMissing(json.images?.[source ?? -1])) continue;
    const image = texture.image as { width?: number; height?: number } | null;
    const [width, height] = [image?.width ?? 0, image?.height ?? 0];
    pictures.set(texture.source, { name: json.images?.[source ?? -1]?.name ?? texture.name, width, height, memory: Math.round((width * height * 4 * 4) / 3) });
  }
  return { root: gltf.scene, clips: gltf.animations, entities, missing: [...new Set(missing)].sort(), materials: materials.size, pictures: [...pictures.values()] };
}

/** The materials of a model. */
export function materialsOf(root: three.Object3D): Set<three.Material> {
  const materials = new Set<three.Material>();
  root.traverse((it) => {
    if (it instanceof three.Mesh) for (const material of [it.material].flat() as three.Material[]) materials.add(material);
  });
  return materials;
}

/** The textures of a material. */
export const texturesOf = (material: three.Material): three.Texture[] => Object.values(material).filter((it) => it instanceof three.Texture);

/** Numbers of what is drawn. */
export interface Counts {
  triangles: number;
  vertices: number;
  objects: number;
}

export function countOf(entities: Entity[]): Counts {
  const counts = { triangles: 0, vertices: 0, objects: 0 };
  for (const { geometry } of entities.flatMap((it) => it.drawn) as { geometry: three.BufferGeometry }[]) {
    const vertices = geometry.attributes.position?.count ?? 0;
    counts.objects += 1;
    counts.vertices += vertices;
    counts.triangles += Math.floor((geometry.index?.count ?? vertices) / 3);
  }
  return counts;
}
