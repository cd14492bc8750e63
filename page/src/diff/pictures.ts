/** Pixels of red, green, blue and alpha, as they are stored. */
export interface Pixels {
  width: number;
  height: number;
  data: Uint8ClampedArray;
}

/** How two pictures differ. */
export interface PictureDifference {
  /** A picture as large as the larger of both: what is equal faint, what differs the brighter the more it does. */
  pixels: Pixels;
  /** Pixels that differ, those that one picture alone has among them. */
  differing: number;
  all: number;
  /** The largest difference of a channel, and the mean of it over all pixels that both have. */
  largest: number;
  mean: number;
}

/** Colours of the third picture: faint differences, large ones. */
const FROM = [90, 30, 120];
const TO = [255, 214, 10];
/** The colour of pixels that one picture alone has. */
const ALONE = [220, 40, 90];

/** Compares two pictures pixel by pixel from their corner at the top left on. */
export function differenceOf(old: Pixels, now: Pixels): PictureDifference {
  const [width, height] = [Math.max(old.width, now.width), Math.max(old.height, now.height)];
  const data = new Uint8ClampedArray(width * height * 4);
  let [differing, largest, sum, both] = [0, 0, 0, 0];
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const to = (y * width + x) * 4;
      const a = x < old.width && y < old.height ? (y * old.width + x) * 4 : -1;
      const b = x < now.width && y < now.height ? (y * now.width + x) * 4 : -1;
      if (a < 0 || b < 0) {
        if (a >= 0 || b >= 0) {
          differing += 1;
          data.set([...ALONE, 255], to);
        }
        continue;
      }
      let most = 0;
      for (let channel = 0; channel < 4; channel += 1) most = Math.max(most, Math.abs((old.data[a + channel] ?? 0) - (now.data[b + channel] ?? 0)));
      both += 1;
      sum += most;
      largest = Math.max(largest, most);
      if (most === 0) {
        const grey = ((now.data[b] ?? 0) + (now.data[b + 1] ?? 0) + (now.data[b + 2] ?? 0)) / 3;
        data.set([grey, grey, grey, 60], to);
      } else {
        differing += 1;
        // A difference of one is seen, too.
        const part = 0.15 + (0.85 * most) / 255;
        data.set([...FROM.map((from, nth) => from + ((TO[nth] ?? 0) - from) * part), 255], to);
      }
    }
  }
  return { pixels: { width, height, data }, differing, all: width * height, largest, mean: both === 0 ? 0 : sum / both };
}

/** What the numbers of a difference say. */
export function differenceText(old: Pixels, now: Pixels, { differing, all, largest, mean }: PictureDifference): string {
  const sizes = old.width === now.width && old.height === now.height ? "" : `The old picture is ${old.width} × ${old.height}, the new one ${now.width} × ${now.height}. `;
  if (differing === 0) return "Both pictures are the same, pixel by pixel.";
  const part = (100 * differing) / all;
  const percent = part < 0.1 ? "less than 0.1" : part.toFixed(1);
  return `${sizes}${differing} of ${all} pixels differ (${percent} %); the largest difference of a channel is ${largest} of 255, the mean ${mean.toFixed(2)}.`;
}
