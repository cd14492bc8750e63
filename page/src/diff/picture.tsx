import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { hexText } from "../format";
import { work } from "../state";
import type { Change } from "./changes";
import { type Pixels, differenceOf, differenceText } from "./pictures";
import { readPicture } from "./read-picture";
import type { Side } from "./sides";

interface Read {
  old: Pixels | undefined;
  new: Pixels | undefined;
  path: string;
}

/** The pictures of an entry beside each other, and a third one of where they differ and by how much. */
export function DiffPicture({ change, sides }: { change: Change; sides: { old: Side; new: Side } }) {
  const [read, setRead] = useState<Read | undefined>(undefined);
  const [zoom, setZoom] = useState(1);
  const [pixel, setPixel] = useState<{ x: number; y: number } | undefined>(undefined);
  useEffect(() => {
    const abort = new AbortController();
    void work(async () => {
      const [old, now] = [
        change.old && (await readPicture(sides.old, change.old.path, abort.signal)),
        change.new && (await readPicture(sides.new, change.new.path, abort.signal)),
      ];
      if (abort.signal.aborted) return;
      setRead({ old: old?.pixels, new: now?.pixels, path: now?.path ?? old?.path ?? "" });
      const size = Math.max(1, ...[old, now].flatMap((it) => (it === undefined ? [] : [it.pixels.width, it.pixels.height])));
      setZoom(Math.max(1, Math.floor(192 / size)));
    });
    return () => abort.abort();
  }, [change, JSON.stringify(sides)]);
  const difference = useMemo(() => (read?.old && read.new ? differenceOf(read.old, read.new) : undefined), [read]);
  if (read === undefined) return <p class="diff-note quiet">Reading</p>;
  if (read.old === undefined && read.new === undefined) return <p class="diff-note">This entry is no picture that can be shown.</p>;
  const over = (x: number, y: number) => setPixel({ x, y });
  return (
    <div class="diff-picture" data-differing={difference?.differing} data-largest={difference?.largest} tabIndex={0} role="group" aria-label="Pictures">
      <p>
        {difference && read.old && read.new
          ? differenceText(read.old, read.new, difference)
          : `Only the ${read.old === undefined ? "new" : "old"} side has a picture.`}
      </p>
      <p>
        <label>
          zoom <input type="number" min={1} max={64} value={zoom} aria-label="Zoom" onInput={(event) => setZoom(Number(event.currentTarget.value) || 1)} />
        </label>
        <span class="quiet" data-role="diff-pixel">
          {pixel === undefined ? `Picture of ${read.path}. Point at a pixel to see its values.` : `${pixel.x}, ${pixel.y}: old ${valueOf(read.old, pixel)}, new ${valueOf(read.new, pixel)}`}
        </span>
      </p>
      <div class="diff-pictures">
        {read.old && <Picture title="old" pixels={read.old} zoom={zoom} onOver={over} />}
        {read.new && <Picture title="new" pixels={read.new} zoom={zoom} onOver={over} />}
        {difference && <Picture title="difference" pixels={difference.pixels} zoom={zoom} onOver={over} />}
      </div>
    </div>
  );
}

/** The values of a pixel, as numbers and as a colour. */
function valueOf(pixels: Pixels | undefined, { x, y }: { x: number; y: number }): string {
  if (pixels === undefined || x >= pixels.width || y >= pixels.height) return "none";
  const values = [...pixels.data.subarray((y * pixels.width + x) * 4, (y * pixels.width + x) * 4 + 4)];
  return `${values.join(" ")} #${values.map((it) => hexText(it, 2)).join("")}`;
}

function Picture({ title, pixels, zoom, onOver }: { title: string; pixels: Pixels; zoom: number; onOver(x: number, y: number): void }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const data = new ImageData(new Uint8ClampedArray(pixels.data), pixels.width, pixels.height);
    canvas.current?.getContext("2d")?.putImageData(data, 0, 0);
  }, [pixels]);
  return (
    <figure>
      <canvas
        ref={canvas}
        role="img"
        aria-label={title}
        width={pixels.width}
        height={pixels.height}
        style={{ width: pixels.width * zoom, height: pixels.height * zoom }}
        onPointerMove={(event) => onOver(Math.floor(event.offsetX / zoom), Math.floor(event.offsetY / zoom))}
      />
      <figcaption>
        {title} <span class="quiet">{pixels.width} × {pixels.height}</span>
      </figcaption>
    </figure>
  );
}
