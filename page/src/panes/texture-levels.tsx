import { useEffect, useRef, useState } from "preact/hooks";
import { current, make, work } from "../state";
import { drawSmall } from "./texture-grid";

/** All levels of a texture in small; each can be looked at. */
export function TextureLevels({ entry, onChoose }: { entry: string; onChoose(pixels: ImageData): void }) {
  const file = current.value;
  const [levels, setLevels] = useState<ImageData[] | undefined>(undefined);
  useEffect(() => {
    setLevels(undefined);
    if (file === undefined) return;
    const abort = new AbortController();
    void work(async () => {
      const found = await read(file.handle, entry, abort.signal).catch(() => []);
      if (!abort.signal.aborted) setLevels(found);
    });
    return () => abort.abort();
  }, [file?.handle, file?.version, entry]);
  return (
    <div class="strip" data-role="levels" data-rows={levels?.length ?? 0} role="group" aria-label="Levels" tabIndex={0}>
      {levels?.length === 0 && <p class="quiet">This texture has no levels that can be shown here.</p>}
      {levels?.map((level, nth) => (
        <button key={nth} type="button" class="thumb" data-width={level.width} data-height={level.height} onClick={() => onChoose(level)}>
          <LevelPicture level={level} />
          <span class="name">
            {nth}: {level.width} × {level.height}
          </span>
        </button>
      ))}
    </div>
  );
}

async function read(file: number, entry: string, signal: AbortSignal): Promise<ImageData[]> {
  const bytes = await make("export", { file, to: "ktx2", paths: [entry] }, "ktx2", signal);
  const { levelsOf } = await import("../scene/levels");
  return levelsOf(bytes);
}

function LevelPicture({ level }: { level: ImageData }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => void createImageBitmap(level, { premultiplyAlpha: "none" }).then((it) => drawSmall(canvas.current, it)), [level]);
  return (
    <span class="small">
      <canvas ref={canvas} width={96} height={96} />
    </span>
  );
}
