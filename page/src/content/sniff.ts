/** How a content is shown. */
export type Kind = "empty" | "text" | "picture" | "sound" | "video" | "other";

/** What a content is, by its first bytes. */
export interface Sniffed {
  kind: Kind;
  /** What people call it. */
  name: string;
  /** Its media type. */
  type: string;
  /** The extension of its files, without a point. */
  extension: string;
}

const BYTES: Sniffed = { kind: "other", name: "bytes of no known kind", type: "application/octet-stream", extension: "bin" };

/** First bytes as text, `?` for any; the kind, name, media type and extension of what begins so. The first line that fits counts. */
const SIGNATURES: [string, Kind, string, string, string][] = [
  ["\x89PNG\r\n\x1a\n", "picture", "PNG picture", "image/png", "png"],
  ["\xff\xd8\xff", "picture", "JPEG picture", "image/jpeg", "jpg"],
  ["GIF87a", "picture", "GIF picture", "image/gif", "gif"],
  ["GIF89a", "picture", "GIF picture", "image/gif", "gif"],
  ["RIFF????WEBP", "picture", "WebP picture", "image/webp", "webp"],
  ["????ftypavif", "picture", "AVIF picture", "image/avif", "avif"],
  ["\0\0\x01\0", "picture", "icon", "image/x-icon", "ico"],
  ["RIFF????WAVE", "sound", "WAV sound", "audio/wav", "wav"],
  ["ID3", "sound", "MP3 sound", "audio/mpeg", "mp3"],
  ["fLaC", "sound", "FLAC sound", "audio/flac", "flac"],
  ["????ftypM4A", "sound", "AAC sound", "audio/mp4", "m4a"],
  ["????ftyp", "video", "MP4 video", "video/mp4", "mp4"],
  ["\x1aE\xdf\xa3", "video", "Matroska or WebM video", "video/webm", "webm"],
  ["RIFF????AVI ", "video", "AVI video", "video/x-msvideo", "avi"],
  ["\0\0\x01\xba", "video", "MPEG video", "video/mpeg", "mpg"],
  ["0&\xb2u\x8ef\xcf\x11", "video", "Windows Media", "video/x-ms-wmv", "wmv"],
  ["BIK", "other", "Bink video", "application/octet-stream", "bik"],
  ["MThd", "other", "MIDI music", "audio/midi", "mid"],
  ["DDS ", "other", "DDS texture", "image/vnd-ms.dds", "dds"],
  ["\xabKTX 20\xbb", "other", "KTX2 texture", "image/ktx2", "ktx2"],
  ["\xabKTX 11\xbb", "other", "KTX texture", "image/ktx", "ktx"],
  ["8BPS", "other", "Photoshop picture", "image/vnd.adobe.photoshop", "psd"],
  ["II*\0", "other", "TIFF picture", "image/tiff", "tif"],
  ["MM\0*", "other", "TIFF picture", "image/tiff", "tif"],
  ["glTF", "other", "glTF model", "model/gltf-binary", "glb"],
  ["PK\x03\x04", "other", "ZIP archive", "application/zip", "zip"],
  ["\x1f\x8b", "other", "gzip archive", "application/gzip", "gz"],
  ["7z\xbc\xaf\x27\x1c", "other", "7-Zip archive", "application/x-7z-compressed", "7z"],
  ["Rar!\x1a\x07", "other", "RAR archive", "application/vnd.rar", "rar"],
  ["\x28\xb5\x2f\xfd", "other", "Zstandard archive", "application/zstd", "zst"],
  ["%PDF-", "other", "PDF document", "application/pdf", "pdf"],
  ["SQLite format 3\0", "other", "SQLite database", "application/vnd.sqlite3", "sqlite"],
  ["\x1bLua", "other", "compiled Lua", "application/octet-stream", "luac"],
  ["OTTO", "other", "font", "font/otf", "otf"],
  ["\0\x01\0\0\0", "other", "font", "font/ttf", "ttf"],
  ["MZ", "other", "Windows program", "application/vnd.microsoft.portable-executable", "exe"],
  ["\x7fELF", "other", "Unix program", "application/octet-stream", "elf"],
];

