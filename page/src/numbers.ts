/** A number that bytes stand for. */
export interface NumberText {
  type: string;
  text: string;
}

/** The numbers that begin at the first byte, as far as there are bytes for them. */
export function numbersOf(bytes: Uint8Array, little: boolean): NumberText[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const readers: [string, number, () => number | bigint][] = [
    ["u8", 1, () => view.getUint8(0)],
    ["i8", 1, () => view.getInt8(0)],
    ["u16", 2, () => view.getUint16(0, little)],
    ["i16", 2, () => view.getInt16(0, little)],
    ["u32", 4, () => view.getUint32(0, little)],
    ["i32", 4, () => view.getInt32(0, little)],
    ["u64", 8, () => view.getBigUint64(0, little)],
    ["i64", 8, () => view.getBigInt64(0, little)],
    ["f32", 4, () => view.getFloat32(0, little)],
    ["f64", 8, () => view.getFloat64(0, little)],
  ];
  return readers.filter(([, size]) => size <= bytes.length).map(([type, , read]) => ({ type, text: numberText(type, read()) }));
}

/** A number with all digits that tell it from its neighbours, and no more. */
function numberText(type: string, value: number | bigint): string {
  if (typeof value === "bigint" || type !== "f32" || !Number.isFinite(value)) return String(value);
  for (let digits = 1; digits < 10; digits += 1) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return String(short);
  }
  return String(value);
}

/** Bytes as text; what is none is a dot. `label` is ASCII or one that browsers know. */
export function textOf(bytes: Uint8Array, label: string): string {
  if (label === "ASCII") return [...bytes].map((byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : "·")).join("");
  // Controls and what cannot be read.
  return new TextDecoder(label).decode(bytes).replace(/[\u0000-\u001f\u007f-\u009f\ufffd]/g, "·");
}
