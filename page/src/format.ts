const UNITS = ["B", "KiB", "MiB", "GiB", "TiB"];

/** A size for people. */
export function bytesText(size: number): string {
  let unit = 0;
  let value = size;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${UNITS[unit]}`;
}

/** An offset as hexadecimal digits. */
export const hexText = (value: number, digits = 0): string => value.toString(16).padStart(digits, "0");

/** A value of a row for people: texts as they are, lists and objects as JSON. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Reads digits of bytes, two each. */
export function parseHex(digits: string): Uint8Array {
  const bytes = new Uint8Array(digits.length >> 1);
  for (let nth = 0; nth < bytes.length; nth += 1) bytes[nth] = Number.parseInt(digits.slice(nth * 2, nth * 2 + 2), 16);
  return bytes;
}

/** A word of a command line, quoted where a shell would take it apart. */
export const wordText = (text: string): string => (/^[\w./:@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