const isAt = (bytes: Uint8Array, text: string, at = 0): boolean =>
  bytes.length >= at + text.length && [...text].every((it, nth) => it === "?" || bytes[at + nth] === it.charCodeAt(0));

/** Whether a text stands in the first bytes. */
function holds(bytes: Uint8Array, text: string, most: number): boolean {
  for (let at = 0; at < Math.min(bytes.length, most); at += 1) if (isAt(bytes, text, at)) return true;
  return false;
}

/** Whether these bytes are a Windows bitmap: its size and that of its header fit. */
function isBitmap(bytes: Uint8Array): boolean {
  if (!isAt(bytes, "BM") || bytes.length < 26) return false;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const header = view.getUint32(14, true);
  return view.getUint32(10, true) < bytes.length && [12, 40, 52, 56, 64, 108, 124].includes(header);
}

/** Length of the frame of MPEG sound, layer 3, that starts there; 0 where none does. */
function frameLength(bytes: Uint8Array, at: number): number {
  const [first, second, third] = bytes.subarray(at, at + 3);
  if (first !== 0xff || second === undefined || third === undefined || (second & 0xe6) !== 0xe2) return 0;
  const version = (second >> 3) & 3;
  const [rate, frequency] = [third >> 4, (third >> 2) & 3];
  if (version === 1 || rate === 0 || rate === 15 || frequency === 3) return 0;
  const isFirst = version === 3;
  const rates = isFirst ? [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320] : [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
  const hertz = ([44100, 48000, 32000][frequency] ?? 1) / (isFirst ? 1 : version === 2 ? 2 : 4);
  return Math.floor(((isFirst ? 144 : 72) * (rates[rate - 1] ?? 0) * 1000) / hertz) + ((third >> 1) & 1);
}

/** Whether two frames of sound, or one that ends where the bytes do, stand there. */
function isMp3(bytes: Uint8Array): boolean {
  const length = frameLength(bytes, 0);
  return length > 0 && (length === bytes.length || frameLength(bytes, length) > 0);
}

/** Says what bytes are, by the first of them. */
export function sniff(bytes: Uint8Array): Sniffed {
  if (bytes.length === 0) return { kind: "empty", name: "nothing", type: "text/plain", extension: "txt" };
  const found = SIGNATURES.find(([text]) => isAt(bytes, text));
  if (found !== undefined) {
    const [, kind, name, type, extension] = found;
    return { kind, name, type, extension };
  }
  if (isAt(bytes, "OggS")) {
    // A stream of pictures names itself in one of the first pages.
    if (holds(bytes, "\x80theora", 512)) return { kind: "video", name: "Ogg video", type: "video/ogg", extension: "ogv" };
    return { kind: "sound", name: "Ogg sound", type: "audio/ogg", extension: "ogg" };
  }
  if (isBitmap(bytes)) return { kind: "picture", name: "BMP picture", type: "image/bmp", extension: "bmp" };
  if (isMp3(bytes)) return { kind: "sound", name: "MP3 sound", type: "audio/mpeg", extension: "mp3" };
  if (isAt(bytes, "TRUEVISION-XFILE", bytes.length - 18)) return { kind: "other", name: "Targa picture", type: "image/x-tga", extension: "tga" };
  if (!isText(bytes)) return BYTES;
  if (holds(bytes, "<svg", 512)) return { kind: "picture", name: "SVG picture", type: "image/svg+xml", extension: "svg" };
  return { kind: "text", name: "text", type: "text/plain", extension: "txt" };
}

/** Bytes that are looked at to say whether they are text. */
const LOOKED_AT = 65_536;

/** Whether bytes read as text of some code page: no control characters but those of lines, tabs and terminals. */
export function isText(bytes: Uint8Array): boolean {
  if (isAt(bytes, "\xff\xfe") || isAt(bytes, "\xfe\xff")) return bytes.length % 2 === 0;
  return bytes.subarray(0, LOOKED_AT).every((byte) => byte >= 0x20 ? byte !== 0x7f : (byte >= 9 && byte <= 13) || byte === 26 || byte === 27);
}
