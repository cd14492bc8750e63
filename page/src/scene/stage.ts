import * as three from "three";
import { Eye, free } from "./eye";
import { Fly } from "./fly";
import { type Entity, type Model, materialsOf } from "./model";
import { Boxes, Points } from "./overlay";

/** The layer of what is not shown: a layer counts for one object, and not for those in it. */
const UNSEEN = 1;

/** What is drawn over a model. */
export interface Look {
  wireframe: boolean;
  boxes: boolean;
  points: boolean;
}

/** A drawn model: what of it is shown, what is marked, and from where it is seen. */
export class Stage extends Eye {
  private model: Model | undefined;
  private mixer: three.AnimationMixer | undefined;
  private duration = 0;
  private frame = 0;
  private flight: Fly | undefined;
  private readonly clock = new three.Timer();
  private readonly boxes = new Boxes();
  private readonly points = new Points();

  constructor(canvas: HTMLCanvasElement) {
    super(canvas);
    this.scene.add(this.boxes, this.points);
  }

  /** Shows a model, from where one stands if it is the one before with other pictures. */
  show(model: Model, isSame: boolean) {
    this.clear();
    this.model = model;
    this.scene.add(model.root);
    model.root.updateMatrixWorld(true);
    if (!isSame) this.fit(new three.Box3().setFromObject(model.root));
    if (model.clips.length > 0) this.mixer = new three.AnimationMixer(model.root);
    this.clip(undefined);
  }

  /** Looks at entities; at all, where there are none. */
  fitTo(entities: Entity[]) {
    const box = new three.Box3();
    for (const { object, drawn } of entities) {
      if (drawn.length === 0) box.expandByPoint(object.getWorldPosition(new three.Vector3()));
      for (const mesh of drawn) box.expandByObject(mesh);
    }
    if (box.isEmpty() && this.model) box.setFromObject(this.model.root);
    // A point alone is seen with what is around it.
    if (box.getSize(new three.Vector3()).length() === 0) box.expandByScalar(this.radius / 10);
    this.fit(box);
  }

  /** Shows these entities alone, with what is drawn over them. */
  reveal(shown: Entity[], look: Look) {
    const seen = new Set(shown);
    for (const entity of this.model?.entities ?? []) for (const mesh of entity.drawn) mesh.layers.set(seen.has(entity) ? 0 : UNSEEN);
    this.boxes.visible = look.boxes;
    if (look.boxes) this.boxes.set(shown);
    this.points.visible = look.points;
    if (look.points) this.points.set(shown);
    if (this.model) for (const material of materialsOf(this.model.root)) if ("wireframe" in material) material.wireframe = look.wireframe;
    this.draw();
  }

  mark(entity: Entity | undefined) {
    this.box.visible = entity !== undefined;
    if (entity) {
      this.box.box.setFromObject(entity.object);
      if (this.box.box.isEmpty()) this.box.box.setFromCenterAndSize(entity.object.getWorldPosition(new three.Vector3()), new three.Vector3().setScalar(this.radius / 15));
    }
    this.draw();
  }

  /** Chooses an animation, or all of them; gives how long it is. */
  clip(nth: number | undefined): number {
    const clips = (this.model?.clips ?? []).filter((_, at) => nth === undefined || at === nth);
    this.mixer?.stopAllAction();
    for (const clip of clips) this.mixer?.clipAction(clip).play();
    this.duration = Math.max(0, ...clips.map((it) => it.duration));
    this.time(0);
    return this.duration;
  }

  /** Shows the model as it is at a time of its animation. */
  time(seconds: number) {
    this.mixer?.setTime(seconds);
    this.draw();
  }

  play(on: boolean, onTime: (seconds: number) => void) {
    cancelAnimationFrame(this.frame);
    if (!on || this.mixer === undefined) return;
    this.clock.update();
    const step = () => {
      this.clock.update();
      this.mixer?.update(this.clock.getDelta());
      onTime(this.duration > 0 ? (this.mixer?.time ?? 0) % this.duration : 0);
      this.draw();
      this.frame = requestAnimationFrame(step);
    };
    step();
  }

  /** Flies until Escape or `land`. */
  fly(onEnd: () => void) {
    this.flight?.end();
    this.controls.enabled = false;
    const distance = this.camera.position.distanceTo(this.controls.target);
    this.flight = new Fly(this.camera, this.canvas, this.radius / 2, () => this.draw(), () => {
      this.flight = undefined;
      this.controls.target.copy(this.camera.position).add(this.camera.getWorldDirection(new three.Vector3()).multiplyScalar(distance));
      this.controls.enabled = true;
      this.controls.update();
      onEnd();
    });
  }

  land() {
    this.flight?.end();
  }

  /** The entity under the pointer. */
  pick(event: MouseEvent): Entity | undefined {
    const rect = this.canvas.getBoundingClientRect();
    const at = new three.Vector2(((event.clientX - rect.left) / rect.width) * 2 - 1, 1 - ((event.clientY - rect.top) / rect.height) * 2);
    const ray = new three.Raycaster();
    ray.setFromCamera(at, this.camera);
    ray.params.Points.threshold = (this.camera.position.distanceTo(this.controls.target) * 6) / Math.max(1, rect.height);
    // Points are drawn over everything.
    const [point] = this.points.visible ? ray.intersectObject(this.points) : [];
    if (point?.index !== undefined) return this.points.entities[point.index];
    const [hit] = this.model === undefined ? [] : ray.intersectObject(this.model.root, true);
    return this.model?.entities.find((it) => it.drawn.some((mesh) => mesh === hit?.object));
  }

  clear() {
    this.land();
    cancelAnimationFrame(this.frame);
    this.mixer = undefined;
    if (this.model === undefined) return;
    this.scene.remove(this.model.root);
    for (const mesh of this.model.entities.flatMap((it) => it.drawn)) mesh.geometry.dispose();
    materialsOf(this.model.root).forEach(free);
    this.model = undefined;
  }

  override end() {
    this.clear();
    super.end();
  }
}
