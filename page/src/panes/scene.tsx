import { useEffect, useRef, useState } from "preact/hooks";
import * as three from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import { address, current, go, make, work } from "../state";

/** Which object of the file a node was made of. */
const pathOf = (object: three.Object3D): string | undefined => {
  for (let it: three.Object3D | null = object; it !== null; it = it.parent) {
    const index = (it.userData.virtools as { index?: number } | undefined)?.index;
    if (index !== undefined) return `#${index}`;
  }
  return undefined;
};

/** A drawn model: what is in it, and what is looked at. */
class Stage {
  readonly scene = new three.Scene();
  readonly camera = new three.PerspectiveCamera(50, 1, 0.1, 1e6);
  readonly renderer: three.WebGLRenderer;
  readonly controls: OrbitControls;
  private model: three.Object3D | undefined;
  private mixer: three.AnimationMixer | undefined;
  private frame = 0;
  private readonly clock = new three.Timer();
  readonly box = new three.Box3Helper(new three.Box3(), 0xd9a441);

  constructor(readonly canvas: HTMLCanvasElement) {
    this.renderer = new three.WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
    this.renderer.setClearColor(getComputedStyle(canvas).getPropertyValue("--raised"));
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.addEventListener("change", () => this.draw());
    this.scene.add(new three.AmbientLight(0xffffff, 1.2));
    const sun = new three.DirectionalLight(0xffffff, 1.6);
    sun.position.set(0.4, 1, 0.6);
    this.scene.add(sun, this.box);
    this.box.visible = false;
  }

  show(model: three.Object3D, animations: three.AnimationClip[]) {
    this.clear();
    this.model = model;
    this.scene.add(model);
    this.fit(new three.Box3().setFromObject(model));
    if (animations.length > 0) {
      this.mixer = new three.AnimationMixer(model);
      for (const clip of animations) this.mixer.clipAction(clip).play();
    }
  }

  fit(box: three.Box3) {
    if (box.isEmpty()) return;
    const sphere = box.getBoundingSphere(new three.Sphere());
    const distance = Math.max(sphere.radius, 1e-3) / Math.sin((this.camera.fov * Math.PI) / 360);
    this.camera.near = distance / 1000;
    this.camera.far = distance * 20;
    this.camera.position.copy(sphere.center).add(new three.Vector3(0.5, 0.45, 0.8).normalize().multiplyScalar(distance));
    this.controls.target.copy(sphere.center);
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.draw();
  }

  mark(path: string | undefined) {
    const found: three.Object3D[] = [];
    this.model?.traverse((it) => {
      if (path !== undefined && pathOf(it) === path) found.push(it);
    });
    this.box.visible = found[0] !== undefined;
    if (found[0]) this.box.box.setFromObject(found[0]);
    this.draw();
  }

  wireframe(on: boolean) {
    this.model?.traverse((it) => {
      if (it instanceof three.Mesh) for (const material of [it.material].flat()) material.wireframe = on;
    });
    this.draw();
  }

  play(on: boolean) {
    cancelAnimationFrame(this.frame);
    if (!on || this.mixer === undefined) return;
    const step = () => {
      this.clock.update();
      this.mixer?.update(this.clock.getDelta());
      this.draw();
      this.frame = requestAnimationFrame(step);
    };
    step();
  }

  pick(event: MouseEvent): string | undefined {
    const rect = this.canvas.getBoundingClientRect();
    const at = new three.Vector2(((event.clientX - rect.left) / rect.width) * 2 - 1, 1 - ((event.clientY - rect.top) / rect.height) * 2);
    const ray = new three.Raycaster();
    ray.setFromCamera(at, this.camera);
    const [hit] = this.model === undefined ? [] : ray.intersectObject(this.model, true);
    return hit && pathOf(hit.object);
  }

  resize(width: number, height: number) {
    this.renderer.setPixelRatio(devicePixelRatio);
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / Math.max(1, height);
    this.camera.updateProjectionMatrix();
    this.draw();
  }

