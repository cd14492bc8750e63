import { useEffect, useState } from "preact/hooks";
import { download, lastStep } from "../download";
import { bytesText } from "../format";
import { current, verbs, work } from "../state";
import { isChanged, journalOf, redo, undo } from "./journal";
import { canChoose, extensionOf, save, saveAs, saveChosen, saved } from "./save";
import { keepRead, outdated, readAgain } from "./watch";

/** Bytes of a patch that are shown. */
const SHOWN = 20_000;

/** The changes of the open file: back and forth, what they are as a patch, and where they go. */
export function ChangesBar() {
  const file = current.value;
  const journal = journalOf(file);
  const [shown, setShown] = useState<string | undefined>(undefined);
  const [name, setName] = useState<string | undefined>(undefined);
  useEffect(() => setShown(undefined), [file?.handle, file?.version]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || file === undefined) return;
      const key = event.key.toLowerCase();
      // Within a field that is typed in, that is about what was typed.
      const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
      if (key === "s") void save(file);
      else if (key === "z" && !isTyping) void (event.shiftKey ? redo(file) : undo(file));
      else if (key === "y" && !isTyping) void redo(file);
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [file]);
  if (file === undefined) return null;
  const isDirty = isChanged(file);
  const patch = () => work(() => verbs().make("diff", { old: file.name, new: file.handle }, "patch", "patch"));
  const show = async () => {
    const bytes = await patch();
    if (bytes === undefined) return;
    const text = new TextDecoder("utf-8", { fatal: true });
    try {
      setShown(text.decode(bytes.subarray(0, SHOWN)) + (bytes.length > SHOWN ? "\n…" : ""));
    } catch {
      setShown(`${bytesText(bytes.length)} that are no text`);
    }
  };
  const isOutdated = outdated.value.has(file.name);
  const { canWrite } = verbs();
  return (
    <section class="changes" aria-label="Changes" data-changes={journal.done.length} data-unsaved={isDirty}>
      {isOutdated && (
        <p class="outdated" role="alert">
          Another program wrote to this file since it was read.{" "}
          <button type="button" onClick={() => void readAgain(file.name)}>
            {isDirty ? "Read again, and lose the changes" : "Read again"}
          </button>{" "}
          <button type="button" onClick={() => keepRead(file.name)}>
            Go on with what was read
          </button>
        </p>
      )}
      <button type="button" disabled={journal.done.length === 0} title={`Ctrl Z: ${journal.done.at(-1) ?? "nothing to undo"}`} onClick={() => void undo(file)}>
        Undo
      </button>
      <button type="button" disabled={journal.undone.length === 0} title={`Ctrl Shift Z: ${journal.undone.at(-1) ?? "nothing to redo"}`} onClick={() => void redo(file)}>
        Redo
      </button>
      <button type="button" disabled={!isDirty} title="Ctrl S" onClick={() => void save(file)}>
        {canWrite ? "Save" : "Save and download"}
      </button>
      {canWrite ? (
        <button type="button" aria-expanded={name !== undefined} onClick={() => setName(name === undefined ? copyOf(file.name) : undefined)}>
          Save as…
        </button>
      ) : (
        canChoose() && (
          <button type="button" onClick={() => void saveChosen(file)}>
            Save as…
          </button>
        )
      )}
      <button type="button" disabled={!isDirty && shown === undefined} aria-expanded={shown !== undefined} onClick={() => void (shown === undefined ? show() : setShown(undefined))}>
        Patch
      </button>
      <span class="quiet" role="status">
        {isDirty ? `${journal.done.length} changes, not saved: ${journal.done.at(-1) ?? "back to before what was saved"}` : (saved.value ?? "")}
      </span>
      {name !== undefined && (
        <form
          class="save-as"
          onSubmit={(event) => {
            event.preventDefault();
            setName(undefined);
            void saveAs(file, name);
          }}
        >
          <input aria-label="Name of the new file" value={name} size={60} onInput={(event) => setName(event.currentTarget.value)} />
          <button type="submit">Save</button>
        </form>
      )}
      {shown !== undefined && (
        <div class="patch">
          <button type="button" onClick={() => void patch().then((bytes) => bytes && download(`${lastStep(file.name)}.patch`, bytes))}>
            Download the patch
          </button>
          <pre tabIndex={0}>{shown}</pre>
        </div>
      )}
    </section>
  );
}

/** A name for a copy: `levels/a.nmo` gives `levels/a-changed.nmo`. */
export const copyOf = (name: string): string => {
  const extension = extensionOf(name);
  return `${name.slice(0, name.length - extension.length - 1)}-changed.${extension}`;
};
