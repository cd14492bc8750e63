/** Code pages that one can choose where the guess is wrong. */
export const CODE_PAGES = ["utf-8", "windows-1252", "windows-1250", "windows-1251", "gbk", "big5", "shift_jis", "euc-kr", "utf-16le", "utf-16be"];

/** The code page of a text: what its first bytes say, UTF-8 where it is that, else the first of the file's own. */
export function codePageOf(bytes: Uint8Array, own: string[]): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return "utf-8";
  } catch {
    return own.find(isKnown) ?? "windows-1252";
  }
}

/** Whether browsers read this code page. */
function isKnown(label: string): boolean {
  try {
    new TextDecoder(label);
    return true;
  } catch {
    return false;
  }
}

/** The code pages that the facts about a file name, wherever they stand in them. */
export function codePagesIn(facts: unknown): string[] {
  const found = new Set<string>();
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(walk);
    else if (value !== null && typeof value === "object") {
      for (const [key, inner] of Object.entries(value)) {
        if (key === "code_page" && typeof inner === "string") found.add(inner.toLowerCase());
        else walk(inner);
      }
    }
  };
  walk(facts);
  return [...found].filter(isKnown);
}

/** The lines of a text, however they end. */
export const linesOf = (text: string): string[] => text.split(/\r\n|\r|\n/);
