import type { Bytes } from "./client/client";

/** Hands bytes or a text out as a download. */
export function download(name: string, content: Bytes | string, type = "application/octet-stream"): void {
  const url = URL.createObjectURL(new Blob([typeof content === "string" ? content : content], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** The last step of a path, for the name of a file. */
export const lastStep = (path: string): string => path.split(/[\\/]/).pop() || "file";
