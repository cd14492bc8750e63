import { decodedPixels } from "../pictures";
import { make } from "../state";
import type { Pixels } from "./pictures";
import { type Side, requestOf } from "./sides";
import type { Bytes } from "../client/client";

/** The picture of an entry, or of what it is a part of: a path ends at the part's `#` there. Nothing where neither is one. */
export async function readPicture(side: Side, path: string, signal: AbortSignal): Promise<{ path: string; pixels: Pixels } | undefined> {
  const whole = path.lastIndexOf("#");
  for (const tried of whole > 0 ? [path, path.slice(0, whole)] : [path]) {
    let bytes: Bytes;
    try {
      bytes = await make("export", { ...requestOf(side), to: "png", paths: [tried] }, "png", signal);
    } catch (error) {
      if (signal.aborted) throw error;
      continue;
    }
    return { path: tried, pixels: await decodedPixels(bytes) };
  }
  return undefined;
}
