import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { hexText } from "../format";
import { Overview } from "../overview";
import { current } from "../state";

const HEIGHT = 22;
/** The colour of a kind, by its position among the kinds. */
const colorOf = (nth: number) => `hsl(${(nth * 137 + 165) % 360} 42% 52%)`;
/** Kinds that the legend shows. */
const MOST = 24;

/** The map of a whole space as a bar: coloured by what its fields are, with what is in sight; a click goes there. */
export function OverviewBar({ space, length, sight, onJump }: { space: string; length: number; sight: { start: number; end: number }; onJump(offset: number): void }) {
  const file = current.value;
  const canvas = useRef<HTMLCanvasElement>(null);
  const [, again] = useState(0);
  const [width, setWidth] = useState(0);
  const [over, setOver] = useState<number | undefined>(undefined);
  const overview = useMemo(() => (file === undefined ? undefined : new Overview(file.handle, space, length)), [file?.handle, file?.version, space, length]);
  useEffect(() => {
    const abort = new AbortController();
    void overview?.read(abort.signal, () => again((n) => n + 1));
    return () => abort.abort();
  }, [overview]);
  useEffect(() => {
    const element = canvas.current?.parentElement;
    if (!element) return;
    const watch = new ResizeObserver(() => setWidth(element.clientWidth));
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  const kinds = overview?.kinds ?? [];
  useLayoutEffect(() => draw(canvas.current, overview, kinds, width), [overview, overview?.filled, width]);
  const share = (offset: number) => (offset / Math.max(1, length)) * 100;
  const nthOf = (event: MouseEvent): number | undefined => {
    const rect = canvas.current?.getBoundingClientRect();
    if (rect === undefined || overview === undefined || overview.parts.length === 0) return undefined;
    return Math.min(overview.parts.length - 1, Math.max(0, Math.floor(((event.clientX - rect.left) / rect.width) * overview.parts.length)));
  };
  const jump = (nth: number | undefined) => {
    if (nth !== undefined && overview) onJump(overview.start(nth));
  };
  const here = overview?.part(sight.start) ?? 0;
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1, PageDown: 16, PageUp: -16, Home: -length, End: length }[event.key];
    if (step === undefined || overview === undefined) return;
    event.preventDefault();
    const nth = Math.min(overview.parts.length - 1, Math.max(0, (over ?? here) + step));
    setOver(nth);
    jump(nth);
  };
  const part = over === undefined ? undefined : overview?.parts[over];
  return (
    <div
      class="overview"
      role="slider"
      tabIndex={0}
      aria-label={`Map of ${space}`}
      aria-valuemin={0}
      aria-valuemax={length}
      aria-valuenow={sight.start}
      data-role="overview"
      data-filled={overview?.filled ?? 0}
      data-parts={overview?.parts.length ?? 0}
      data-kinds={kinds.length}
      data-part={part?.path ?? ""}
      onKeyDown={onKey}
      onPointerMove={(event) => setOver(nthOf(event))}
      onPointerLeave={() => setOver(undefined)}
      onBlur={() => setOver(undefined)}
      onClick={(event) => jump(nthOf(event))}
    >
      <canvas ref={canvas} height={HEIGHT} />
      <div class="sight" style={{ left: `min(${share(sight.start)}%, 100% - 6px)`, width: `max(${share(sight.end - sight.start)}%, 6px)` }} />
      {over !== undefined && overview && (
        <div class="legend">
          <p>
            <b>{hexText(overview.start(over), 8)}</b> {part?.path ?? "not looked at yet"}
          </p>
          <ul>
            {kinds.slice(0, MOST).map((kind, nth) => (
              <li key={kind} class={kind === part?.kind ? "chosen" : ""}>
                <span class="color" style={{ background: colorOf(nth) }} />
                {kind}
              </li>
            ))}
            {kinds.length > MOST && <li class="quiet">{kinds.length - MOST} more</li>}
          </ul>
        </div>
      )}
    </div>
  );
}

function draw(canvas: HTMLCanvasElement | null, overview: Overview | undefined, kinds: string[], width: number) {
  const context = canvas?.getContext("2d");
  if (!canvas || !context || overview === undefined || width === 0) return;
  const ratio = devicePixelRatio;
  if (canvas.width !== Math.round(width * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = HEIGHT * ratio;
    Object.assign(canvas.style, { width: `${width}px`, height: `${HEIGHT}px` });
  }
  const style = getComputedStyle(canvas);
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, HEIGHT);
  const colors = new Map(kinds.map((kind, nth) => [kind, colorOf(nth)]));
  const { length } = overview.parts;
  overview.parts.forEach((part, nth) => {
    if (part === undefined) return;
    const from = (nth / length) * width;
    context.fillStyle = colors.get(part.kind) ?? "gray";
    context.fillRect(from, 5, Math.ceil(width / length) + 0.5, HEIGHT - 10);
    // Where a chunk, a block or a record ends, and another one begins.
    const before = overview.parts[nth - 1];
    if (before !== undefined && before.kind === part.kind && step(before.path) !== step(part.path)) {
      context.fillStyle = style.getPropertyValue("--ground");
      context.fillRect(from - 0.5, 5, 1, HEIGHT - 10);
    }
  });
}

/** The path as far as its first position. */
const step = (path: string) => /^[^[]*(\[\d+\])?/.exec(path)?.[0] ?? "";
