import { useEffect, useRef, useState } from "preact/hooks";
import { current, make, work } from "../state";

const LAYERS = ["relief", "textures", "entities", "flags", "minimap", "heights", "tiles", "decoration", "movement", "vision"];

/** A map from above, layer by layer, with the cell under the pointer. */
export function MapPane() {
  const file = current.value;
  const [layer, setLayer] = useState("relief");
  const [size, setSize] = useState({ width: 0, height: 0 });
  const [cell, setCell] = useState("");
  const [zoom, setZoom] = useState(1);
  const image = useRef<HTMLImageElement>(null);
  useEffect(() => {
    if (file === undefined) return;
    const abort = new AbortController();
    void work(async () => {
      const bytes = await make("export", { file: file.handle, to: "png", layer }, "png", abort.signal);
      const element = image.current;
      if (abort.signal.aborted || element === null) return;
      URL.revokeObjectURL(element.src);
      element.src = URL.createObjectURL(new Blob([bytes.slice()], { type: "image/png" }));
      await element.decode();
      setSize({ width: element.naturalWidth, height: element.naturalHeight });
      setZoom((zoom) => (zoom === 1 ? Math.min(16, Math.max(1, Math.floor(512 / element.naturalWidth))) : zoom));
    });
    return () => abort.abort();
  }, [file?.handle, file?.version, layer]);
  return (
    <section class="pane" data-role="map" data-width={size.width} data-height={size.height} aria-label="Map">
      <header>
        <h2>Map</h2>
        <select aria-label="Layer" value={layer} onChange={(event) => setLayer(event.currentTarget.value)}>
          {LAYERS.map((it) => (
            <option key={it}>{it}</option>
          ))}
        </select>
        <label>
          zoom{" "}
          <input type="range" min={1} max={16} value={zoom} aria-label="Zoom" onInput={(event) => setZoom(Number(event.currentTarget.value))} />
        </label>
        <span class="quiet">{size.width > 0 ? `${size.width} × ${size.height}` : ""}</span>
        <span class="meaning">{cell}</span>
      </header>
      <div class="picture" tabIndex={0} role="group" aria-label="Picture">
        <img
          ref={image}
          alt={`${layer} of the map`}
          style={{ width: size.width * zoom || undefined }}
          onPointerMove={(event) => {
            const rect = event.currentTarget.getBoundingClientRect();
            setCell(`${Math.floor((event.clientX - rect.left) / zoom)}, ${Math.floor((event.clientY - rect.top) / zoom)}`);
          }}
        />
      </div>
    </section>
  );
}
