import type { SpaceBytes } from "../bytes";
import { hexText } from "../format";
import type { range } from "../virtual";

export const ROW = 20;
export const PER_ROW = 16;
const FONT = "14px ui-monospace, 'DejaVu Sans Mono', monospace";
const LEFT = 84;
/** Pixels of a letter: all of them are as wide. */
let digit = 8.5;
/** Where the letters of the bytes begin. */
const textLeft = () => LEFT + digit * 3 * PER_ROW + 16;

/** A run of bytes. */
export interface Run {
  offset: number;
  size: number;
}

/** The column of a byte at so many pixels from the left, among its digits or letters. */
export function columnAt(x: number): number | undefined {
  const text = textLeft();
  const column = Math.floor(x < text - 8 ? (x - LEFT) / (digit * 3) : (x - text) / digit);
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
  const context = canvas.getContext("2d");
  if (context === null) return;
  context.font = FONT;
  digit = context.measureText("0").width;
  const text = textLeft();
  const width = Math.ceil(text + digit * PER_ROW + 16);
  const ratio = devicePixelRatio;
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
  }
  const style = getComputedStyle(canvas);
  const color = (name: string) => style.getPropertyValue(name);
  const [ink, quiet, marking, choice, accent] = [color("--text"), color("--quiet"), color("--mark"), color("--chosen"), color("--accent")];
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  context.font = FONT;
  context.textBaseline = "middle";
  const isIn = (run: Run | undefined, offset: number) => run !== undefined && offset >= run.offset && offset < run.offset + run.size;
  for (let row = sight.start; row < sight.end; row += 1) {
    const y = sight.offset(row) - top + ROW / 2;
    // A row is written at once: its bytes, and in another colour those that are 0.
    const [digits, zeros, letters]: [string[], string[], string[]] = [[], [], []];
    for (let offset = row * PER_ROW; offset < Math.min((row + 1) * PER_ROW, bytes.length); offset += 1) {
      const column = offset % PER_ROW;
      const [x, letterAt] = [LEFT + column * digit * 3, text + column * digit];
      for (const [run, fill] of [[mark, marking], [chosen, choice]] as const) {
        if (!isIn(run, offset)) continue;
        context.fillStyle = fill;
        context.fillRect(x - 3, y - ROW / 2, digit * 3, ROW);
        context.fillRect(letterAt, y - ROW / 2, digit, ROW);
      }
      if (offset === at) {
        context.strokeStyle = accent;
        context.strokeRect(x - 3.5, y - ROW / 2 + 0.5, digit * 3 - 2, ROW - 1);
      }
      const byte = bytes.at(offset);
      digits.push(byte === 0 ? "  " : byte === undefined ? "··" : hexText(byte, 2));
      zeros.push(byte === 0 ? "00" : "  ");
      letters.push(byte !== undefined && byte >= 32 && byte < 127 ? String.fromCharCode(byte) : "·");
    }
    context.fillStyle = quiet;
    context.fillText(hexText(row * PER_ROW, 8), 8, y);
    context.fillText(zeros.join(" "), LEFT, y);
    context.fillStyle = ink;
    context.fillText(digits.join(" "), LEFT, y);
    context.fillText(letters.join(""), text, y);
  }
}
