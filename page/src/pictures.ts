import { pictureFolders } from "./names";
import type { Bytes } from "./client/client";
import { files, make } from "./state";

/** A picture of an entry, or of a slot of it, as it is stored: no colours are matched, and alpha stays what it is. Pictures of other folders of the page count, too. */
export async function pictureOf(file: number, path: string, signal?: AbortSignal, slot = 0): Promise<ImageBitmap> {
  const request = { file, to: "png", paths: [path], slot };
  const bytes = await make("export", request, "png", signal).catch((error: unknown) => {
    const textures = pictureFolders(files.value.map((it) => it.name));
    if (signal?.aborted || textures.length === 0) throw error;
    return make("export", { ...request, textures }, "png", signal);
  });
  return decoded(bytes);
}

/** A PNG file as it is stored: no colours are matched, and alpha stays what it is. */
const decoded = (png: Bytes): Promise<ImageBitmap> =>
  createImageBitmap(new Blob([png], { type: "image/png" }), { premultiplyAlpha: "none", colorSpaceConversion: "none" });

/** The pixels of a picture. */
export function pixelsOf(picture: ImageBitmap): ImageData {
  const context = new OffscreenCanvas(picture.width, picture.height).getContext("2d", { willReadFrequently: true });
  if (context === null) throw new Error("the browser draws no pictures");
  context.drawImage(picture, 0, 0);
  return context.getImageData(0, 0, picture.width, picture.height);
}

/** The pixels of a PNG file. */
export const decodedPixels = async (png: Bytes): Promise<ImageData> => pixelsOf(await decoded(png));

/** Pictures that are kept. */
const KEPT = 400;

/** Pictures of entries in small, made one after the other: those that were asked for last come first. */
export class Thumbnails {
  private readonly made = new Map<string, ImageBitmap | undefined>();
  private waiting: { path: string; done(picture: ImageBitmap | undefined): void }[] = [];
  private isBusy = false;

  constructor(private readonly file: number) {}

  /** Asks for a picture; there may be none. What it gives takes the wish back. */
  want(path: string, done: (picture: ImageBitmap | undefined) => void): () => void {
    if (this.made.has(path)) done(this.made.get(path));
    else {
      this.waiting.push({ path, done });
      void this.run();
    }
    return () => {
      this.waiting = this.waiting.filter((it) => it.done !== done);
    };
  }

  private async run(): Promise<void> {
    if (this.isBusy) return;
    this.isBusy = true;
    for (let next = this.waiting.pop(); next !== undefined; next = this.waiting.pop()) {
      const { path, done } = next;
      const picture = await pictureOf(this.file, path).catch(() => undefined);
      this.made.set(path, picture);
      const [oldest] = this.made.keys();
      if (this.made.size > KEPT && oldest !== undefined) this.made.delete(oldest);
      done(picture);
    }
    this.isBusy = false;
  }
}
