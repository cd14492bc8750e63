import * as three from "three";
import { Eye, free } from "../scene/eye";
import { parseModel } from "../scene/model";
import type { ModelDifference, NodeChange } from "./models";
import type { Bytes } from "../client/client";

/** Colours of what the old and the new model have alone. */
export const TINTS = { old: 0xe0782a, new: 0x2f7de0 };

/** A model, and the parts that each node of its document draws. */
interface LoadedModel {
  root: three.Object3D;
  parts: Map<number, three.Mesh[]>;
}

async function load(glb: Bytes): Promise<LoadedModel> {
  const gltf = await parseModel(glb);
  const parts = new Map<number, three.Mesh[]>();
  const walk = (object: three.Object3D, above: number | undefined) => {
    const node = gltf.parser.associations.get(object)?.nodes ?? above;
    if (object instanceof three.Mesh && node !== undefined) {
      const known = parts.get(node);
      if (known === undefined) parts.set(node, [object]);
      else known.push(object);
    }
    for (const child of object.children) walk(child, node);
  };
  walk(gltf.scene, undefined);
  gltf.scene.updateMatrixWorld(true);
  return { root: gltf.scene, parts };
}

/** Two models laid over each other: what differs tinted on each side, what is equal as it is. */
export class OverlayStage extends Eye {
  private models: { old: LoadedModel; new: LoadedModel } | undefined;
  private ways = new three.Group();
  /** Materials of what differs, with what they are without a tint. */
  private materials: { material: three.MeshStandardMaterial; side: "old" | "new"; own: three.MeshStandardMaterial }[] = [];
  /** What is equal, with its own materials. */
  private equal: { mesh: three.Mesh; own: three.Mesh["material"] }[] = [];
  private readonly plain = new three.MeshStandardMaterial({ color: 0x9a9f9c, roughness: 1, side: three.DoubleSide });

  async show(old: Bytes, now: Bytes, difference: ModelDifference, isWanted: () => boolean): Promise<void> {
    const models = { old: await load(old), new: await load(now) };
    if (!isWanted()) {
      for (const { root } of Object.values(models)) dispose(root);
      return;
    }
    this.clear();
    this.models = models;
    this.scene.add(models.old.root, models.new.root);
    // What is equal is drawn once.
    for (const [a, b] of difference.equal) {
      for (const mesh of models.old.parts.get(a.index) ?? []) mesh.layers.disableAll();
      for (const mesh of models.new.parts.get(b.index) ?? []) this.equal.push({ mesh, own: mesh.material });
    }
    for (const change of difference.changes) {
      for (const side of ["old", "new"] as const) for (const mesh of this.partsOf(change, side)) this.own(mesh, side);
    }
    this.drawWays(difference.changes);
    this.overview();
  }

  /** Shows both models whole. */
  overview() {
    this.box.visible = false;
    const box = new three.Box3();
    for (const root of [this.models?.old.root, this.models?.new.root]) if (root !== undefined) box.expandByObject(root);
    this.fit(box);
  }

  /** Shows old and new as strong as wanted: 0 for the old side alone, 1 for the new one. Tints show sides, and what is equal plain. */
  blend(part: number, isTinted: boolean) {
    for (const { material, side, own } of this.materials) {
      // In the middle both are seen well.
      const strength = Math.min(1, 1.4 * (side === "old" ? 1 - part : part));
      const isWhole = strength === 1;
      material.visible = strength > 0;
      material.transparent = !isWhole || own.transparent;
      material.depthWrite = isWhole && own.depthWrite;
      material.opacity = strength * own.opacity;
      material.color.copy(own.color);
      if (isTinted) material.color.lerp(new three.Color(TINTS[side]), 0.85);
      material.map = isTinted ? null : own.map;
      material.vertexColors = !isTinted && own.vertexColors;
      material.needsUpdate = true;
    }
    for (const { mesh, own } of this.equal) mesh.material = isTinted ? this.plain : own;
    this.draw();
  }

  showEqual(on: boolean) {
    for (const { mesh } of this.equal) {
      if (on) mesh.layers.enable(0);
      else mesh.layers.disableAll();
    }
    this.draw();
  }

  /** Comes close to a change, and frames it. */
  hop(change: NodeChange) {
    const box = this.boxOf(change);
    this.box.visible = true;
    this.box.box.copy(box);
    this.fit(box.clone().expandByScalar(box.getSize(new three.Vector3()).length() * 0.6));
  }

  override end() {
    this.clear();
    this.plain.dispose();
    super.end();
  }

  private partsOf(change: NodeChange, side: "old" | "new"): three.Mesh[] {
    const index = change[side]?.index;
    return index === undefined ? [] : (this.models?.[side].parts.get(index) ?? []);
  }

  /** Gives a part materials of its own, which are tinted. */
  private own(mesh: three.Mesh, side: "old" | "new") {
    const made = [mesh.material].flat().map((it) => {
      // What the loader makes has a colour and a map, with light or without.
      const own = it as three.MeshStandardMaterial;
      const material = own.clone();
      this.materials.push({ material, side, own });
      return material;
    });
    mesh.material = made.length === 1 && made[0] ? made[0] : made;
  }

  /** Points where nodes without a shape stand, and lines from where nodes stood to where they stand. */
  private drawWays(changes: NodeChange[]) {
    const place = (world: number[]) => [12, 13, 14].map((nth) => world[nth] ?? 0);
    const lines = changes.flatMap(({ old, new: now, distance }) => (old && now && distance > 0 ? [...place(old.world), ...place(now.world)] : []));
    const geometry = (values: number[]) => new three.BufferGeometry().setAttribute("position", new three.Float32BufferAttribute(values, 3));
    this.ways.add(new three.LineSegments(geometry(lines), new three.LineBasicMaterial({ color: 0xd9a441, depthTest: false })));
    for (const side of ["old", "new"] as const) {
      const points = changes.flatMap((change) => (change[side] && this.partsOf(change, side).length === 0 ? place(change[side].world) : []));
      this.ways.add(new three.Points(geometry(points), new three.PointsMaterial({ color: TINTS[side], size: 9, sizeAttenuation: false, depthTest: false })));
    }
    this.scene.add(this.ways);
  }

  private boxOf(change: NodeChange): three.Box3 {
    const box = new three.Box3();
    for (const side of ["old", "new"] as const) {
      for (const mesh of this.partsOf(change, side)) box.expandByObject(mesh);
      const world = change[side]?.world;
      if (world !== undefined) box.expandByPoint(new three.Vector3(world[12], world[13], world[14]));
    }
    return box.getSize(new three.Vector3()).length() > 0 ? box : box.expandByScalar(1);
  }

  private clear() {
    for (const { mesh, own } of this.equal) mesh.material = own;
    for (const { own } of this.materials) free(own);
    for (const root of [this.models?.old.root, this.models?.new.root, this.ways]) if (root !== undefined) dispose(root);
    this.models = undefined;
    this.ways = new three.Group();
    this.materials = [];
    this.equal = [];
    this.box.visible = false;
  }
}

function dispose(root: three.Object3D) {
  root.removeFromParent();
  root.traverse((it) => {
    if (!(it instanceof three.Mesh || it instanceof three.Points || it instanceof three.Line)) return;
    it.geometry.dispose();
    for (const material of [it.material].flat() as three.Material[]) free(material);
  });
}
