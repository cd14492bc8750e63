import * as three from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { UsualMaterials } from "./materials";

/** A canvas with a lit scene, seen by an eye that one turns around it, and a box around what is marked. */
export class Eye {
  readonly scene = new three.Scene();
  readonly camera = new three.PerspectiveCamera(50, 1, 0.1, 1e6);
  readonly renderer: three.WebGLRenderer;
  readonly controls: OrbitControls;
  protected readonly box = new three.Box3Helper(new three.Box3(), 0xd9a441);
  /** Half the size of what was looked at as a whole. */
  protected radius = 1;
  private usual: UsualMaterials | undefined;
  private readonly soon: ReturnType<typeof setTimeout>;
  /** The frame in which it is drawn next. */
  private next = 0;
  private waiting: (() => void)[] = [];

  constructor(readonly canvas: HTMLCanvasElement) {
    this.renderer = new three.WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
    this.renderer.setClearColor(getComputedStyle(canvas).getPropertyValue("--raised"));
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.listenToKeyEvents(canvas);
    this.controls.addEventListener("change", () => this.draw());
    const sun = new three.DirectionalLight(0xffffff, 1.6);
    sun.position.set(0.4, 1, 0.6);
    this.scene.add(new three.AmbientLight(0xffffff, 1.2), sun, this.box);
    this.box.visible = false;
    // Asking for them waits for the graphics card, and three.js makes its shaders itself.
    this.renderer.debug.checkShaderErrors = false;
    // While the model is made.
    this.soon = setTimeout(() => {
      this.usual = new UsualMaterials(this.renderer, this.camera, this.scene);
    });
  }

  /** Looks at a box as a whole. */
  fit(box: three.Box3) {
    if (box.isEmpty()) return;
    const sphere = box.getBoundingSphere(new three.Sphere());
    this.radius = Math.max(sphere.radius, 1e-3);
    // As far away as the narrower side of the picture asks for.
    const upright = Math.tan((this.camera.fov * Math.PI) / 360);
    const distance = this.radius / Math.sin(Math.atan(upright * Math.min(1, this.camera.aspect)));
    this.camera.near = distance / 1000;
    this.camera.far = distance * 1000;
    this.camera.position.copy(sphere.center).add(new three.Vector3(0.5, 0.45, 0.8).normalize().multiplyScalar(distance));
    this.controls.target.copy(sphere.center);
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.draw();
  }

  resize(width: number, height: number) {
    this.renderer.setPixelRatio(devicePixelRatio);
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / Math.max(1, height);
    this.camera.updateProjectionMatrix();
    // A canvas of another size is empty.
    this.render();
  }

  /** Draws with the next frame: what changes until then is drawn at once. */
  draw() {
    if (this.next === 0) this.next = requestAnimationFrame(() => this.render());
  }

  /** Waits until all that changed is drawn. */
  drawn(): Promise<void> {
    this.draw();
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  private render() {
    cancelAnimationFrame(this.next);
    this.next = 0;
    this.renderer.render(this.scene, this.camera);
    for (const done of this.waiting.splice(0)) done();
  }

  end() {
    cancelAnimationFrame(this.next);
    for (const done of this.waiting.splice(0)) done();
    this.controls.dispose();
    clearTimeout(this.soon);
    this.usual?.end();
    this.renderer.dispose();
  }
}

/** Frees a material with its pictures. */
export function free(material: three.Material) {
  for (const value of Object.values(material)) if (value instanceof three.Texture) value.dispose();
  material.dispose();
}
