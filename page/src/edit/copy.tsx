import type { Address, View } from "../address";
import { CopyButton } from "../copy";
import { wordText } from "../format";

/** The words of a command for a file, and an entry of it, where one is chosen. */
type Words = (file: string, entry: string | undefined, to: Address) => string[] | undefined;

/** Commands that show what a view shows; without one, what stands at the address. */
const COMMANDS: Partial<Record<View, Words>> = {
  scene: (file) => ["export", file, "-o", "scene.glb"],
  texture: (file, entry) => (entry ? ["export", file, entry, "-o", "picture.png"] : undefined),
  table: (file, entry) => ["ls", file, wordText(`${entry?.split("/")[0] ?? "*"}/*`)],
  script: (file) => ["tree", file, "scripts"],
  map: (file) => ["export", file, "-o", "map.png"],
  findings: (file) => ["lint", file],
  content: (file, entry) => (entry ? ["cat", file, entry] : undefined),
  diff: (file, _, { with: old }) => (old ? ["diff", wordText(old), file] : undefined),
};

const plain: Words = (file, entry, { at }) => {
  if (at !== undefined) return ["explain", file, `${at.space}:${at.offset}`];
  return entry === undefined ? ["ls", file] : ["show", file, entry];
};

/** The command that shows the same as an address. */
export function commandOf(to: Address): string {
  const [file, entry] = [wordText(to.file ?? "FILE"), to.entry && wordText(to.entry)];
  const words = (to.view && COMMANDS[to.view]?.(file, entry, to)) || plain(file, entry, to) || [];
  return ["spelunk", ...words].join(" ");
}

/** Buttons that copy where one is: the path of the entry or file, and the command that shows the same. */
export function CopyButtons({ to }: { to: Address }) {
  return (
    <div class="entry-actions">
      <CopyButton label="Copy path" text={() => to.entry ?? to.file ?? ""} />
      <CopyButton label="Copy command" text={() => commandOf(to)} />
    </div>
  );
}
