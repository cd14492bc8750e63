/** Something with a place on a map. */
export interface MapPoint {
  x: number;
  y: number;
  kind: string;
  /** Where it is an entry of the file. */
  path?: string;
  /** What it is, for people. */
  label: string;
}

/** The places of a map, and how many cells wide and high it is. */
export interface MapPlaces {
  width: number;
  height: number;
  points: MapPoint[];
}

/** Facts of a whole map: its size, and the length of a cell where coordinates are not cells but go east and north. */
interface MapFacts {
  size?: number;
  width?: number;
  height?: number;
  cell?: number;
}

/** Properties that a label tells. */
const TOLD = 4;
/** Properties that no label tells: they are the same for all of a list. */
const UNTOLD = new Set(["height", "class", "record_version", "component_count", "version"]);

interface Feature {
  geometry?: { type?: string; coordinates?: unknown };
  properties?: Record<string, unknown>;
}

/** Reads a collection of features (GeoJSON): each point is one of a list of the file. */
export function placesOf(collection: { map?: MapFacts; features?: Feature[] }): MapPlaces {
  const points: MapPoint[] = [];
  const { size = 0, width = size, height = size, cell } = collection.map ?? {};
  // A point is drawn in the middle of its cell, and pictures have the north above.
  const along = (at: number) => (cell === undefined ? at : at / cell - 0.5);
  const down = (at: number) => (cell === undefined ? at : height - at / cell - 0.5);
  for (const { geometry, properties = {} } of collection.features ?? []) {
    if (geometry?.type !== "Point" || !Array.isArray(geometry.coordinates)) continue;
    const [x, y] = geometry.coordinates.map(Number);
    const { kind, index, ...others } = properties;
    const told = Object.entries(others).filter(([name, value]) => !UNTOLD.has(name) && value !== null && value !== 0 && value !== "" && typeof value !== "object");
    const text = told
      .slice(0, TOLD)
      .map(([name, value]) => `${name} ${String(value)}`)
      .join(", ");
    const path = `${String(kind)}[${String(index)}]`;
    const point: MapPoint = { x: along(x ?? 0), y: down(y ?? 0), kind: String(kind), path, label: text === "" ? path : `${path}: ${text}` };
    points.push(point);
  }
  return { width, height, points };
}

/** What of a plane is in sight: the place at the upper left corner, and pixels for each unit. */
export interface Sight {
  x: number;
  y: number;
  scale: number;
}

/** Comes closer by a factor, so that the place under the pointer stays there. */
export function zoomed({ x, y, scale }: Sight, factor: number, at: { x: number; y: number }): Sight {
  const to = Math.min(256, Math.max(0.1, scale * factor));
  return { x: x + at.x / scale - at.x / to, y: y + at.y / scale - at.y / to, scale: to };
}

/** The nearest point within so many units, the last of those that stand at one place. */
export function nearest(points: MapPoint[], x: number, y: number, within: number): MapPoint | undefined {
  let best: MapPoint | undefined;
  let least = within * within;
  for (const point of points) {
    const distance = (point.x + 0.5 - x) ** 2 + (point.y + 0.5 - y) ** 2;
    if (distance <= least) [best, least] = [point, distance];
  }
  return best;
}
