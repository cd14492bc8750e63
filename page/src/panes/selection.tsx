import { useState } from "preact/hooks";
import type { SpaceBytes } from "../bytes";
import { hexText } from "../format";
import { codePagesIn } from "../content/text";
import { numbersOf, textOf } from "../numbers";
import { useCall } from "../query";
import { current, work } from "../state";

/** Bytes that the strip shows; copying takes all of them. */
const SHOWN = 48;
/** Bytes that can be copied in one go. */
export const MOST_COPIED = 1 << 20;

const hexOf = (bytes: Uint8Array) => [...bytes].map((byte) => hexText(byte, 2)).join(" ");

/** The chosen bytes as digits, text and numbers, each to be copied. */
export function SelectionStrip({ bytes, start, size, onSize }: { bytes: SpaceBytes; start: number; size: number; onSize(size: number): void }) {
  const file = current.value;
  const [page, setPage] = useState("ASCII");
  const [big, setBig] = useState(false);
  const [said, setSaid] = useState("");
  const info = useCall(file ? "info" : undefined, { files: [file?.handle ?? 0] }, file?.version);
  const pages = ["ASCII", "UTF-8", ...codePagesIn(info?.rows[0])];
  const shown = bytes.range(start, start + Math.min(size, SHOWN));
  const numbers = numbersOf(bytes.range(start, Math.min(bytes.length, start + 8)), !big);
  const copy = (text: string | (() => Promise<string>), what: string) =>
    void work(async () => {
      await navigator.clipboard.writeText(typeof text === "string" ? text : await text());
      setSaid(`${what} copied`);
    });
  const whole = async () => {
    const end = start + Math.min(size, MOST_COPIED);
    await bytes.want(start, end);
    return bytes.range(start, end);
  };
  const more = size > SHOWN ? " …" : "";
  return (
    <div class="selection" data-role="selection" data-start={start} data-size={size}>
      <div class="line">
        <span>
          {hexText(start, 8)}–{hexText(start + size - 1, 8)}
        </span>
        <label>
          <input
            type="number"
            min={1}
            max={bytes.length - start}
            value={size}
            aria-label="Number of bytes"
            onInput={(event) => {
              const asked = Math.floor(Number(event.currentTarget.value));
              if (asked >= 1) onSize(Math.min(asked, bytes.length - start));
            }}
          />{" "}
          bytes
        </label>
        <label>
          <input type="checkbox" checked={big} onChange={(event) => setBig(event.currentTarget.checked)} /> big endian
        </label>
        <span class="quiet" role="status">
          {said}
        </span>
      </div>
      <div class="line">
        <button type="button" onClick={() => copy(async () => hexOf(await whole()), "Bytes")}>
          Copy bytes
        </button>
        <code data-role="digits">
          {hexOf(shown)}
          {more}
        </code>
      </div>
      <div class="line">
        <button type="button" onClick={() => copy(async () => textOf(await whole(), page), "Text")}>
          Copy text
        </button>
        <select aria-label="Code page" value={page} onChange={(event) => setPage(event.currentTarget.value)}>
          {pages.map((it) => (
            <option key={it}>{it}</option>
          ))}
        </select>
        <code data-role="text">
          {textOf(shown, pages.includes(page) ? page : "ASCII")}
          {more}
        </code>
      </div>
      <div class="line numbers">
        {numbers.map(({ type, text }) => (
          <button key={type} type="button" title={`Copy ${text}`} data-type={type} onClick={() => copy(text, type)}>
            <span class="quiet">{type}</span> {text}
          </button>
        ))}
      </div>
    </div>
  );
}
