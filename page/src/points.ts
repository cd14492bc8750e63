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

/** The places of a map, and the cells of one of its sides. */
export interface MapPlaces {
  side: number;
  points: MapPoint[];
}

/** Properties that a label tells. */
const TOLD = 4;

interface Feature {
  geometry?: { type?: string; coordinates?: unknown };
  properties?: Record<string, unknown>;
}

/** Reads a collection of features (GeoJSON): each point is one of a list of the file. */
export function placesOf(collection: { map?: { size?: number }; features?: Feature[] }): MapPlaces {
  const points: MapPoint[] = [];
  for (const { geometry, properties = {} } of collection.features ?? []) {
    if (geometry?.type !== "Point" || !Array.isArray(geometry.coordinates)) continue;
    const [x, y] = geometry.coordinates.map(Number);
    const { kind, index, ...others } = properties;
    const told = Object.entries(others).filter(([name, value]) => name !== "height" && value !== null && value !== 0 && value !== "" && typeof value !== "object");
    const text = told
      .slice(0, TOLD)
      .map(([name, value]) => `${name} ${String(value)}`)
      .join(", ");
    const path = `${String(kind)}[${String(index)}]`;
    const point: MapPoint = { x: x ?? 0, y: y ?? 0, kind: String(kind), path, label: text === "" ? path : `${path}: ${text}` };
    points.push(point);
  }
  return { side: Number(collection.map?.size ?? 0), points };
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
