import { useEffect, useRef, useState } from "preact/hooks";
import { hexText } from "../format";
import { pictureOf, pixelsOf } from "../pictures";
import { address, current, go, work } from "../state";
import { TextureGrid } from "./texture-grid";
import { TextureLevels } from "./texture-levels";

const CHANNELS = ["all", "red", "green", "blue", "alpha"] as const;

/** The picture of a texture, exactly: over a chequer where it is transparent, a channel alone, and the pixel under the pointer. */
export function TexturePane() {
  const file = current.value;
  const { entry } = address.value;
  const canvas = useRef<HTMLCanvasElement>(null);
  const [pixels, setPixels] = useState<ImageData | undefined>(undefined);
  const [channel, setChannel] = useState<(typeof CHANNELS)[number]>("all");
  const [zoom, setZoom] = useState(1);
  const [pixel, setPixel] = useState("");
  const [withLevels, setWithLevels] = useState(false);
  useEffect(() => {
    setPixels(undefined);
    if (file === undefined || entry === undefined) return;
    const abort = new AbortController();
    void work(async () => {
      const bitmap = await pictureOf(file.handle, entry, abort.signal);
      if (abort.signal.aborted) return;
      setPixels(pixelsOf(bitmap));
      setZoom(zoomOf(bitmap));
    });
    return () => abort.abort();
  }, [file?.handle, file?.version, entry]);
  useEffect(() => {
    const context = canvas.current?.getContext("2d");
    if (pixels && context) context.putImageData(channelOf(pixels, channel), 0, 0);
  }, [pixels, channel]);
  const over = (event: PointerEvent) => {
    const rect = canvas.current?.getBoundingClientRect();
    if (rect === undefined || pixels === undefined) return;
    const x = Math.floor(((event.clientX - rect.left) / rect.width) * pixels.width);
    const y = Math.floor(((event.clientY - rect.top) / rect.height) * pixels.height);
    const at = (y * pixels.width + x) * 4;
    const [red, green, blue, alpha] = pixels.data.subarray(at, at + 4);
    if (alpha !== undefined) setPixel(`${x}, ${y}: ${red} ${green} ${blue} ${alpha} #${[red, green, blue, alpha].map((it) => hexText(it ?? 0, 2)).join("")}`);
  };
  return (
    <section class="pane" data-role="texture" data-width={pixels?.width ?? 0} data-height={pixels?.height ?? 0} aria-label="Texture">
      <header>
        <button type="button" aria-pressed={entry === undefined} disabled={entry === undefined} onClick={() => go({ ...address.value, entry: undefined as never })}>
          All textures
        </button>
        {entry !== undefined && (
          <>
            <select aria-label="Channel" value={channel} onChange={(event) => setChannel(event.currentTarget.value as typeof channel)}>
              {CHANNELS.map((it) => (
                <option key={it}>{it}</option>
              ))}
            </select>
            <label>
              zoom{" "}
              <input type="number" min={1} max={64} value={zoom} aria-label="Zoom" onInput={(event) => setZoom(Number(event.currentTarget.value) || 1)} />
            </label>
            <button type="button" aria-pressed={withLevels} class={withLevels ? "chosen" : ""} onClick={() => setWithLevels(!withLevels)}>
              Levels
            </button>
          </>
        )}
        <span class="quiet">{pixels ? `${pixels.width} × ${pixels.height}` : ""}</span>
        {entry !== undefined && (
          <span class="meaning" data-role="pixel">
            {pixel}
          </span>
        )}
      </header>
      {entry === undefined && <TextureGrid />}
      {entry !== undefined && withLevels && (
        <TextureLevels
          entry={entry}
          onChoose={(level) => {
            setPixels(level);
            setZoom(zoomOf(level));
          }}
        />
      )}
      <div class="picture" tabIndex={0} role="group" aria-label="Picture" hidden={entry === undefined}>
        {pixels && (
          <canvas
            ref={canvas}
            width={pixels.width}
            height={pixels.height}
            style={{ width: pixels.width * zoom, height: pixels.height * zoom }}
            onPointerMove={over}
          />
        )}
      </div>
    </section>
  );
}

/** How often small pictures are enlarged. */
const zoomOf = ({ width, height }: { width: number; height: number }) => Math.min(64, Math.max(1, Math.floor(256 / Math.max(width, height))));

/** A channel alone, as grey. */
export function channelOf(pixels: ImageData, channel: (typeof CHANNELS)[number]): ImageData {
  if (channel === "all") return pixels;
  const nth = CHANNELS.indexOf(channel) - 1;
  const data = new Uint8ClampedArray(pixels.data.length);
  for (let at = 0; at < data.length; at += 4) {
    const value = pixels.data[at + nth] ?? 0;
    data[at] = value;
    data[at + 1] = value;
    data[at + 2] = value;
    data[at + 3] = 255;
  }
  return new ImageData(data, pixels.width, pixels.height);
}
