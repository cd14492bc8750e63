import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { type MapPlaces, type MapPoint, nearest, placesOf, type Sight, zoomed } from "../points";
import { address, current, go, make, work } from "../state";
import { colorOf, drawMap } from "./map-canvas";
import { MapList } from "./map-list";

/** Pixels around a point that still are the point. */
const NEAR = 9;

/** A map from above, layer by layer, with what stands on it as points; the wheel zooms, dragging moves. */
export function MapPane() {
  const file = current.value;
  const { entry } = address.value;
  const [wanted, setLayer] = useState("");
  const layers = file?.layers ?? [];
  const layer = layers.includes(wanted) ? wanted : layers[0];
  const [picture, setPicture] = useState<ImageBitmap | undefined>(undefined);
  const [places, setPlaces] = useState<MapPlaces | undefined>(undefined);
  const [sight, setSight] = useState<Sight | undefined>(undefined);
  const [box, setBox] = useState({ width: 0, height: 0 });
  const [cell, setCell] = useState<{ x: number; y: number } | undefined>(undefined);
  const [over, setOver] = useState<MapPoint | undefined>(undefined);
  const [withPoints, setWithPoints] = useState(true);
  const [withList, setWithList] = useState(false);
  const canvas = useRef<HTMLCanvasElement>(null);
  const pressed = useRef(new Map<number, { x: number; y: number }>());
  const dragged = useRef(false);
  useEffect(() => {
    if (file === undefined) return;
    const abort = new AbortController();
    setPlaces(undefined);
    setSight(undefined);
    void work(async () => {
      const bytes = await make("export", { file: file.handle, to: "json" }, "json", abort.signal);
      if (!abort.signal.aborted) setPlaces(placesOf(JSON.parse(new TextDecoder().decode(bytes))));
    });
    return () => abort.abort();
  }, [file?.handle, file?.version]);
  useEffect(() => {
    if (file === undefined) return;
    const abort = new AbortController();
    void work(async () => {
      const bytes = await make("export", { file: file.handle, to: "png", layer }, "png", abort.signal);
      const made = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
      if (!abort.signal.aborted) setPicture(made);
    });
    return () => abort.abort();
  }, [file?.handle, file?.version, layer]);
  useEffect(() => {
    const element = canvas.current?.parentElement;
    if (!element) return;
    const watch = new ResizeObserver(() => setBox({ width: element.clientWidth, height: element.clientHeight }));
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  const side = places?.height || picture?.height || 0;
  const width = places?.width || side;
  const whole = (): Sight => {
    const scale = Math.max(0.1, Math.min((box.width - 16) / width, (box.height - 16) / side));
    return { x: (width - box.width / scale) / 2, y: (side - box.height / scale) / 2, scale };
  };
  useEffect(() => {
    if (sight === undefined && places !== undefined && picture !== undefined && box.width > 0) setSight(whole());
  }, [sight, places, picture, box]);
  const kinds = useMemo(() => [...new Set(places?.points.map((it) => it.kind))], [places]);
  const points = withPoints ? (places?.points ?? []) : [];
  const chosen = places?.points.find((it) => it.path !== undefined && it.path === entry);
  useLayoutEffect(() => {
    if (sight && picture) drawMap(canvas.current, box, sight, picture, side, points, kinds, [over, chosen]);
  });
  const placeOf = (event: { clientX: number; clientY: number }) => {
    const rect = canvas.current?.getBoundingClientRect();
    const at = { x: event.clientX - (rect?.left ?? 0), y: event.clientY - (rect?.top ?? 0) };
    return sight && { at, x: sight.x + at.x / sight.scale, y: sight.y + at.y / sight.scale };
  };
  const pointAt = (event: MouseEvent) => {
    const place = placeOf(event);
    return place && sight && nearest(points, place.x, place.y, NEAR / sight.scale);
  };
  const zoom = (factor: number, at = { x: box.width / 2, y: box.height / 2 }) => sight && setSight(zoomed(sight, factor, at));
  const move = (event: PointerEvent) => {
    const place = placeOf(event);
    if (place === undefined || sight === undefined) return;
    const before = pressed.current.get(event.pointerId);
    if (before === undefined) {
      const [x, y] = [Math.floor(place.x), Math.floor(place.y)];
      setCell(x >= 0 && y >= 0 && x < width && y < side ? { x, y } : undefined);
      setOver(pointAt(event));
      return;
    }
    const [dx, dy] = [place.at.x - before.x, place.at.y - before.y];
    if (!dragged.current && Math.hypot(dx, dy) < 4) return;
    dragged.current = true;
    const other = [...pressed.current].find(([id]) => id !== event.pointerId)?.[1];
    pressed.current.set(event.pointerId, place.at);
    if (other === undefined) setSight({ ...sight, x: sight.x - dx / sight.scale, y: sight.y - dy / sight.scale });
    else zoom(Math.hypot(place.at.x - other.x, place.at.y - other.y) / Math.max(1, Math.hypot(before.x - other.x, before.y - other.y)), other);
  };
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (step && sight) setSight({ ...sight, x: sight.x + ((step[0] ?? 0) * 48) / sight.scale, y: sight.y + ((step[1] ?? 0) * 48) / sight.scale });
    else if (event.key === "+" || event.key === "=") zoom(1.25);
    else if (event.key === "-") zoom(0.8);
    else if (event.key === "0") setSight(whole());
    else return;
    event.preventDefault();
  };
  const choose = (point: MapPoint) => {
    if (point.path !== undefined) go({ ...address.value, entry: point.path });
  };
  const center = (point: MapPoint) => {
    choose(point);
    if (sight) setSight({ ...sight, x: point.x + 0.5 - box.width / 2 / sight.scale, y: point.y + 0.5 - box.height / 2 / sight.scale });
  };
  return (
    <section class="pane" data-role="map" data-width={picture?.width ?? 0} data-height={picture?.height ?? 0} data-points={points.length} data-side={side} data-scale={sight?.scale ?? 0} data-x={sight?.x ?? 0} data-y={sight?.y ?? 0} aria-label="Map">
      <header>
        <select aria-label="Layer" value={layer} onChange={(event) => setLayer(event.currentTarget.value)}>
          {layers.map((it) => (
            <option key={it}>{it}</option>
          ))}
        </select>
        <label>
          <input type="checkbox" checked={withPoints} onChange={(event) => setWithPoints(event.currentTarget.checked)} /> points
        </label>
        <button type="button" aria-pressed={withList} class={withList ? "chosen" : ""} onClick={() => setWithList(!withList)}>
          List
        </button>
        <span class="steps">
          <button type="button" aria-label="Farther" onClick={() => zoom(0.8)}>
            −
          </button>
          <button type="button" aria-label="Closer" onClick={() => zoom(1.25)}>
            +
          </button>
          <button type="button" onClick={() => setSight(whole())}>
            Whole
          </button>
        </span>
        <span class="quiet">{side > 0 ? `${width} × ${side} cells` : ""}</span>
        <span class="meaning" data-role="cell">
          {cell && `${cell.x}, ${cell.y}`} {over?.label}
        </span>
      </header>
      <div class="seen">
        <div class="chart">
          <canvas
            ref={canvas}
            tabIndex={0}
            aria-label={`${layer} of the map; drag or arrows move, the wheel, plus and minus zoom, 0 shows all`}
            onKeyDown={onKey}
            onWheel={(event) => {
              event.preventDefault();
              zoom(event.deltaY < 0 ? 1.25 : 0.8, placeOf(event)?.at);
            }}
            onPointerDown={(event) => {
              const place = placeOf(event);
              event.currentTarget.setPointerCapture(event.pointerId);
              dragged.current = pressed.current.size > 0;
              if (place) pressed.current.set(event.pointerId, place.at);
            }}
            onPointerMove={move}
            onPointerUp={(event) => pressed.current.delete(event.pointerId)}
            onPointerCancel={(event) => pressed.current.delete(event.pointerId)}
            onPointerLeave={() => {
              setOver(undefined);
              setCell(undefined);
            }}
            onClick={(event) => {
              const point = dragged.current ? undefined : pointAt(event);
              if (point) choose(point);
            }}
          />
          {withPoints && kinds.length > 0 && (
            <ul class="key" aria-label="Kinds of points">
              {kinds.map((kind, nth) => (
                <li key={kind}>
                  <span class="color" style={{ background: colorOf(nth) }} />
                  {kind}
                </li>
              ))}
            </ul>
          )}
        </div>
        {withList && places && <MapList points={places.points} chosen={chosen} onChoose={center} />}
      </div>
    </section>
  );
}
