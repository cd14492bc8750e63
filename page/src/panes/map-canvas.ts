import type { MapPoint, Sight } from "../points";

/** The colour of a kind, by its position among the kinds. */
export const colorOf = (nth: number): string => `hsl(${(nth * 137 + 20) % 360} 85% 55%)`;

/** Draws what is in sight of a map: its picture, and points in the middle of their cells. */
export function drawMap(
  canvas: HTMLCanvasElement | null,
  { width, height }: { width: number; height: number },
  sight: Sight,
  picture: ImageBitmap,
  side: number,
  points: MapPoint[],
  kinds: string[],
  marked: (MapPoint | undefined)[],
) {
  const context = canvas?.getContext("2d");
  if (!canvas || !context) return;
  const ratio = devicePixelRatio;
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  // A picture may have a legend on its right: its height is that of the map.
  const zoom = (side / picture.height) * sight.scale;
  context.imageSmoothingEnabled = zoom < 1;
  context.drawImage(picture, -sight.x * sight.scale, -sight.y * sight.scale, picture.width * zoom, picture.height * zoom);
  const size = Math.min(7, Math.max(3, sight.scale * 0.6));
  const style = getComputedStyle(canvas);
  for (const point of points) {
    const [x, y] = [(point.x + 0.5 - sight.x) * sight.scale, (point.y + 0.5 - sight.y) * sight.scale];
    if (x < -size || y < -size || x > width + size || y > height + size) continue;
    context.beginPath();
    context.arc(x, y, size, 0, Math.PI * 2);
    context.fillStyle = colorOf(kinds.indexOf(point.kind));
    context.fill();
    context.lineWidth = 1;
    context.strokeStyle = "#000";
    context.stroke();
  }
  for (const point of marked) {
    if (point === undefined) continue;
    context.beginPath();
    context.arc((point.x + 0.5 - sight.x) * sight.scale, (point.y + 0.5 - sight.y) * sight.scale, size + 4, 0, Math.PI * 2);
    context.lineWidth = 3;
    context.strokeStyle = style.getPropertyValue("--ground");
    context.stroke();
    context.lineWidth = 1.5;
    context.strokeStyle = style.getPropertyValue("--text");
    context.stroke();
  }
}
