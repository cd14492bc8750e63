import * as three from "three";
import type { Entity } from "./model";

/** The corners of the edges of a box, two for each. */
const EDGES = [0, 1, 1, 3, 3, 2, 2, 0, 4, 5, 5, 7, 7, 6, 6, 4, 0, 4, 1, 5, 2, 6, 3, 7];

/** The boxes around all that is drawn of some entities, as one set of lines. */
export class Boxes extends three.LineSegments<three.BufferGeometry, three.LineBasicMaterial> {
  constructor() {
    super(new three.BufferGeometry(), new three.LineBasicMaterial({ color: 0x4b8bbf }));
    this.frustumCulled = false;
  }

  set(entities: Entity[]) {
    const positions: number[] = [];
    const box = new three.Box3();
    for (const { drawn } of entities) {
      if (drawn.length === 0) continue;
      box.makeEmpty();
      for (const mesh of drawn) {
        mesh.geometry.computeBoundingBox();
        if (mesh.geometry.boundingBox) box.union(mesh.geometry.boundingBox.clone().applyMatrix4(mesh.matrixWorld));
      }
      for (const corner of EDGES) positions.push((corner & 1 ? box.max : box.min).x, (corner & 2 ? box.max : box.min).y, (corner & 4 ? box.max : box.min).z);
    }
    this.geometry.dispose();
    this.geometry = new three.BufferGeometry().setAttribute("position", new three.Float32BufferAttribute(positions, 3));
  }
}

/** Points where entities without a shape stand, coloured by their first group. */
export class Points extends three.Points<three.BufferGeometry, three.PointsMaterial> {
  entities: Entity[] = [];

  constructor() {
    super(new three.BufferGeometry(), new three.PointsMaterial({ size: 9, sizeAttenuation: false, vertexColors: true, depthTest: false, transparent: true }));
    this.frustumCulled = false;
    this.renderOrder = 1;
  }

  set(entities: Entity[]) {
    this.entities = entities.filter((it) => it.drawn.length === 0);
    const groups = [...new Set(this.entities.map((it) => it.groups[0] ?? ""))].sort();
    const [positions, colors]: [number[], number[]] = [[], []];
    const [at, color] = [new three.Vector3(), new three.Color()];
    for (const { object, groups: own } of this.entities) {
      positions.push(...object.getWorldPosition(at).toArray());
      colors.push(...color.setHSL(((groups.indexOf(own[0] ?? "") * 137 + 20) % 360) / 360, 0.8, 0.5).toArray());
    }
    this.geometry.dispose();
    this.geometry = new three.BufferGeometry()
      .setAttribute("position", new three.Float32BufferAttribute(positions, 3))
      .setAttribute("color", new three.Float32BufferAttribute(colors, 3));
  }
}
