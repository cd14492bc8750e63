import { useEffect, useRef, useState } from "preact/hooks";
import { pictureOf, pixelsOf } from "../pictures";
import { current, make, work } from "../state";
import { drawSmall } from "./texture-grid";

/** What a texture consists of: levels that become smaller, or slots with a picture each. */
interface Parts {
  kind: "levels" | "slots";
  pictures: ImageData[];
}

/** All levels or slots of a texture in small; each can be looked at. */
export function TextureLevels({ entry, onChoose }: { entry: string; onChoose(pixels: ImageData): void }) {
  const file = current.value;
  const [parts, setParts] = useState<Parts | undefined>(undefined);
  useEffect(() => {
    setParts(undefined);
    if (file === undefined) return;
    const abort = new AbortController();
    void work(async () => {
      const found = await levels(file.handle, entry, abort.signal).catch(() => slots(file.handle, entry, abort.signal));
      if (!abort.signal.aborted) setParts(found);
    });
    return () => abort.abort();
  }, [file?.handle, file?.version, entry]);
  return (
    <div class="strip" data-role="levels" data-kind={parts?.kind} data-rows={parts?.pictures.length ?? 0} role="group" aria-label="Levels" tabIndex={0}>
      {parts?.pictures.length === 0 && <p class="quiet">This texture has no levels that can be shown here.</p>}
      {parts?.pictures.map((picture, nth) => (
        <button key={nth} type="button" class="thumb" data-width={picture.width} data-height={picture.height} onClick={() => onChoose(picture)}>
          <LevelPicture level={picture} />
          <span class="name">
            {parts.kind === "slots" ? `slot ${nth}` : nth}: {picture.width} × {picture.height}
          </span>
        </button>
      ))}
    </div>
  );
}

async function levels(file: number, entry: string, signal: AbortSignal): Promise<Parts> {
  const bytes = await make("export", { file, to: "ktx2", paths: [entry] }, "ktx2", signal);
  const { levelsOf } = await import("../scene/levels");
  return { kind: "levels", pictures: await levelsOf(bytes) };
}

/** The slots up to the one that cannot be had: there is none, or its picture is missing. */
async function slots(file: number, entry: string, signal: AbortSignal): Promise<Parts> {
  const pictures: ImageData[] = [];
  for (;;) {
    const picture = await pictureOf(file, entry, signal, pictures.length).catch(() => undefined);
    if (picture === undefined || signal.aborted) return { kind: "slots", pictures };
    pictures.push(pixelsOf(picture));
  }
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