  draw() {
    this.renderer.render(this.scene, this.camera);
  }

  clear() {
    this.play(false);
    this.mixer = undefined;
    if (this.model === undefined) return;
    this.scene.remove(this.model);
    this.model.traverse((it) => {
      if (it instanceof three.Mesh) {
        it.geometry.dispose();
        for (const material of [it.material].flat() as three.Material[]) material.dispose();
      }
    });
    this.model = undefined;
  }

  end() {
    this.clear();
    this.controls.dispose();
    this.renderer.dispose();
  }
}

/** What a model has. */
interface Counts {
  triangles: number;
  objects: number;
  animations: number;
}

function count(model: three.Object3D, animations: number): Counts {
  const counts = { triangles: 0, objects: 0, animations };
  model.traverse((it) => {
    if (!(it instanceof three.Mesh)) return;
    counts.objects += 1;
    const geometry = it.geometry as three.BufferGeometry;
    counts.triangles += (geometry.index?.count ?? geometry.attributes.position?.count ?? 0) / 3;
  });
  return counts;
}

/** A scene, a part of one, or a map, as a model that one can walk around. */
export function ScenePane() {
  const file = current.value;
  const { entry } = address.value;
  const canvas = useRef<HTMLCanvasElement>(null);
  const stage = useRef<Stage | undefined>(undefined);
  const [counts, setCounts] = useState<Counts | undefined>(undefined);
  const [whole, setWhole] = useState(true);
  const [wire, setWire] = useState(false);
  const [playing, setPlaying] = useState(false);
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return;
    const made = new Stage(element);
    stage.current = made;
    const watch = new ResizeObserver(([it]) => it && made.resize(it.contentRect.width, it.contentRect.height));
    if (element.parentElement) watch.observe(element.parentElement);
    return () => {
      watch.disconnect();
      made.end();
      stage.current = undefined;
    };
  }, []);
  const part = whole ? undefined : entry;
  useEffect(() => {
    if (file === undefined) return;
    const abort = new AbortController();
    void work(async () => {
      const paths = part === undefined ? {} : { paths: [part] };
      const bytes = await make("export", { file: file.handle, to: "glb", ...paths }, "glb", abort.signal);
      const model = await new GLTFLoader().parseAsync(bytes.slice().buffer, "");
      if (abort.signal.aborted) return;
      stage.current?.show(model.scene, model.animations);
      setCounts(count(model.scene, model.animations.length));
    });
    return () => abort.abort();
  }, [file?.handle, file?.version, part]);
  useEffect(() => stage.current?.mark(entry), [entry, counts]);
  useEffect(() => stage.current?.wireframe(wire), [wire, counts]);
  useEffect(() => stage.current?.play(playing), [playing, counts]);
  return (
    <section
      class="pane"
      data-role="scene"
      data-triangles={counts?.triangles ?? 0}
      data-objects={counts?.objects ?? 0}
      aria-label="Scene"
    >
      <header>
        <h2>Scene</h2>
        <label>
          <input type="checkbox" checked={!whole} onChange={(event) => setWhole(!event.currentTarget.checked)} /> chosen entry alone
        </label>
        <label>
          <input type="checkbox" checked={wire} onChange={(event) => setWire(event.currentTarget.checked)} /> wireframe
        </label>
        {(counts?.animations ?? 0) > 0 && (
          <label>
            <input type="checkbox" checked={playing} onChange={(event) => setPlaying(event.currentTarget.checked)} /> play
          </label>
        )}
        <span class="quiet">
          {counts ? `${counts.triangles} triangles, ${counts.objects} objects, ${counts.animations} animations` : ""}
        </span>
      </header>
      <div class="stage">
        <canvas
          ref={canvas}
          tabIndex={0}
          aria-label="Model; drag to turn, scroll to come closer, double click to choose"
          onDblClick={(event) => {
            const path = stage.current?.pick(event);
            if (path) go({ ...address.value, entry: path });
          }}
        />
      </div>
    </section>
  );
}
