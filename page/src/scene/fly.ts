import * as three from "three";

/** The keys that move, and where to: right, up, back. */
const MOVES: Record<string, [number, number, number]> = {
  KeyW: [0, 0, -1],
  KeyS: [0, 0, 1],
  KeyA: [-1, 0, 0],
  KeyD: [1, 0, 0],
  KeyE: [0, 1, 0],
  KeyQ: [0, -1, 0],
};
/** The keys that turn, and by how much: about the upright axis, and up. */
const TURNS: Record<string, [number, number]> = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/** Flies a camera: W, A, S, D, Q and E move, the pointer and the arrows turn, the wheel sets the speed, Escape ends it. */
export class Fly {
  private readonly keys = new Set<string>();
  private readonly abort = new AbortController();
  private readonly clock = new three.Timer();
  private frame = 0;

  constructor(
    private readonly camera: three.Camera,
    private readonly canvas: HTMLCanvasElement,
    private speed: number,
    private readonly onMove: () => void,
    private readonly onEnd: () => void,
  ) {
    const { signal } = this.abort;
    canvas.focus();
    // Where the pointer cannot be held, it turns while a button is down.
    void Promise.resolve(canvas.requestPointerLock()).catch(() => undefined);
    canvas.addEventListener("keydown", (event) => this.press(event), { signal });
    canvas.addEventListener("keyup", (event) => this.keys.delete(event.code), { signal });
    canvas.addEventListener("blur", () => this.keys.clear(), { signal });
    canvas.addEventListener("pointermove", (event) => this.look(event), { signal });
    canvas.addEventListener("wheel", (event) => this.wheel(event), { signal, passive: false });
    document.addEventListener("pointerlockchange", () => document.pointerLockElement ?? this.end(), { signal });
    this.step();
  }

  end() {
    if (this.abort.signal.aborted) return;
    this.abort.abort();
    cancelAnimationFrame(this.frame);
    if (document.pointerLockElement === this.canvas) document.exitPointerLock();
    this.onEnd();
  }

  private press(event: KeyboardEvent) {
    if (event.key === "Escape") this.end();
    else if (event.code in MOVES || event.code in TURNS) this.keys.add(event.code);
    else return;
    event.preventDefault();
  }

  private look({ movementX, movementY, buttons }: PointerEvent) {
    if (document.pointerLockElement === this.canvas || buttons !== 0) this.turn(-movementX * 0.003, -movementY * 0.003);
  }

  private wheel(event: WheelEvent) {
    event.preventDefault();
    this.speed *= event.deltaY < 0 ? 1.25 : 0.8;
  }

  private turn(about: number, up: number) {
    const turned = new three.Euler().setFromQuaternion(this.camera.quaternion, "YXZ");
    turned.y += about;
    turned.x = Math.min(1.55, Math.max(-1.55, turned.x + up));
    this.camera.quaternion.setFromEuler(turned);
    this.onMove();
  }

  private step = () => {
    this.clock.update();
    const passed = Math.min(0.1, this.clock.getDelta());
    const way = new three.Vector3();
    for (const key of this.keys) {
      way.add(new three.Vector3(...(MOVES[key] ?? [0, 0, 0])));
      const [about, up] = TURNS[key] ?? [0, 0];
      if (about !== 0 || up !== 0) this.turn(about * passed * 1.5, up * passed * 1.5);
    }
    if (way.lengthSq() > 0) {
      this.camera.position.add(way.applyQuaternion(this.camera.quaternion).multiplyScalar(this.speed * passed));
      this.onMove();
    }
    this.frame = requestAnimationFrame(this.step);
  };
}
