import * as three from "three";

/** What materials of levels are, as far as that makes shaders differ. */
const USUAL: { hasMap: boolean; parameters: three.MeshLambertMaterialParameters }[] = [
  { hasMap: false, parameters: {} },
  { hasMap: true, parameters: {} },
  { hasMap: true, parameters: { transparent: true, depthWrite: false } },
  { hasMap: true, parameters: { alphaTest: 0.5 } },
  { hasMap: true, parameters: { alphaTest: 0.5, side: three.DoubleSide } },
];

/** Has the shaders of usual materials ready before a model needs them. They stay until it ends. */
export class UsualMaterials {
  private readonly map = new three.DataTexture(new Uint8Array(4), 1, 1);
  private readonly shape = new three.PlaneGeometry();
  private readonly group = new three.Group();

  constructor(renderer: three.WebGLRenderer, camera: three.PerspectiveCamera, scene: three.Scene) {
    this.map.colorSpace = three.SRGBColorSpace;
    this.map.needsUpdate = true;
    for (const { hasMap, parameters } of USUAL) {
      const material = new three.MeshLambertMaterial({ ...parameters, map: hasMap ? this.map : null });
      const mesh = new three.Mesh(this.shape, material);
      // Behind the eye: a shader is ready when it was used, and nothing of this is seen.
      mesh.frustumCulled = false;
      this.group.add(mesh);
    }
    this.group.position.copy(camera.position).addScaledVector(camera.getWorldDirection(new three.Vector3()), -2 * camera.near);
    scene.add(this.group);
    renderer.render(scene, camera);
    scene.remove(this.group);
  }

  end() {
    for (const it of this.group.children as three.Mesh<three.PlaneGeometry, three.Material>[]) it.material.dispose();
    this.shape.dispose();
    this.map.dispose();
  }
}

/** Gives materials without gloss the shader for that: games of that time had no other, and it takes a fraction of the one for all that glTF can be. */
export function simplify(root: three.Object3D): void {
  const made = new Map<three.Material, three.Material>();
  const simple = (material: three.Material): three.Material => {
    if (!(material instanceof three.MeshStandardMaterial) || material.metalness > 0 || material.roughness < 1) return material;
    const known = made.get(material) ?? matte(material);
    made.set(material, known);
    return known;
  };
  root.traverse((it) => {
    if (it instanceof three.Mesh) it.material = Array.isArray(it.material) ? it.material.map(simple) : simple(it.material);
  });
}

function matte(of: three.MeshStandardMaterial): three.MeshLambertMaterial {
  const { name, color, map, emissive, emissiveMap, emissiveIntensity, aoMap, normalMap, normalScale, lightMap } = of;
  const { opacity, transparent, alphaTest, alphaMap, depthWrite, side, vertexColors, flatShading, userData } = of;
  const maps = { map, emissiveMap, aoMap, normalMap, normalScale, lightMap, alphaMap };
  const made = new three.MeshLambertMaterial({ name, color, emissive, emissiveIntensity, ...maps, opacity, transparent, alphaTest, depthWrite, side, vertexColors, flatShading });
  made.userData = userData;
  return made;
}
