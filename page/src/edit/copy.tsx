import { useState } from "preact/hooks";
import type { Address, View } from "../address";

/** A word as shells take it. */
export const quoted = (word: string): string => (/^[\w@%+=:,./#-]+$/.test(word) && !word.startsWith("#") ? word : `'${word.replaceAll("'", "'\\''")}'`);

/** The words of a command for a file, and an entry of it, where one is chosen. */
type Words = (file: string, entry: string | undefined, to: Address) => string[] | undefined;

/** Commands that show what a view shows; without one, what stands at the address. */
const COMMANDS: Partial<Record<View, Words>> = {
  scene: (file) => ["export", file, "-o", "scene.glb"],
  texture: (file, entry) => (entry ? ["export", file, entry, "-o", "picture.png"] : undefined),
  table: (file, entry) => ["ls", file, quoted(`${entry?.split("/")[0] ?? "*"}/*`)],
  script: (file) => ["tree", file, "scripts"],
  map: (file) => ["export", file, "-o", "map.png"],
  findings: (file) => ["lint", file],
  content: (file, entry) => (entry ? ["cat", file, entry] : undefined),
  diff: (file, _, { with: old }) => (old ? ["diff", quoted(old), file] : undefined),
};

const plain: Words = (file, entry, { at }) => {
  if (at !== undefined) return ["explain", file, `${at.space}:${at.offset}`];
  return entry === undefined ? ["ls", file] : ["show", file, entry];
};

/** The command that shows the same as an address. */
export function commandOf(to: Address): string {
  const [file, entry] = [quoted(to.file ?? "FILE"), to.entry && quoted(to.entry)];
  const words = (to.view && COMMANDS[to.view]?.(file, entry, to)) || plain(file, entry, to) || [];
  return ["spelunk", ...words].join(" ");
}

/** Buttons that copy where one is: the path of the entry or file, and the command that shows the same. */
export function CopyButtons({ to }: { to: Address }) {
  const [copied, setCopied] = useState("");
  const copy = (text: string) =>
    void navigator.clipboard.writeText(text).then(
      () => setCopied(text),
      () => setCopied(""),
    );
  const command = commandOf(to);
  return (
    <div class="entry-actions">
      <button type="button" title={to.entry ?? to.file} onClick={() => copy(to.entry ?? to.file ?? "")}>
        Copy path
      </button>
      <button type="button" title={command} onClick={() => copy(command)}>
        Copy command
      </button>
      <span class="quiet" role="status">
        {copied && `copied: ${copied}`}
      </span>
    </div>
  );
}
