import type { SpaceBytes } from "../bytes";
import { hexText } from "../format";
import type { range } from "../virtual";

export const ROW = 20;
export const PER_ROW = 16;
const DIGIT = 8.5;
const LEFT = 84;
const TEXT = LEFT + DIGIT * 3 * PER_ROW + 16;

/** A run of bytes. */
export interface Run {
  offset: number;
  size: number;
}

/** The column of a byte at so many pixels from the left, among its digits or letters. */
export function columnAt(x: number): number | undefined {
  const column = Math.floor(x < TEXT - 8 ? (x - LEFT) / (DIGIT * 3) : (x - TEXT) / DIGIT);
  return column >= 0 && column < PER_ROW ? column : undefined;
}

/** Draws the rows in sight: offsets, digits, letters, what is marked and what is chosen. */
export function drawBytes(
  canvas: HTMLCanvasElement | null,
  bytes: SpaceBytes | undefined,
  sight: ReturnType<typeof range>,
  { top, sight: height }: { top: number; sight: number },
  mark: Run | undefined,
  chosen: Run | undefined,
  at: number | undefined,
) {
  if (canvas === null || bytes === undefined || height === 0) return;
  const width = TEXT + DIGIT * PER_ROW + 16;
  const ratio = devicePixelRatio;
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
  }
  const context = canvas.getContext("2d");
  if (context === null) return;
  const style = getComputedStyle(canvas);
  const color = (name: string) => style.getPropertyValue(name);
  const [text, quiet, marking, choice, accent] = [color("--text"), color("--quiet"), color("--mark"), color("--chosen"), color("--accent")];
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  context.font = "14px ui-monospace, 'DejaVu Sans Mono', monospace";
  context.textBaseline = "middle";
  const isIn = (run: Run | undefined, offset: number) => run !== undefined && offset >= run.offset && offset < run.offset + run.size;
  for (let row = sight.start; row < sight.end; row += 1) {
    const y = sight.offset(row) - top + ROW / 2;
    context.fillStyle = quiet;
    context.fillText(hexText(row * PER_ROW, 8), 8, y);
    for (let column = 0; column < PER_ROW; column += 1) {
      const offset = row * PER_ROW + column;
      if (offset >= bytes.length) break;
      const x = LEFT + column * DIGIT * 3;
      const letterAt = TEXT + column * DIGIT;
      for (const [run, fill] of [[mark, marking], [chosen, choice]] as const) {
        if (!isIn(run, offset)) continue;
        context.fillStyle = fill;
        context.fillRect(x - 3, y - ROW / 2, DIGIT * 3, ROW);
        context.fillRect(letterAt, y - ROW / 2, DIGIT, ROW);
      }
      if (offset === at) {
        context.strokeStyle = accent;
        context.strokeRect(x - 3.5, y - ROW / 2 + 0.5, DIGIT * 3 - 2, ROW - 1);
      }
      const byte = bytes.at(offset);
      context.fillStyle = byte === 0 ? quiet : text;
      context.fillText(byte === undefined ? "··" : hexText(byte, 2), x, y);
      context.fillText(byte !== undefined && byte >= 32 && byte < 127 ? String.fromCharCode(byte) : "·", letterAt, y);
    }
  }
}
