import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { RowPages } from "../pages";
import { Thumbnails } from "../pictures";
import { address, current, files, go } from "../state";
import { VirtualList } from "../virtual";

const SIDE = 96;
const WIDTH = 116;
const HEIGHT = 132;

/** The entries that are textures, by their kinds. */
const GLOBS = ["*Texture/*"];

/** All textures of a file in small; those in sight alone are made. */
export function TextureGrid() {
  const file = current.value;
  const box = useRef<HTMLDivElement>(null);
  const [columns, setColumns] = useState(1);
  const [, again] = useState(0);
  const pages = useMemo(() => file && new RowPages({ file: file.handle, globs: GLOBS }, () => again((n) => n + 1)), [file?.handle, file?.version]);
  // With other files of the page, pictures that were missing may be there.
  const thumbnails = useMemo(() => (file === undefined ? undefined : new Thumbnails(file.handle)), [file?.handle, file?.version, files.value]);
  useEffect(() => pages?.want(0, 1), [pages]);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const watch = new ResizeObserver(() => setColumns(Math.max(1, Math.floor((element.clientWidth - 16) / WIDTH))));
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  const count = pages?.count ?? 0;
  return (
    <div class="grid" ref={box} data-role="textures" data-rows={count}>
      {count === 0 && <p class="quiet">No textures were found in this file.</p>}
      <VirtualList
        count={Math.ceil(count / columns)}
        rowHeight={HEIGHT}
        label="Textures"
        role="group"
        onRange={(start, end) => pages?.want(start * columns, end * columns)}
        render={(line) => (
          <div class="thumbs">
            {Array.from({ length: Math.min(columns, count - line * columns) }, (_, nth) => {
              const row = pages?.row(line * columns + nth);
              if (row === undefined || thumbnails === undefined) return <span class="thumb" key={nth} />;
              const path = String(row.path);
              return (
                <button key={path} type="button" class="thumb" title={path} onClick={() => go({ ...address.value, entry: path })}>
                  <Thumbnail path={path} from={thumbnails} />
                  <span class="name">{String(row.name ?? path)}</span>
                </button>
              );
            })}
          </div>
        )}
      />
    </div>
  );
}

function Thumbnail({ path, from }: { path: string; from: Thumbnails }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [state, setState] = useState<"waiting" | "drawn" | "none">("waiting");
  useEffect(
    () =>
      from.want(path, (picture) => {
        setState(picture === undefined ? "none" : "drawn");
        if (picture) drawSmall(canvas.current, picture);
      }),
    [path, from],
  );
  return (
    <span class="small" data-state={state}>
      <canvas ref={canvas} width={SIDE} height={SIDE} hidden={state !== "drawn"} />
      {state === "none" && <span class="quiet">no picture</span>}
    </span>
  );
}

/** Draws a picture as large as fits; small ones in whole steps. */
export function drawSmall(canvas: HTMLCanvasElement | null, picture: ImageBitmap) {
  const context = canvas?.getContext("2d");
  if (!canvas || !context) return;
  const fits = SIDE / Math.max(picture.width, picture.height);
  const zoom = fits >= 1 ? Math.floor(fits) : fits;
  const [width, height] = [Math.max(1, picture.width * zoom), Math.max(1, picture.height * zoom)];
  context.imageSmoothingEnabled = fits < 1;
  context.clearRect(0, 0, SIDE, SIDE);
  context.drawImage(picture, (SIDE - width) / 2, (SIDE - height) / 2, width, height);
}
