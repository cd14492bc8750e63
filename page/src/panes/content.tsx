import { useEffect, useMemo, useState } from "preact/hooks";
import type { Bytes, Row } from "../client/client";
import { type Sniffed, sniff } from "../content/sniff";
import { CODE_PAGES, codePageOf, codePagesIn, linesOf } from "../content/text";
import { bytesText, hexText } from "../format";
import { useCall } from "../query";
import { download, lastStep } from "../download";
import { address, call, current, go, work } from "../state";
import { VirtualList } from "../virtual";

/** Bytes that are read without a question. */
const MOST = 64 << 20;
/** Bytes that are shown of what cannot be shown. */
const FIRST = 64;

/** What an entry holds: texts to read, pictures to see, sounds and videos to play, and everything else to save. */
export function ContentPane() {
  const file = current.value;
  const { entry } = address.value;
  const key = file && entry !== undefined ? `${file.handle} ${file.version} ${entry}` : "";
  const [read, setRead] = useState<{ key: string; bytes: Bytes } | undefined>(undefined);
  const [agreed, setAgreed] = useState("");
  const branches = useCall(file?.aspects.includes("included") ? "tree" : undefined, { file: file?.handle ?? 0, flat: true }, file?.version);
  const shown = useCall(key === "" ? undefined : "show", { file: file?.handle ?? 0, path: entry ?? "", limit: 1 }, file?.version);
  const size = Number(shown?.rows[0]?.size ?? 0);
  const isLarge = size > MOST && agreed !== key;
  useEffect(() => {
    if (file === undefined || entry === undefined || shown === undefined || isLarge) return;
    const abort = new AbortController();
    void work(async () => {
      const { body } = await call("cat", { file: file.handle, path: entry }, abort.signal);
      if (!abort.signal.aborted) setRead({ key, bytes: body });
    });
    return () => abort.abort();
  }, [key, shown, isLarge]);
  const bytes = read?.key === key ? read.bytes : undefined;
  const found = useMemo(() => bytes && sniff(bytes), [bytes]);
  // Files that stand in the file beside its entries.
  const included = (branches?.rows ?? []).filter((row) => row.type === "included file");
  const name = entry === undefined ? "" : lastStep(entry).replace(/^#/, "object-");
  return (
    <section class="pane" data-role="content" data-kind={found?.kind ?? ""} data-size={bytes?.length ?? 0} aria-label="Content">
      <header>
        <h2>{entry ?? "Content"}</h2>
        {included.length > 0 && <Included rows={included} entry={entry} />}
        <span class="quiet">{found && bytes ? `${found.name}, ${bytesText(bytes.length)}` : ""}</span>
        {found && bytes && bytes.length > 0 && (
          <button type="button" class="last" onClick={() => download(name.includes(".") ? name : `${name}.${found.extension}`, bytes, found.type)}>
            Save
          </button>
        )}
      </header>
      {entry === undefined && <p class="notice">Choose an entry to see what it holds.</p>}
      {key !== "" && isLarge && (
        <p class="notice">
          This entry has {bytesText(size)}.{" "}
          <button type="button" onClick={() => setAgreed(key)}>
            Read it
          </button>
        </p>
      )}
      {found && bytes && <Shown key={key} bytes={bytes} found={found} label={name} />}
    </section>
  );
}

/** The files within a file, to choose among. */
function Included({ rows, entry }: { rows: Row[]; entry: string | undefined }) {
  return (
    <select
      aria-label="Included files"
      value={rows.some((row) => row.path === entry) ? (entry ?? "") : ""}
      onChange={(event) => event.currentTarget.value !== "" && go({ ...address.value, entry: event.currentTarget.value, at: undefined as never })}
    >
      <option value="">{rows.length === 1 ? "1 included file" : `${rows.length} included files`}</option>
      {rows.map((row) => (
        <option key={String(row.path)} value={String(row.path)}>
          {String(row.label)} ({bytesText(Number(row.size))})
        </option>
      ))}
    </select>
  );
}

function Shown({ bytes, found, label }: { bytes: Bytes; found: Sniffed; label: string }) {
  switch (found.kind) {
    case "empty":
      return <p class="notice">This entry is empty.</p>;
    case "text":
      return <Text bytes={bytes} label={label} />;
    case "other":
      return <FirstBytes bytes={bytes} />;
    default:
      return <Media bytes={bytes} found={found} label={label} />;
  }
}

/** A picture, a sound or a video, which the browser shows where it can. */
function Media({ bytes, found, label }: { bytes: Bytes; found: Sniffed; label: string }) {
  const [isWrong, setWrong] = useState(false);
  const [facts, setFacts] = useState("");
  const url = useMemo(() => URL.createObjectURL(new Blob([bytes], { type: found.type })), [bytes]);
  useEffect(() => () => URL.revokeObjectURL(url), [url]);
  const fail = () => setWrong(true);
  const measure = (event: Event) => {
    const element = event.currentTarget as HTMLImageElement & HTMLVideoElement;
    const seconds = Number.isFinite(element.duration) ? `${element.duration.toFixed(2)} s` : "";
    const width = element.naturalWidth || element.videoWidth;
    const pixels = width ? `${width} × ${element.naturalHeight || element.videoHeight}` : "";
    setFacts([pixels, seconds].filter((it) => it !== "").join(", "));
  };
  return (
    <div class="picture media" tabIndex={0} role="group" aria-label={found.name} data-facts={facts}>
      {isWrong && <p>This browser cannot show this {found.name}. It can be saved.</p>}
      {found.kind === "picture" && !isWrong && <img src={url} alt={label} onError={fail} onLoad={measure} />}
      {found.kind === "sound" && !isWrong && <audio src={url} controls aria-label={label} onError={fail} onLoadedMetadata={measure} />}
      {found.kind === "video" && !isWrong && <video src={url} controls aria-label={label} onError={fail} onLoadedMetadata={measure} />}
      <p class="quiet">{facts}</p>
      {isWrong && <FirstBytes bytes={bytes} />}
    </div>
  );
}

/** The first bytes of what cannot be shown. */
function FirstBytes({ bytes }: { bytes: Bytes }) {
  const lines = Array.from({ length: Math.ceil(Math.min(bytes.length, FIRST) / 16) }, (_, nth) => bytes.subarray(nth * 16, nth * 16 + 16));
  const text = (line: Uint8Array) => [...line].map((it) => (it >= 0x20 && it < 0x7f ? String.fromCharCode(it) : ".")).join("");
  return (
    <div class="notice">
      <p>{`There is no picture of these ${bytesText(bytes.length)}. They can be saved, and begin so:`}</p>
      <pre>{lines.map((line, nth) => `${hexText(nth * 16, 4)}  ${[...line].map((it) => hexText(it, 2)).join(" ").padEnd(49)}${text(line)}\n`)}</pre>
    </div>
  );
}

/** A text, in the code page that it is probably in or that one chooses. */
function Text({ bytes, label }: { bytes: Bytes; label: string }) {
  const file = current.value;
  const info = useCall(file ? "info" : undefined, { files: [file?.handle ?? 0] }, file?.version);
  const own = useMemo(() => codePagesIn(info?.rows[0]), [info]);
  const guess = useMemo(() => codePageOf(bytes, own), [bytes, own]);
  const [chosen, setChosen] = useState("");
  const page = chosen || guess;
  const lines = useMemo(() => linesOf(new TextDecoder(page).decode(bytes)), [bytes, page]);
  const digits = String(lines.length).length;
  return (
    <>
      <div class="sql-actions strip">
        <label>
          code page{" "}
          <select aria-label="Code page" value={page} onChange={(event) => setChosen(event.currentTarget.value)}>
            {[...new Set([guess, ...own, ...CODE_PAGES])].map((it) => (
              <option key={it} value={it}>
                {it}
              </option>
            ))}
          </select>
        </label>
        <span class="quiet" data-role="lines" data-rows={lines.length}>
          {lines.length === 1 ? "1 line" : `${lines.length.toLocaleString("en")} lines`}
        </span>
      </div>
      <div class="lines">
        <VirtualList
          count={lines.length}
          rowHeight={20}
          label={label}
          render={(nth) => (
            <div class="text-line" role="option" aria-selected={false}>
              <span class="quiet">{String(nth + 1).padStart(digits)}</span> {lines[nth]}
            </div>
          )}
        />
      </div>
    </>
  );
}
