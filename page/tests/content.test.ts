import { expect, test } from "vitest";
import { sniff } from "../src/content/sniff";
import { codePageOf, codePagesIn, linesOf } from "../src/content/text";

const bytes = (text: string, length = text.length) => {
  const all = new Uint8Array(length);
  for (let nth = 0; nth < text.length; nth += 1) all[nth] = text.charCodeAt(nth);
  return all;
};
const of = (text: string, length?: number) => sniff(bytes(text, length));

test("pictures, sounds and videos are known by their first bytes", () => {
  const samples: [string, string, string][] = [
    ["\x89PNG\r\n\x1a\n....", "picture", "png"],
    ["\xff\xd8\xff\xe0", "picture", "jpg"],
    ["GIF89a..", "picture", "gif"],
    ["RIFF\x10\0\0\0WEBPVP8 ", "picture", "webp"],
    ["RIFF\x10\0\0\0WAVEfmt ", "sound", "wav"],
    ["RIFF\x10\0\0\0AVI LIST", "video", "avi"],
    ["ID3\x03\0\0", "sound", "mp3"],
    ["OggS\0\x02........\x01vorbis", "sound", "ogg"],
    ["OggS\0\x02........\x80theora", "video", "ogv"],
    ["\0\0\0\x18ftypisom", "video", "mp4"],
    ["\0\0\0\x18ftypM4A ", "sound", "m4a"],
    ["\x1aE\xdf\xa3....", "video", "webm"],
    ["DDS |\0\0\0", "other", "dds"],
    ["PK\x03\x04\x14", "other", "zip"],
  ];
  for (const [text, kind, extension] of samples) expect([of(text).kind, of(text).extension], text).toEqual([kind, extension]);
});

test("sound without a header is known by frames that follow each other", () => {
  // MPEG 1, layer 3, 128 kbit/s, 44,100 Hz: 417 bytes a frame.
  const frame = "\xff\xfb\x90\0";
  const two = bytes(frame, 417 + 4);
  two.set(bytes(frame), 417);
  expect(sniff(two)).toMatchObject({ kind: "sound", extension: "mp3" });
  expect(of(frame, 417)).toMatchObject({ kind: "sound" });
  expect(of(frame, 1000)).toMatchObject({ kind: "other" });
  expect(of("\xff\xff\xff\xff", 1000)).toMatchObject({ kind: "other" });
});

test("a bitmap is more than two letters", () => {
  const bitmap = bytes("BM", 60);
  bitmap[10] = 54;
  bitmap[14] = 40;
  expect(sniff(bitmap)).toMatchObject({ kind: "picture", extension: "bmp" });
  expect(of("BMW is a text, and a long one.")).toMatchObject({ kind: "text" });
});

test("a Targa picture has its name at its end", () => {
  const picture = bytes("\0\0\x02", 60);
  picture.set(bytes("TRUEVISION-XFILE.\0"), 42);
  expect(sniff(picture)).toMatchObject({ kind: "other", extension: "tga" });
});

test("texts have no control characters; what is left are bytes", () => {
  expect(of("function a()\r\n\treturn 1\r\nend\x1a")).toMatchObject({ kind: "text" });
  expect(of("\xcf\xf0\xe8\xe2\xe5\xf2")).toMatchObject({ kind: "text" });
  expect(of("\xff\xfea\0b\0")).toMatchObject({ kind: "text" });
  expect(of("<?xml version='1.0'?><svg xmlns='x'/>")).toMatchObject({ kind: "picture", extension: "svg" });
  expect(of("a\0b")).toMatchObject({ kind: "other", extension: "bin" });
  expect(of("")).toMatchObject({ kind: "empty" });
});

test("a text is read as UTF-8, else as the file's own code pages say", () => {
  expect(codePageOf(new TextEncoder().encode("Wächter"), ["windows-1251"])).toBe("utf-8");
  expect(codePageOf(bytes("W\xe4chter"), [])).toBe("windows-1252");
  expect(codePageOf(bytes("\xd1\xf2\xf0\xe0\xe6"), ["none-such", "windows-1251"])).toBe("windows-1251");
  expect(codePageOf(bytes("\xff\xfea\0"), [])).toBe("utf-16le");
});

test("code pages are found among the facts about a file, each once", () => {
  const facts = { details: { languages: [{ code_page: "windows-1252" }, { code_page: "Windows-1251" }, { code_page: "windows-1252" }, { code_page: "x" }] } };
  expect(codePagesIn(facts)).toEqual(["windows-1252", "windows-1251"]);
});

test("lines end as they like", () => {
  expect(linesOf("a\r\nb\rc\n\nd")).toEqual(["a", "b", "c", "", "d"]);
});
